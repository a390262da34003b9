#include "ww-curve.h"

#include <math.h>

static int
compare_points (gconstpointer first, gconstpointer second)
{
  const WwCurvePoint *a = *(const WwCurvePoint *const *) first;
  const WwCurvePoint *b = *(const WwCurvePoint *const *) second;

  if (a->n != b->n)
    return a->n < b->n ? -1 : 1;
  if (a->ws != b->ws)
    return a->ws < b->ws ? -1 : 1;
  return 0;
}

/* The median of what is predicted of the points in a group, those left out of which nothing is; by insertion,
 * as trials are few and mostly in order already. */
static double
median_predicted (const WwCurvePoint *const *points, gsize count)
{
  g_autofree double *values = g_new (double, count);
  gsize n = 0;

  for (gsize i = 0; i < count; i++)
    {
      double value = points[i]->predicted;

      if (isfinite (value) && value > 0)
        {
          gsize place = n++;

          for (; place > 0 && values[place - 1] > value; place--)
            values[place] = values[place - 1];
          values[place] = value;
        }
    }

  return n > 0 ? (values[(n - 1) / 2] + values[n / 2]) / 2 : NAN;
}

/* What is below the found value, as 0 in a point that was never bounded, or infinite certifies nothing. */
static gboolean
has_bound (const WwCurvePoint *point)
{
  return isfinite (point->upper_bound) && point->upper_bound >= point->ws;
}

/* What none of the trials in a group exceeds: the largest of their bounds, and nothing where one of them has
 * none, since the bound of one trial's weights says nothing about those of another. */
static double
largest_bound (const WwCurvePoint *const *points, gsize count)
{
  double largest = 0;

  for (gsize i = 0; i < count; i++)
    {
      if (!has_bound (points[i]))
        return NAN;
      largest = fmax (largest, points[i]->upper_bound);
    }

  return largest;
}

/* The quantile `q` of `count` points in ascending order of ws: linear between the order statistics
 * around position q (count - 1). */
static double
quantile (const WwCurvePoint *const *points, gsize count, double q)
{
  double position = q * (double) (count - 1);
  gsize below = (gsize) position;
  gsize above = MIN (below + 1, count - 1);
  double part = position - (double) below;

  return points[below]->ws + part * (points[above]->ws - points[below]->ws);
}

gsize
ww_curve_count_undefined (const WwCurvePoint *points, gsize n_points, WwMap map, gsize *ret_n)
{
  gsize n = 0, undefined = 0;

  g_return_val_if_fail (points != NULL || n_points == 0, 0);

  for (gsize i = 0; i < n_points; i++)
    if (points[i].map == map)
      {
        n++;
        undefined += isnan (points[i].ws);
      }

  if (ret_n != NULL)
    *ret_n = n;
  return undefined;
}

gsize
ww_curve_count_bounded (const WwCurvePoint *points, gsize n_points, WwMap map, gsize *ret_n)
{
  gsize n = 0, bounded = 0;

  g_return_val_if_fail (points != NULL || n_points == 0, 0);

  for (gsize i = 0; i < n_points; i++)
    if (points[i].map == map && !isnan (points[i].ws))
      {
        n++;
        bounded += has_bound (&points[i]);
      }

  if (ret_n != NULL)
    *ret_n = n;
  return bounded;
}

GArray *
ww_curve_summarise (const WwCurvePoint *points, gsize n_points, WwMap map, gsize d)
{
  GArray *summaries = g_array_new (FALSE, FALSE, sizeof (WwCurveSummary));
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();

  g_return_val_if_fail (points != NULL || n_points == 0, summaries);

  /* What is undefined has no place in an order, and says nothing about the trials that are defined. */
  for (gsize i = 0; i < n_points; i++)
    if (points[i].map == map && points[i].d == d && isfinite (points[i].ws))
      g_ptr_array_add (chosen, (gpointer) &points[i]);
  g_ptr_array_sort (chosen, compare_points);

  for (guint begin = 0, end; begin < chosen->len; begin = end)
    {
      const WwCurvePoint *const *group = (const WwCurvePoint *const *) chosen->pdata + begin;
      WwCurveSummary summary = { .n = group[0]->n };

      for (end = begin; end < chosen->len && group[end - begin]->n == summary.n; end++)
        summary.trials++;

      summary.median = quantile (group, summary.trials, 0.5);
      summary.lower = quantile (group, summary.trials, 0.25);
      summary.upper = quantile (group, summary.trials, 0.75);
      summary.upper_bound = largest_bound (group, summary.trials);
      summary.predicted = median_predicted (group, summary.trials);
      g_array_append_val (summaries, summary);
    }

  return summaries;
}

gboolean
ww_curve_fit_exponent (const WwCurveSummary *summaries, gsize n_summaries, double *ret_exponent)
{
  double mean_x = 0, mean_y = 0, sum_xx = 0, sum_xy = 0;

  g_return_val_if_fail (summaries != NULL || n_summaries == 0, FALSE);
  g_return_val_if_fail (ret_exponent != NULL, FALSE);

  for (gsize i = 0; i < n_summaries; i++)
    {
      if (summaries[i].n == 0 || !isfinite (summaries[i].median) || summaries[i].median <= 0)
        return FALSE;

      mean_x += log ((double) summaries[i].n) / (double) n_summaries;
      mean_y += log (summaries[i].median) / (double) n_summaries;
    }

  for (gsize i = 0; i < n_summaries; i++)
    {
      double x = log ((double) summaries[i].n) - mean_x;

      sum_xx += x * x;
      sum_xy += x * (log (summaries[i].median) - mean_y);
    }

  /* Distinct lengths up to WW_MAX_ROWS differ by more than 1e-5 in log n; equal ones by rounding. */
  if (n_summaries < 2 || sum_xx < 1e-12)
    return FALSE;

  *ret_exponent = sum_xy / sum_xx;
  return TRUE;
}

GArray *
ww_curve_spaced_lengths (gsize first, gsize last, gsize count)
{
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (gsize));

  g_return_val_if_fail (first >= 1 && last >= first && last <= WW_MAX_ROWS, lengths);
  g_return_val_if_fail (count >= 1, lengths);

  /* More points than there are integers add none. */
  count = MIN (count, 4 * (gsize) WW_MAX_ROWS);
  for (gsize i = 0; i < count; i++)
    {
      double part = count == 1 ? 0 : (double) i / (double) (count - 1);
      double exact = (double) first * pow ((double) last / (double) first, part);
      gsize length = i + 1 == count && count > 1 ? last : (gsize) (exact + 0.5);

      length = CLAMP (length, first, last);
      if (lengths->len == 0 || g_array_index (lengths, gsize, lengths->len - 1) < length)
        g_array_append_val (lengths, length);
    }

  return lengths;
}
