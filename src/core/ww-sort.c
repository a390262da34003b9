#include "ww-sort.h"

/* Lets the item at `parent` fall to its place in the heap of the first `count`, largest on top. */
static void
sift_down (gsize *items, gsize parent, gsize count, GCompareDataFunc compare, gpointer user_data)
{
  gsize item = items[parent];

  for (gsize child = 2 * parent + 1; child < count; child = 2 * parent + 1)
    {
      if (child + 1 < count && compare (&items[child], &items[child + 1], user_data) < 0)
        child++;
      if (compare (&item, &items[child], user_data) >= 0)
        break;
      items[parent] = items[child];
      parent = child;
    }
  items[parent] = item;
}

void
ww_sort (gsize *items, gsize count, GCompareDataFunc compare, gpointer user_data)
{
  for (gsize parent = count / 2; parent-- > 0;)
    sift_down (items, parent, count, compare, user_data);
  for (gsize last = count; last-- > 1;)
    {
      gsize largest = items[0];

      items[0] = items[last];
      items[last] = largest;
      sift_down (items, 0, last, compare, user_data);
    }
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const double *values = user_data;
  gsize i = *(const gsize *) a, k = *(const gsize *) b;

  if (values[i] != values[k])
    return values[i] > values[k] ? -1 : 1;
  return i < k ? -1 : i > k;
}

void
ww_sort_places (gsize *places, gsize count, const double *values)
{
  ww_sort (places, count, compare_places, (gpointer) values);
}
