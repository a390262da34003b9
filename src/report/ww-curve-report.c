#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ww-number.h"
#include "ww-curve-bounds.h"
#include "ww-curve-theory.h"
#include "ww-curve-undefined.h"
#include "ww-report-private.h"

#define CSV_HEADER "map,d,n,k,trial,seed,token,ws,upper_bound,evaluations"

/* One line of the figure: a map at one d, with what is drawn of it. */
typedef struct
{
  WwMap map;
  gsize d;
  guint rank;   /* of d among those shown: the pattern of the line */
  guint trials; /* the largest number of trials behind any of its points */
  gboolean has_exponent;
  double exponent;
  char *label;
  gsize n;
  double *x, *median, *lower, *upper, *bound; /* n values each */
  gboolean has_bound; /* any */
  GArray *summaries;
} Line;

static void
line_free (Line *line)
{
  g_free (line->label);
  g_free (line->x);
  g_free (line->median);
  g_free (line->lower);
  g_free (line->upper);
  g_free (line->bound);
  g_clear_pointer (&line->summaries, g_array_unref);
  g_free (line);
}

static int
compare_points (gconstpointer first, gconstpointer second)
{
  const WwCurvePoint *a = first;
  const WwCurvePoint *b = second;

  if (a->map != b->map)
    return a->map < b->map ? -1 : 1;
  if (a->d != b->d)
    return a->d < b->d ? -1 : 1;
  if (a->n != b->n)
    return a->n < b->n ? -1 : 1;
  if (a->trial != b->trial)
    return a->trial < b->trial ? -1 : 1;
  return 0;
}

/* The points in the order in which they are written: they are measured in another one, which may
 * depend on the number of threads. */
static WwCurvePoint *
sort_points (const WwCurveReport *report)
{
  WwCurvePoint *points = g_memdup2 (report->points, report->n_points * sizeof (WwCurvePoint));

  if (points != NULL)
    qsort (points, report->n_points, sizeof (WwCurvePoint), compare_points);
  return points;
}

gboolean
ww_curve_report_has_map (const WwCurveReport *report, WwMap map)
{
  for (gsize i = 0; i < report->provenance->n_maps; i++)
    if (report->provenance->maps[i] == map)
      return TRUE;
  for (gsize i = 0; i < report->n_points; i++)
    if (report->points[i].map == map)
      return TRUE;

  return FALSE;
}

static void
add_distinct (GArray *values, gsize value)
{
  guint i = 0;

  while (i < values->len && g_array_index (values, gsize, i) < value)
    i++;
  if (i == values->len || g_array_index (values, gsize, i) != value)
    g_array_insert_val (values, i, value);
}

GArray *
ww_curve_report_collect_dims (const WwCurveReport *report)
{
  GArray *dims = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (gsize i = 0; i < report->provenance->n_dims; i++)
    add_distinct (dims, report->provenance->dims[i]);
  for (gsize i = 0; i < report->n_points; i++)
    add_distinct (dims, report->points[i].d);

  return dims;
}

char *
ww_curve_report_name_map (const WwCurveReport *report, WwMap map)
{
  if (map != WW_MAP_DRF)
    return g_strdup (ww_map_get_name (map));

  /* Translators: DRF is the name of a map; depth is the number of its layers. */
  return g_strdup_printf (_("%s, depth %u"), ww_map_get_name (map), (guint) report->provenance->depth);
}

/* "RF: n^-0.50", or "RF, d = 384: n^-0.50" where a figure has more than one d. */
static char *
make_label (const WwCurveReport *report, const Line *line, gboolean several_dims)
{
  char exponent[WW_NUMBER_BUFFER_SIZE];
  g_autofree char *name = ww_curve_report_name_map (report, line->map);

  if (several_dims)
    {
      char *with_d = g_strdup_printf ("%s, d = %" G_GSIZE_FORMAT, name, line->d);

      g_free (name);
      name = with_d;
    }
  if (!line->has_exponent)
    return g_steal_pointer (&name);

  return g_strdup_printf ("%s: n^%s", name, ww_number_format_fixed (exponent, line->exponent, 2));
}

