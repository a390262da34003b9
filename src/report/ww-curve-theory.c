#include "ww-curve-theory.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define FINE_POINTS 129 /* smooth on paper at any size */

static void
law_free (WwCurveLaw *law)
{
  g_free (law->label);
  g_free (law->n);
  g_free (law->ws);
  g_free (law);
}

static int
compare_numbers (gconstpointer first, gconstpointer second)
{
  double a = *(const double *) first;
  double b = *(const double *) second;

  return (a > b) - (a < b);
}

/* Every n that was asked for or measured: ascending doubles, without repeats. */
static GArray *
collect_lengths (const WwCurveReport *report)
{
  const WwProvenance *provenance = report->provenance;
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (double));
  guint kept = 0;

  for (gsize i = 0; i < provenance->n_lengths + report->n_points; i++)
    {
      double n = i < provenance->n_lengths ? (double) provenance->lengths[i]
                                           : (double) report->points[i - provenance->n_lengths].n;

      if (n >= 1)
        g_array_append_val (lengths, n);
    }

  g_array_sort (lengths, compare_numbers);
  for (guint i = 0; i < lengths->len; i++)
    if (i == 0 || g_array_index (lengths, double, i) > g_array_index (lengths, double, kept - 1))
      g_array_index (lengths, double, kept++) = g_array_index (lengths, double, i);
  g_array_set_size (lengths, kept);

  return lengths;
}

/* Evenly spaced in log n from the first length to the last, ends exact. */
static GArray *
refine (const GArray *lengths)
{
  GArray *fine = g_array_new (FALSE, FALSE, sizeof (double));
  double first = g_array_index (lengths, double, 0);
  double last = g_array_index (lengths, double, lengths->len - 1);

  for (guint i = 0; i < FINE_POINTS; i++)
    {
      double n = i == FINE_POINTS - 1 ? last : first * pow (last / first, (double) i / (FINE_POINTS - 1));

      g_array_append_val (fine, n);
    }

  return fine;
}

static gboolean
d2_holds (const WwProvenance *provenance, double d, double n)
{
  return ww_theory_drf_finite_holds (n, provenance->radius, d, (double) provenance->width, provenance->depth);
}

/* A closed form that is wanted; NaN where D2 does not hold. */
static double
evaluate (const WwProvenance *provenance, WwLaw law, WwMap map, double d, double n)
{
  double k = provenance->features != 0 ? (double) provenance->features : n * d;
  double radius = provenance->radius;

  if (law == WW_LAW_INFINITE)
    return map == WW_MAP_RF ? ww_theory_rf_infinite (n, radius)
                            : ww_theory_drf_infinite (n, radius, provenance->depth);
  if (law == WW_LAW_EDGE)
    return ww_theory_rf_edge (n, radius, d, k);

  if (map == WW_MAP_RF)
    return ww_theory_rf_finite (n, radius, d, k);
  return d2_holds (provenance, d, n)
           ? ww_theory_drf_finite (n, radius, d, (double) provenance->width, provenance->depth)
           : NAN;
}

/* Whether `report` asks for the law, and the law says something about the map as it was measured. The closed
 * forms are those of rows of norm sqrt (d). At infinite width all tokens are equally sensitive; at a finite one
 * the largest over tokens exceeds the law of a token that was not chosen for it. DRF needs its depth and width,
 * which a caller of old does not know. */
static gboolean
is_wanted (const WwCurveReport *report, WwLaw law, WwMap map)
{
  const WwProvenance *provenance = report->provenance;

  if ((report->laws & WW_LAW_BIT (law)) == 0 || !ww_law_applies (law, map))
    return FALSE;
  if (law == WW_LAW_WEIGHTS)
    return TRUE;
  if (provenance->normalisation == WW_NORMALISATION_NONE
      || (law != WW_LAW_INFINITE && provenance->token == WW_TOKEN_ALL))
    return FALSE;

  return map == WW_MAP_RF || (provenance->depth > 0 && provenance->width > 0);
}

double
ww_curve_theory_evaluate (const WwCurveReport *report, WwLaw law, const WwCurvePoint *point)
{
  g_return_val_if_fail (report != NULL && point != NULL, NAN);

  if (!is_wanted (report, law, point->map))
    return NAN;
  if (law == WW_LAW_WEIGHTS)
    return point->predicted > 0 ? point->predicted : NAN;

  return evaluate (report->provenance, law, point->map, (double) point->d, (double) point->n);
}

