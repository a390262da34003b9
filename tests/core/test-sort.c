/* The sort that allocates nothing. */
#include "test-util.h"
#include "ww-sort.h"

static int
compare (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const double *values = user_data;
  gsize i = *(const gsize *) a, k = *(const gsize *) b;

  if (values[i] != values[k])
    return values[i] > values[k] ? -1 : 1;
  return i < k ? -1 : i > k;
}

/* Every count up to some hundred, with ties: in order, and each item still there. */
static void
test_order (void)
{
  enum { MOST = 300 };
  gsize items[MOST + 1], places[MOST];
  double values[MOST];

  for (gsize count = 0; count <= MOST; count++)
    {
      gsize sum = 0;

      ww_random_normal (count, WW_PURPOSE_STARTS, 0, 0, MOST, 3, values);
      for (gsize i = 0; i < count; i++)
        {
          values[i] = floor (values[i]);
          items[i] = places[i] = i;
        }
      items[count] = 12345;
      ww_sort (items, count, compare, values);
      ww_sort_places (places, count, values);
      g_assert_cmpmem (places, count * sizeof (gsize), items, count * sizeof (gsize));

      for (gsize i = 0; i < count; i++)
        {
          sum += items[i];
          if (i > 0)
            g_assert_cmpint (compare (&items[i - 1], &items[i], values), <, 0);
        }
      g_assert_cmpuint (sum, ==, count * (count - (count > 0)) / 2);
      g_assert_cmpuint (items[count], ==, 12345);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/sort/order", test_order);

  return g_test_run ();
}
