/* Normals a second on one thread, in long runs and in rows as RF draws them. */
#include <stdio.h>

#include "ww-core.h"

#define ROW 384
#define ROWS 4096
#define ROUNDS 20

int
main (void)
{
  g_autofree double *normals = g_new (double, ROW * ROWS);
  g_autofree float *single = g_new (float, ROW * ROWS);
  gint64 begin;

  /* The first round touches the memory and is not counted. */
  ww_random_normal (1, WW_PURPOSE_V, 0, 0, ROW * ROWS, 1, normals);
  begin = g_get_monotonic_time ();
  for (guint round = 0; round < ROUNDS; round++)
    ww_random_normal (1, WW_PURPOSE_V, round, 0, ROW * ROWS, 1, normals);
  printf ("one run: %.0f million normals a second (target 150)\n",
          (double) ROW * ROWS * ROUNDS / (double) (g_get_monotonic_time () - begin));

  ww_random_normal_f (1, WW_PURPOSE_V, 0, 0, ROW * ROWS, 1, single);
  begin = g_get_monotonic_time ();
  for (guint round = 0; round < ROUNDS; round++)
    for (gsize row = 0; row < ROWS; row++)
      ww_random_normal_f (1, WW_PURPOSE_V, round, row * 50 * ROW, ROW, 1, single + row * ROW);
  printf ("rows of %d in single precision: %.0f million normals a second\n", ROW,
          (double) ROW * ROWS * ROUNDS / (double) (g_get_monotonic_time () - begin));

  return 0;
}