const char *
ww_curve_theory_get_formula (WwLaw law, WwMap map)
{
  static const char *const formulas[WW_N_LAWS] = { "S_inf", "F1", "F2", "F3" };

  g_return_val_if_fail ((guint) law < WW_N_LAWS, NULL);

  return law == WW_LAW_FINITE && map == WW_MAP_DRF ? "D2" : formulas[law];
}

static gboolean
is_approximate (const WwCurveReport *report, WwLaw law, WwMap map)
{
  return law == WW_LAW_FINITE && map == WW_MAP_DRF && report->provenance->depth > WW_D2_CLOSE_DEPTH;
}

char *
ww_curve_theory_describe_gaps (const WwCurveReport *report)
{
  const WwProvenance *provenance = report->provenance;
  g_autoptr (GArray) lengths = collect_lengths (report);
  g_autoptr (GArray) dims = ww_curve_report_collect_dims (report);
  double least = ww_theory_drf_finite_least_n (provenance->radius, provenance->depth);
  guint gaps = 0;

  if (lengths->len == 0 || !is_wanted (report, WW_LAW_FINITE, WW_MAP_DRF)
      || !ww_curve_report_has_map (report, WW_MAP_DRF) || report->hidden[WW_MAP_DRF])
    return NULL;
  if (provenance->depth > WW_D2_LAST_DEPTH)
    return g_strdup_printf (_("D2 is left out: it is known to hold up to %u layers"), WW_D2_LAST_DEPTH);

  for (guint i = 0; i < dims->len; i++)
    gaps += !d2_holds (provenance, (double) g_array_index (dims, gsize, i), INFINITY);
  if (gaps > 0)
    return g_strdup (_("D2 is left out where the layers are less than twice as wide as d"));
  if (!d2_holds (provenance, 1, g_array_index (lengths, double, 0)))
    return g_strdup_printf (_("D2 is left out below n = %.0f, where it does not hold"), ceil (least));

  return NULL;
}

guint
ww_curve_theory_get_dashes (WwLaw law)
{
  static const guint dashes[WW_N_LAWS] = { 4, 3, 1, 5 };

  g_return_val_if_fail ((guint) law < WW_N_LAWS, 1);

  return dashes[law];
}

char *
ww_curve_theory_name_key (const GPtrArray *laws, WwLaw law)
{
  gboolean rf = FALSE, drf = FALSE, approximate = FALSE;

  for (guint i = 0; i < laws->len; i++)
    {
      const WwCurveLaw *line = g_ptr_array_index (laws, i);

      if (line->law != law)
        continue;
      rf |= line->map == WW_MAP_RF;
      drf |= line->map == WW_MAP_DRF;
      approximate |= line->approximate;
    }

  switch (law)
    {
    case WW_LAW_INFINITE:
      /* Translators: a dashed line of the figure, in its legend. */
      return g_strdup (_("theory, infinite width"));
    case WW_LAW_EDGE:
      /* Translators: F1 and the like are the names of formulas. */
      return g_strdup (_("theory F1, finite width to first order"));
    case WW_LAW_WEIGHTS:
      return g_strdup (_("theory F3, the weights of each trial"));
    case WW_LAW_FINITE:
    default:
      if (!rf || !drf)
        return g_strdup (!drf           ? _("theory F2, finite width")
                         : !approximate ? _("theory D2, finite width")
                                        : _("theory D2, finite width, approximate"));
      return g_strdup (approximate ? _("theory F2, D2 (approximate)")
                                   : _("theory F2 and D2, finite width"));
    }
}

