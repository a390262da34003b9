#include "ww-starts.h"

#include <stdlib.h>
#include <string.h>

#include "ww-private.h"

gboolean
ww_starts_init (WwStarts *starts, gsize width, gsize d, GError **error)
{
  starts->width = width;
  starts->d = d;

  return (starts->nudge = ww_try_alloc (width, d, sizeof (float), error)) != NULL
         && (starts->direction = ww_try_alloc (width, d, sizeof (float), error)) != NULL
         && (starts->gradient = ww_try_alloc (width, d, sizeof (float), error)) != NULL
         && (starts->last_gradient = ww_try_alloc (width, d, sizeof (float), error)) != NULL
         && (starts->value = ww_try_alloc (width, 1, sizeof (double), error)) != NULL
         && (starts->ended = ww_try_alloc (width, 1, sizeof (gboolean), error)) != NULL
         && (starts->conjugate = ww_try_alloc (width, 1, sizeof (WwConjugate), error)) != NULL;
}

void
ww_starts_clear (WwStarts *starts)
{
  free (starts->nudge);
  free (starts->direction);
  free (starts->gradient);
  free (starts->last_gradient);
  free (starts->value);
  free (starts->ended);
  free (starts->conjugate);
}

void
ww_starts_add_rows (WwStarts *starts, gpointer pieces, gsize size)
{
  g_return_if_fail (starts->n_rows < WW_STARTS_MOST_ROWS);

  starts->rows[starts->n_rows].pieces = pieces;
  starts->rows[starts->n_rows].size = size;
  starts->n_rows++;
}

void
ww_starts_begin (WwStarts *starts, gsize active)
{
  for (gsize b = 0; b < active; b++)
    {
      ww_conjugate_scale_to_unit (starts->nudge + b * starts->d, starts->d);
      starts->conjugate[b] = (WwConjugate) { .fresh = TRUE };
      starts->ended[b] = FALSE;
      starts->value[b] = -1;
    }
}

static double
dot (const float *a, const float *b, gsize count)
{
  double total = 0;

  for (gsize i = 0; i < count; i++)
    total += (double) a[i] * b[i];

  return total;
}

void
ww_starts_turn (WwStarts *starts, gsize active, double *ret_along)
{
  gsize d = starts->d;

  for (gsize b = 0; b < active; b++)
    {
      gsize at = b * d;

      if (ret_along != NULL)
        ret_along[b] = dot (starts->gradient + at, starts->nudge + at, d);
      starts->ended[b] = !ww_conjugate_turn (&starts->conjugate[b], starts->nudge + at,
                                             starts->gradient + at, starts->last_gradient + at,
                                             starts->direction + at, d);
      if (starts->ended[b]) /* no direction, but a row that a product may read */
        memcpy (starts->direction + at, starts->nudge + at, d * sizeof (float));
    }
}

double
ww_starts_get_rise (const WwStarts *starts, gsize b)
{
  return dot (starts->gradient + b * starts->d, starts->direction + b * starts->d, starts->d);
}

void
ww_starts_note_best (const WwStarts *starts, gsize active, double *best, double *best_value)
{
  for (gsize b = 0; b < active; b++)
    if (starts->value[b] > *best_value)
      {
        *best_value = starts->value[b];
        for (gsize i = 0; i < starts->d; i++)
          best[i] = starts->nudge[b * starts->d + i];
      }
}

static void
move_floats (float *array, gsize size, gsize from, gsize to)
{
  memcpy (array + to * size, array + from * size, size * sizeof (float));
}

/* Start `to` takes over what start `from` has. The gradient is made anew before it is read. */
static void
move_start (WwStarts *starts, gsize from, gsize to)
{
  if (from == to)
    return;

  move_floats (starts->nudge, starts->d, from, to);
  move_floats (starts->direction, starts->d, from, to);
  move_floats (starts->last_gradient, starts->d, from, to);
  starts->value[to] = starts->value[from];
  starts->conjugate[to] = starts->conjugate[from];
  for (gsize r = 0; r < starts->n_rows; r++)
    {
      char *pieces = starts->rows[r].pieces;
      gsize size = starts->rows[r].size;

      memcpy (pieces + to * size, pieces + from * size, size);
    }
}

gsize
ww_starts_thin (WwStarts *starts, gsize active, gsize keep)
{
  gsize going = 0;

  for (gsize b = 0; b < active; b++)
    starts->ended[b] = starts->ended[b]
                       || ww_conjugate_is_duplicate (starts->nudge, starts->value, active, starts->d, b)
                       || ww_conjugate_rank (starts->value, active, b) >= keep;

  for (gsize b = 0; b < active; b++)
    if (!starts->ended[b])
      move_start (starts, b, going++);

  return going;
}
