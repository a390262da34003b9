/* Sorting numbers of things in place. The sorts of GLib and of the C library allocate where there is much
 * to sort, which a search must not. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Heap sort, O(count log count). `compare` gets pointers to two of the items, as for g_qsort_with_data, and
 * should leave no ties, since these come in any order. */
void ww_sort (gsize *items, gsize count, GCompareDataFunc compare, gpointer user_data);

/* Items are places in `values`: the largest value first, the lower place first of equal ones. */
void ww_sort_places (gsize *places, gsize count, const double *values);

G_END_DECLS
