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

static double
evaluate (const WwCurveReport *report, const WwCurveLaw *law, double n)
{
  const WwProvenance *provenance = report->provenance;
  double d = (double) law->d;
  double k = provenance->features != 0 ? (double) provenance->features : n * d;

  if (law->map == WW_MAP_RF)
    return law->finite ? ww_theory_rf_finite (n, provenance->radius, d, k)
                       : ww_theory_rf_infinite (n, provenance->radius);

  return law->finite ? ww_theory_drf_finite (n, provenance->radius, d, (double) provenance->width,
                                             provenance->depth)
                     : ww_theory_drf_infinite (n, provenance->radius, provenance->depth);
}

/* "RF, infinite width"; "RF, k = 4096 (theory)", with the d where a figure has several. */
static char *
make_label (const WwCurveReport *report, const WwCurveLaw *law, gboolean several_dims)
{
  g_autofree char *name = ww_curve_report_name_map (report, law->map);
  g_autofree char *width = NULL;
  g_autofree char *dims = NULL;
  gsize k = law->map == WW_MAP_RF ? report->provenance->features : report->provenance->width;

  if (!law->finite)
    /* Translators: %s is the name of a map, as "RF". A line of the legend. */
    return g_strdup_printf (_("%s, infinite width"), name);

  width = k != 0 ? g_strdup_printf ("k = %" G_GSIZE_FORMAT, k) : g_strdup ("k = n d");
  dims = several_dims ? g_strdup_printf (", d = %" G_GSIZE_FORMAT, law->d) : g_strdup ("");
  /* Translators: "RF, k = 4096 (theory)" or "RF, k = 4096, d = 384 (theory)". A line of the legend. */
  return g_strdup_printf (_("%s, %s%s (theory)"), name, width, dims);
}

static void
add_law (GPtrArray *laws, const WwCurveReport *report, WwMap map, gboolean finite, gsize d,
         gboolean several_dims, const GArray *lengths)
{
  WwCurveLaw *law = g_new0 (WwCurveLaw, 1);

  law->map = map;
  law->finite = finite;
  law->d = d;
  law->label = make_label (report, law, several_dims);
  law->n_points = lengths->len;
  law->n = g_new (double, lengths->len);
  law->ws = g_new (double, lengths->len);
  for (guint i = 0; i < lengths->len; i++)
    {
      law->n[i] = g_array_index (lengths, double, i);
      law->ws[i] = evaluate (report, law, law->n[i]);
    }

  g_ptr_array_add (laws, law);
}

/* DRF needs its depth and width, which a caller of old does not know. */
static gboolean
has_laws (const WwCurveReport *report, WwMap map)
{
  const WwProvenance *provenance = report->provenance;

  if (!ww_curve_report_has_map (report, map))
    return FALSE;

  return map == WW_MAP_RF || (map == WW_MAP_DRF && provenance->depth > 0 && provenance->width > 0);
}

GPtrArray *
ww_curve_theory_collect (const WwCurveReport *report, gboolean finely)
{
  const WwProvenance *provenance = report->provenance;
  GPtrArray *laws = g_ptr_array_new_with_free_func ((GDestroyNotify) law_free);
  g_autoptr (GArray) lengths = collect_lengths (report);
  g_autoptr (GArray) dims = ww_curve_report_collect_dims (report);

  /* The closed forms are those of rows of norm sqrt (d). */
  if (!report->theory || lengths->len == 0 || provenance->normalisation == WW_NORMALISATION_NONE)
    return laws;

  if (finely && lengths->len > 1)
    {
      GArray *fine = refine (lengths);

      g_array_unref (lengths);
      lengths = fine;
    }

  for (guint map = 0; map < WW_N_MAPS; map++)
    {
      if (!has_laws (report, map))
        continue;

      add_law (laws, report, map, FALSE, 0, FALSE, lengths);

      /* At infinite width all tokens are equally sensitive; at a finite one the largest over tokens
       * exceeds the law of a token that was not chosen for it. */
      for (guint i = 0; i < dims->len && provenance->token != WW_TOKEN_ALL; i++)
        add_law (laws, report, map, TRUE, g_array_index (dims, gsize, i), dims->len > 1, lengths);
    }

  return laws;
}