/* "RF, infinite width"; "RF, k = 4096 (F1)", with the d where a figure has several. */
static char *
make_label (const WwCurveReport *report, const WwCurveLaw *law, gboolean several_dims)
{
  g_autofree char *name = ww_curve_report_name_map (report, law->map);
  g_autofree char *width = NULL;
  g_autofree char *dims = NULL;
  gsize k = law->map == WW_MAP_RF ? report->provenance->features : report->provenance->width;

  if (law->law == WW_LAW_INFINITE)
    /* Translators: %s is the name of a map, as "RF". */
    return g_strdup_printf (_("%s, infinite width"), name);

  width = k != 0 ? g_strdup_printf ("k = %" G_GSIZE_FORMAT, k) : g_strdup ("k = n d");
  dims = several_dims ? g_strdup_printf (", d = %" G_GSIZE_FORMAT, law->d) : g_strdup ("");
  if (law->approximate)
    /* Translators: the name of a map, its width (and d), the name of a formula. */
    return g_strdup_printf (_("%s, %s%s (%s, approximate)"), name, width, dims,
                            ww_curve_theory_get_formula (law->law, law->map));
  return g_strdup_printf ("%s, %s%s (%s)", name, width, dims, ww_curve_theory_get_formula (law->law, law->map));
}

static WwCurveLaw *
law_new (const WwCurveReport *report, WwLaw law, WwMap map, gsize d, gboolean several_dims, gsize room)
{
  WwCurveLaw *line = g_new0 (WwCurveLaw, 1);

  line->map = map;
  line->law = law;
  line->d = d;
  line->approximate = is_approximate (report, law, map);
  line->label = make_label (report, line, several_dims);
  line->n = g_new (double, room + 1);
  line->ws = g_new (double, room + 1);
  return line;
}

static void
add_closed_form (GPtrArray *laws, const WwCurveReport *report, WwLaw law, WwMap map, gsize d,
                 gboolean several_dims, const GArray *lengths)
{
  WwCurveLaw *line = law_new (report, law, map, d, several_dims, lengths->len);
  gboolean any = FALSE;

  line->n_points = lengths->len;
  for (guint i = 0; i < lengths->len; i++)
    {
      line->n[i] = g_array_index (lengths, double, i);
      line->ws[i] = evaluate (report->provenance, law, map, (double) d, line->n[i]);
      any |= isfinite (line->ws[i]);
    }

  /* What says nothing at any n needs no place in a legend. */
  if (any)
    g_ptr_array_add (laws, line);
  else
    law_free (line);
}

/* What the weights of the trials predict, summarised as what was found is. */
static void
add_predictions (GPtrArray *laws, const WwCurveReport *report, WwMap map, gsize d, gboolean several_dims)
{
  g_autoptr (GArray) summaries = ww_curve_summarise (report->points, report->n_points, map, d);
  WwCurveLaw *line = law_new (report, WW_LAW_WEIGHTS, map, d, several_dims, summaries->len);

  for (guint i = 0; i < summaries->len; i++)
    {
      const WwCurveSummary *summary = &g_array_index (summaries, WwCurveSummary, i);

      if (isnan (summary->predicted))
        continue;
      line->n[line->n_points] = (double) summary->n;
      line->ws[line->n_points++] = summary->predicted;
    }

  g_ptr_array_add (laws, line);
}

static void
add_law (GPtrArray *laws, const WwCurveReport *report, WwLaw law, WwMap map, const GArray *dims,
         const GArray *lengths)
{
  if (law == WW_LAW_INFINITE)
    {
      add_closed_form (laws, report, law, map, 0, FALSE, lengths);
      return;
    }

  for (guint i = 0; i < dims->len; i++)
    if (law == WW_LAW_WEIGHTS)
      add_predictions (laws, report, map, g_array_index (dims, gsize, i), dims->len > 1);
    else
      add_closed_form (laws, report, law, map, g_array_index (dims, gsize, i), dims->len > 1, lengths);
}

GPtrArray *
ww_curve_theory_collect (const WwCurveReport *report, gboolean finely)
{
  GPtrArray *laws = g_ptr_array_new_with_free_func ((GDestroyNotify) law_free);
  g_autoptr (GArray) lengths = collect_lengths (report);
  g_autoptr (GArray) dims = ww_curve_report_collect_dims (report);

  if (report->laws == 0 || lengths->len == 0)
    return laws;

  if (finely && lengths->len > 1)
    {
      GArray *fine = refine (lengths);

      g_array_unref (lengths);
      lengths = fine;
    }

  for (guint law = 0; law < WW_N_LAWS; law++)
    for (guint map = 0; map < WW_N_MAPS; map++)
      if (ww_curve_report_has_map (report, map) && is_wanted (report, law, map))
        add_law (laws, report, law, map, dims, lengths);

  return laws;
}