static Line *
line_new (const WwCurveReport *report, WwMap map, const GArray *dims, guint rank)
{
  Line *line = g_new0 (Line, 1);
  gsize d = g_array_index (dims, gsize, rank);

  line->map = map;
  line->d = d;
  line->rank = rank;
  line->summaries = ww_curve_summarise (report->points, report->n_points, map, d);
  line->n = line->summaries->len;
  line->x = g_new0 (double, line->n + 1);
  line->median = g_new0 (double, line->n + 1);
  line->lower = g_new0 (double, line->n + 1);
  line->upper = g_new0 (double, line->n + 1);
  line->bound = g_new0 (double, line->n + 1);

  for (gsize i = 0; i < line->n; i++)
    {
      const WwCurveSummary *summary = &g_array_index (line->summaries, WwCurveSummary, i);

      line->x[i] = (double) summary->n;
      line->median[i] = summary->median;
      line->lower[i] = summary->lower;
      line->upper[i] = summary->upper;
      line->bound[i] = summary->upper_bound;
      line->has_bound |= !isnan (summary->upper_bound);
      line->trials = MAX (line->trials, summary->trials);
    }

  line->has_exponent = ww_curve_fit_exponent ((const WwCurveSummary *) line->summaries->data, line->n,
                                              &line->exponent);
  line->label = make_label (report, line, dims->len > 1);
  return line;
}

/* The lines of the figure: by map, within a map by d. GPtrArray of Line. */
static GPtrArray *
collect_lines (const WwCurveReport *report)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func ((GDestroyNotify) line_free);
  g_autoptr (GArray) dims = ww_curve_report_collect_dims (report);

  for (guint map = 0; map < WW_N_MAPS; map++)
    for (guint i = 0; i < dims->len && ww_curve_report_has_map (report, map); i++)
      g_ptr_array_add (lines, line_new (report, map, dims, i));

  return lines;
}

static char *
make_band_note (GPtrArray *lines)
{
  guint trials = 0;

  for (guint i = 0; i < lines->len; i++)
    trials = MAX (trials, ((Line *) g_ptr_array_index (lines, i))->trials);

  if (trials == 0)
    return NULL;
  if (trials == 1)
    return g_strdup (_("one trial, no band"));

  return g_strdup_printf (ngettext ("band: inter-quartile range over %u trial",
                                    "band: inter-quartile range over %u trials", trials),
                          trials);
}

static void
take_part (GPtrArray *parts, char *part)
{
  if (part != NULL)
    g_ptr_array_add (parts, part);
}

/* What is drawn (the band, or that there is none; the lines of bounds), and what is not and why. NULL: nothing
 * to say. */
static char *
make_note (const WwCurveReport *report, GPtrArray *lines)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  gboolean has_bound = FALSE;

  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = g_ptr_array_index (lines, i);

      has_bound |= line->has_bound && !report->hidden[line->map];
    }

  take_part (parts, make_band_note (lines));
  take_part (parts, ww_curve_bounds_describe (report, has_bound));
  take_part (parts, ww_curve_theory_describe_gaps (report));
  take_part (parts, ww_curve_report_describe_undefined (report));
  if (parts->len == 0)
    return NULL;

  g_ptr_array_add (parts, NULL);
  return g_strjoinv ("; ", (char **) parts->pdata);
}

static char *
make_y_label (const WwProvenance *provenance)
{
  if (provenance->token == WW_TOKEN_ALL)
    return g_strdup (_("word sensitivity (largest over tokens)"));

  /* Translators: tokens are counted from 1 on screen. */
  return g_strdup_printf (_("word sensitivity (token %u)"), (guint) provenance->token + 1);
}

/* Whether all lines of the law that begin at `first` are of one map. */
static gboolean
is_of_one_map (GPtrArray *laws, guint first)
{
  const WwCurveLaw *law = g_ptr_array_index (laws, first);

  for (guint i = first + 1; i < laws->len; i++)
    {
      const WwCurveLaw *other = g_ptr_array_index (laws, i);

      if (other->law == law->law && other->map != law->map)
        return FALSE;
    }

  return TRUE;
}

