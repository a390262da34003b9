#include "ww-point-store.h"

#include <math.h>

/* What a point depends on beside its map, n and trial. */
typedef struct
{
  guint64 context_serial; /* 0: synthetic contexts */
  gsize d;
  guint normalisation, effort, features;
  guint64 seed;
  double radius;
  gboolean token_all;
} Origin;

struct _WwPointStore
{
  Origin origin;
  guint depth, width; /* of the points of DRF */
  guint bound;        /* WwSweepBound of the upper bounds that there are */
  GArray *points;     /* of WwCurvePoint */
  GHashTable *places; /* key -> place in points */
};

gsize
ww_point_get_key (const WwCurvePoint *point)
{
  return ((gsize) point->trial * (WW_MAX_ROWS + 1) + point->n) * WW_N_MAPS + (gsize) point->map;
}

WwPointStore *
ww_point_store_new (void)
{
  WwPointStore *store = g_new0 (WwPointStore, 1);

  store->points = g_array_new (FALSE, FALSE, sizeof (WwCurvePoint));
  store->places = g_hash_table_new (NULL, NULL);

  return store;
}

void
ww_point_store_free (WwPointStore *store)
{
  if (store == NULL)
    return;

  g_array_unref (store->points);
  g_hash_table_unref (store->places);
  g_free (store);
}

void
ww_point_store_clear (WwPointStore *store)
{
  g_array_set_size (store->points, 0);
  g_hash_table_remove_all (store->places);
}

static WwCurvePoint *
get_point (const WwPointStore *store, guint place)
{
  return &g_array_index (store->points, WwCurvePoint, place);
}

static gboolean
same_origin (const Origin *a, const Origin *b)
{
  return a->context_serial == b->context_serial && a->d == b->d
         && a->normalisation == b->normalisation && a->effort == b->effort
         && a->features == b->features && a->seed == b->seed && a->radius == b->radius
         && a->token_all == b->token_all;
}

static void
forget_map (WwPointStore *store, WwMap map)
{
  g_autoptr (GArray) old = g_steal_pointer (&store->points);

  store->points = g_array_new (FALSE, FALSE, sizeof (WwCurvePoint));
  g_hash_table_remove_all (store->places);
  for (guint i = 0; i < old->len; i++)
    if (g_array_index (old, WwCurvePoint, i).map != map)
      ww_point_store_add (store, &g_array_index (old, WwCurvePoint, i));
}

void
ww_point_store_prepare (WwPointStore *store, const WwInputs *inputs, guint64 context_serial)
{
  Origin origin = {
    .context_serial = inputs->synthetic ? 0 : context_serial,
    .d = ww_inputs_get_d (inputs),
    .normalisation = inputs->synthetic ? WW_NORMALISATION_PAPER : inputs->normalisation,
    .effort = inputs->effort,
    .features = inputs->features,
    .seed = inputs->seed,
    .radius = inputs->radius,
    .token_all = inputs->token_all,
  };

  if (!same_origin (&store->origin, &origin))
    ww_point_store_clear (store);
  store->origin = origin;

  if (store->depth != inputs->depth || store->width != inputs->width)
    forget_map (store, WW_MAP_DRF);
  store->depth = inputs->depth;
  store->width = inputs->width;

  /* Bounds that are not asked for now may be again; those of another kind may not be mixed in. */
  if (inputs->bound == WW_SWEEP_BOUND_NONE || inputs->bound == store->bound)
    return;
  for (guint i = 0; i < store->points->len; i++)
    get_point (store, i)->upper_bound = NAN;
  store->bound = inputs->bound;
}

void
ww_point_store_add (WwPointStore *store, const WwCurvePoint *point)
{
  gpointer key = GSIZE_TO_POINTER (ww_point_get_key (point));
  gpointer place;

  if (g_hash_table_lookup_extended (store->places, key, NULL, &place))
    {
      *get_point (store, GPOINTER_TO_UINT (place)) = *point;
      return;
    }

  g_hash_table_insert (store->places, key, GUINT_TO_POINTER (store->points->len));
  g_array_append_val (store->points, *point);
}

static gboolean
is_asked_for (const WwCurvePoint *point, const WwInputs *inputs, const gsize *lengths,
              gsize n_lengths)
{
  gsize first = 0, end = n_lengths;

  if ((inputs->maps >> point->map & 1) == 0 || point->trial >= inputs->trials)
    return FALSE;

  while (first < end)
    {
      gsize middle = first + (end - first) / 2;

      if (lengths[middle] < point->n)
        first = middle + 1;
      else
        end = middle;
    }

  return first < n_lengths && lengths[first] == point->n;
}

GArray *
ww_point_store_select (const WwPointStore *store, const WwInputs *inputs, const gsize *lengths,
                       gsize n_lengths)
{
  GArray *selected = g_array_new (FALSE, FALSE, sizeof (WwCurvePoint));

  for (guint i = 0; i < store->points->len; i++)
    {
      WwCurvePoint point = *get_point (store, i);

      if (!is_asked_for (&point, inputs, lengths, n_lengths))
        continue;
      if (inputs->bound == WW_SWEEP_BOUND_NONE)
        point.upper_bound = NAN;
      g_array_append_val (selected, point);
    }

  return selected;
}