/* The lines of theory have no entries of their own in the legend: one key a law, before its lines, stands for
 * those of all maps; in the colour of the map where there is but one. Returns how many series were added. */
static gsize
add_theory_series (const WwCurveReport *report, GPtrArray *laws, GPtrArray *keys, WwSeries *series)
{
  gsize n = 0, key = 0;

  for (guint i = 0; i < laws->len; i++)
    {
      const WwCurveLaw *law = g_ptr_array_index (laws, i);
      guint dashes = ww_curve_theory_get_dashes (law->law);

      if (i == 0 || ((WwCurveLaw *) g_ptr_array_index (laws, i - 1))->law != law->law)
        {
          key = n++;
          g_ptr_array_add (keys, ww_curve_theory_name_key (laws, law->law));
          series[key] = (WwSeries) {
            .label = keys->pdata[keys->len - 1], .colour = law->map, .dashed = dashes, .theory = TRUE,
            .ink = !is_of_one_map (laws, i)
          };
        }
      series[n] = (WwSeries) {
        .colour = law->map,
        .visible = !report->hidden[law->map],
        .dashed = dashes,
        .n_points = law->n_points,
        .x = law->n,
        .y = law->ws,
        .theory = TRUE,
      };
      series[key].visible |= series[n++].visible;
    }

  return n;
}

WwScene *
ww_curve_report_get_scene (const WwCurveReport *report, double width_pt, double height_pt,
                           const WwPlotStyle *style, WwCurvesLayout *ret_layout)
{
  g_return_val_if_fail (report != NULL && report->provenance != NULL, NULL);
  g_return_val_if_fail (report->points != NULL || report->n_points == 0, NULL);

  g_autoptr (GPtrArray) lines = collect_lines (report);
  g_autoptr (GPtrArray) laws = ww_curve_theory_collect (report, TRUE);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autofree WwSeries *series = g_new0 (WwSeries, lines->len + 2 * laws->len + 1);
  g_autofree char *note = make_note (report, lines);
  g_autofree char *notice = ww_curve_report_describe_undefined (report);
  g_autofree char *y_label = make_y_label (report->provenance);

  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = g_ptr_array_index (lines, i);

      /* The palette index is the map, so that a map has one colour in every figure. */
      series[i] = (WwSeries) {
        .label = line->label,
        .colour = line->map,
        .visible = !report->hidden[line->map],
        .dashed = line->rank,
        .n_points = line->n,
        .x = line->x,
        .y = line->median,
        .lower = line->trials > 1 ? line->lower : NULL,
        .upper = line->trials > 1 ? line->upper : NULL,
        .bound = line->has_bound ? line->bound : NULL,
      };
    }

  WwCurvesFigure figure = {
    .title = report->title,
    .x_label = _("context length n"),
    .y_label = y_label,
    .note = note,
    .notice = notice,
    .x_log = report->x_log,
    .y_log = report->y_log,
    .x_integers = TRUE,
    .x_min = NAN,
    .x_max = NAN,
    /* A linear axis starts at zero, so that heights compare as the values do. */
    .y_min = report->y_log ? NAN : 0,
    .y_max = NAN,
    .series = series,
    .n_series = lines->len + add_theory_series (report, laws, keys, series + lines->len),
    .legend = TRUE,
  };

  return ww_curves_figure_layout (&figure, width_pt, height_pt, style, ret_layout);
}

char *
ww_curve_report_to_csv (const WwCurveReport *report)
{
  g_return_val_if_fail (report != NULL && report->provenance != NULL, NULL);
  g_return_val_if_fail (report->points != NULL || report->n_points == 0, NULL);

  g_autofree WwCurvePoint *points = sort_points (report);
  g_autofree char *comment = ww_provenance_to_csv_comment (report->provenance);
  g_autofree char *bounds = ww_curve_bounds_get_fact (report);
  GString *csv = g_string_new (comment);

  if (bounds != NULL)
    g_string_append_printf (csv, "# %s\n", bounds);
  g_string_append (csv, CSV_HEADER);
  for (guint law = 0; law < WW_N_LAWS; law++)
    if (report->laws & WW_LAW_BIT (law))
      g_string_append_printf (csv, ",theory_%s", ww_law_get_id (law));
  g_string_append_c (csv, '\n');
  for (gsize i = 0; i < report->n_points; i++)
    {
      const WwCurvePoint *point = &points[i];

      /* k is 0 for the attention maps, which have none. */
      g_string_append_printf (csv, "%s,%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT ",",
                              ww_map_get_id (point->map), point->d, point->n, point->k);
      g_string_append_printf (csv, "%u,%" G_GUINT64_FORMAT ",", point->trial, point->seed);
      /* Where all tokens were to be searched and nothing is defined, none of them is the largest. */
      if (point->token != WW_TOKEN_ALL)
        g_string_append_printf (csv, "%" G_GSIZE_FORMAT, point->token);
      g_string_append_c (csv, ',');
      ww_report_append_csv_number (csv, point->ws);
      g_string_append_c (csv, ',');
      ww_report_append_csv_number (csv, point->upper_bound);
      g_string_append_printf (csv, ",%" G_GUINT64_FORMAT, point->evaluations);
      for (guint law = 0; law < WW_N_LAWS; law++)
        if (report->laws & WW_LAW_BIT (law))
          {
            g_string_append_c (csv, ',');
            ww_report_append_csv_number (csv, ww_curve_theory_evaluate (report, law, point));
          }
      g_string_append_c (csv, '\n');
    }

  return g_string_free (csv, FALSE);
}

static void
add_point (WwJson *json, const WwCurveReport *report, const WwCurvePoint *point)
{
  ww_json_begin_object (json, NULL);
  ww_json_add_string (json, "map", ww_map_get_id (point->map));
  ww_json_add_integer (json, "d", point->d);
  ww_json_add_integer (json, "n", point->n);
  ww_json_add_integer (json, "k", point->k);
  ww_json_add_integer (json, "trial", point->trial);
  ww_json_add_integer (json, "seed", point->seed);
  if (point->token != WW_TOKEN_ALL)
    ww_json_add_integer (json, "token", point->token);
  else
    ww_json_add_null (json, "token");
  ww_json_add_number (json, "ws", point->ws);
  ww_json_add_number (json, "upper_bound", point->upper_bound);
  ww_json_add_integer (json, "evaluations", point->evaluations);
  if (report->laws & WW_LAW_BIT (WW_LAW_WEIGHTS))
    ww_json_add_number (json, "predicted", ww_curve_theory_evaluate (report, WW_LAW_WEIGHTS, point));
  ww_json_end_object (json);
}

/* A line of the figure as it is drawn: medians, quartiles and the exponent in its legend entry. */
static void
add_line (WwJson *json, const Line *line)
{
  ww_json_begin_object (json, NULL);
  ww_json_add_string (json, "map", ww_map_get_id (line->map));
  ww_json_add_integer (json, "d", line->d);
  ww_json_add_number (json, "exponent", line->has_exponent ? line->exponent : NAN);
  ww_json_add_numbers (json, "n", line->x, line->n);
  ww_json_add_numbers (json, "median", line->median, line->n);
  ww_json_add_numbers (json, "lower_quartile", line->lower, line->n);
  ww_json_add_numbers (json, "upper_quartile", line->upper, line->n);
  if (line->has_bound)
    ww_json_add_numbers (json, "upper_bound", line->bound, line->n);
  ww_json_begin_array (json, "trials");
  for (gsize i = 0; i < line->n; i++)
    ww_json_add_integer (json, NULL, g_array_index (line->summaries, WwCurveSummary, i).trials);
  ww_json_end_array (json);
  ww_json_end_object (json);
}

/* How far the bounds have come: less than all where they were stopped. */
static void
add_bounds (WwJson *json, const WwCurveReport *report)
{
  gsize bounded, n;

  if (!ww_curve_bounds_count (report, FALSE, &bounded, &n))
    return;
  ww_json_begin_object (json, "upper_bounds");
  ww_json_add_integer (json, "points_with_bound", bounded);
  ww_json_add_integer (json, "points", n);
  ww_json_end_object (json);
}

/* A law at the lengths of the curve, to be compared with what was measured there. */
static void
add_law (WwJson *json, const WwCurveLaw *law)
{
  ww_json_begin_object (json, NULL);
  ww_json_add_string (json, "map", ww_map_get_id (law->map));
  ww_json_add_string (json, "law", ww_law_get_id (law->law));
  ww_json_add_string (json, "formula", ww_curve_theory_get_formula (law->law, law->map));
  if (law->law != WW_LAW_INFINITE)
    ww_json_add_integer (json, "d", law->d);
  else
    ww_json_add_null (json, "d");
  ww_json_add_string (json, "label", law->label);
  ww_json_add_boolean (json, "approximate", law->approximate);
  ww_json_add_numbers (json, "n", law->n, law->n_points);
  ww_json_add_numbers (json, "ws", law->ws, law->n_points);
  ww_json_end_object (json);
}

static void
add_theory (WwJson *json, const WwCurveReport *report)
{
  g_autoptr (GPtrArray) laws = ww_curve_theory_collect (report, FALSE);
  g_autofree char *gaps = ww_curve_theory_describe_gaps (report);

  ww_json_add_string (json, "theory_note", gaps);
  ww_json_begin_array (json, "theory");
  for (guint i = 0; i < laws->len; i++)
    add_law (json, g_ptr_array_index (laws, i));
  ww_json_end_array (json);
}

char *
ww_curve_report_to_json (const WwCurveReport *report)
{
  g_return_val_if_fail (report != NULL && report->provenance != NULL, NULL);
  g_return_val_if_fail (report->points != NULL || report->n_points == 0, NULL);

  g_autofree WwCurvePoint *points = sort_points (report);
  g_autoptr (GPtrArray) lines = collect_lines (report);
  g_autoptr (WwJson) json = ww_json_new ();

  ww_json_begin_object (json, NULL);
  ww_provenance_add_to_json (report->provenance, json, "provenance");
  ww_json_begin_array (json, "curves");
  for (guint i = 0; i < lines->len; i++)
    add_line (json, g_ptr_array_index (lines, i));
  ww_json_end_array (json);
  add_bounds (json, report);
  if (report->laws != 0)
    add_theory (json, report);
  ww_json_begin_array (json, "points");
  for (gsize i = 0; i < report->n_points; i++)
    add_point (json, report, &points[i]);
  ww_json_end_array (json);
  ww_json_end_object (json);

  return ww_json_to_line (json);
}

static WwScene *
get_page (gconstpointer report, double width_pt, double height_pt, const WwPlotStyle *style)
{
  return ww_curve_report_get_scene (report, width_pt, height_pt, style, NULL);
}

gboolean
ww_curve_report_write (const WwCurveReport *report, const char *path, const WwReportOptions *options,
                       GError **error)
{
  g_return_val_if_fail (report != NULL && report->provenance != NULL, FALSE);
  g_return_val_if_fail (path != NULL && options != NULL, FALSE);

  if (ww_report_format_is_figure (options->format))
    {
      g_autofree char *facts = ww_provenance_to_lines (report->provenance);
      g_autofree char *bounds = ww_curve_bounds_get_fact (report);
      g_autofree char *description = bounds != NULL ? g_strconcat (facts, bounds, "\n", NULL) : g_strdup (facts);

      return ww_report_write_figure (get_page, report, path, options,
                                     report->title != NULL ? report->title : _("Word sensitivity"),
                                     description, error);
    }

  g_autofree char *data = options->format == WW_REPORT_CSV ? ww_curve_report_to_csv (report)
                                                           : ww_curve_report_to_json (report);

  return ww_write_file_atomically (path, data, strlen (data), error);
}
