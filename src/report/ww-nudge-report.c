#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ww-number.h"
#include "ww-report-private.h"

#define CSV_HEADER "map,row,row_token,feature_change,column,column_token,before,after,difference\n"

static const WwMap attention_maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

/* One attention map of a report: those with random weights, and the trained one. */
typedef struct
{
  const char *id, *name;
  const WwMatrix *before, *after;
  double weight_max, change_max;
  const double *feature_change; /* n values, or NULL */
} Panel;
#define MAX_PANELS (G_N_ELEMENTS (attention_maps) + 1)

static Panel
make_map_panel (const WwNudgeReport *report, WwMap map)
{
  const WwNudge *nudge = report->nudge;

  return (Panel) {
    .id = ww_map_get_id (map),
    .name = ww_map_get_name (map),
    .before = nudge->before[map],
    .after = nudge->after[map],
    .weight_max = report->weight_max[map],
    .change_max = report->change_max[map],
    .feature_change = nudge->feature_change[map],
  };
}

static Panel
make_trained_panel (const WwNudgeReport *report)
{
  return (Panel) {
    .id = "trained",
    .name = report->trained_name,
    .before = report->trained_before,
    .after = report->trained_after,
    .weight_max = report->trained_weight_max,
    .change_max = report->trained_change_max,
  };
}

static gboolean
is_there (const Panel *panel)
{
  return panel->before != NULL && panel->after != NULL;
}

static gsize
collect_panels (const WwNudgeReport *report, Panel ret_panels[MAX_PANELS])
{
  gsize n = 0;

  for (guint i = 0; i < MAX_PANELS; i++)
    {
      ret_panels[n] = i < G_N_ELEMENTS (attention_maps) ? make_map_panel (report, attention_maps[i])
                                                        : make_trained_panel (report);
      n += is_there (&ret_panels[n]);
    }

  return n;
}

/* One label per token of the context: what a person reads, or its number from 1. NULL-terminated. */
static char **
make_labels (const WwNudgeReport *report)
{
  gsize n = report->nudge->n;
  char **labels = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      if (report->tokens != NULL && i < report->tokens->n)
        labels[i] = g_strdup (report->tokens->tokens[i].display);
      else
        labels[i] = g_strdup_printf ("%" G_GSIZE_FORMAT, i + 1);
    }

  return labels;
}

/* NULL where the memory cannot be had: n x n is as large as the user's text is long. */
static double *
make_difference (const WwMatrix *before, const WwMatrix *after)
{
  gsize n = before->rows * before->cols;
  double *difference = g_try_new (double, n);

  for (gsize i = 0; difference != NULL && i < n; i++)
    difference[i] = after->data[i] - before->data[i];

  return difference;
}

static double
get_maximum (const WwMatrix *before, const WwMatrix *after, double least)
{
  double maximum = least;

  for (gsize i = 0; i < before->rows * before->cols; i++)
    maximum = MAX (maximum, MAX (before->data[i], after->data[i]));

  return maximum;
}

/* The end of colours centred at zero; NaN: from the values alone. */
static double
get_difference_end (const double *difference, gsize n, double least)
{
  double maximum = least;

  for (gsize i = 0; difference != NULL && i < n; i++)
    maximum = MAX (maximum, fabs (difference[i]));

  return least > 0 ? maximum : NAN;
}

static char *
make_view_title (const char *name, WwNudgeView view)
{
  switch (view)
    {
    case WW_NUDGE_VIEW_BEFORE:
      /* Translators: %s is the name of a feature map; the attention before the nudge. */
      return g_strdup_printf (_("%s, before"), name);
    case WW_NUDGE_VIEW_AFTER:
      return g_strdup_printf (_("%s, after"), name);
    case WW_NUDGE_VIEW_DIFFERENCE:
    default:
      return g_strdup_printf (_("%s, difference"), name);
    }
}

static WwScene *
draw_panel (const WwNudgeReport *report, const Panel *panel, WwNudgeView view, double width_pt, double height_pt,
            const WwPlotStyle *style, WwHeatmapLayout *ret_layout)
{
  const WwMatrix *before = panel->before;
  const WwMatrix *after = panel->after;
  gboolean is_difference = view == WW_NUDGE_VIEW_DIFFERENCE;
  g_autofree double *difference = is_difference ? make_difference (before, after) : NULL;
  g_autofree char *title = make_view_title (panel->name, view);
  g_auto (GStrv) labels = make_labels (report);
  double end = is_difference
                 ? get_difference_end (difference, before->rows * before->cols, panel->change_max)
                 : get_maximum (before, after, panel->weight_max);

  WwHeatmapFigure figure = {
    .title = title,
    .x_label = _("token looked at"),
    .y_label = _("token that looks"),
    .bar_label = is_difference ? _("change of weight") : _("attention weight"),
    .rows = before->rows,
    .cols = before->cols,
    .values = is_difference ? difference : view == WW_NUDGE_VIEW_BEFORE ? before->data : after->data,
    .diverging = is_difference,
    .min = is_difference ? -end : 0,
    .max = end,
    .row_labels = (const char *const *) labels,
    .col_labels = (const char *const *) labels,
    .marked_row = (gssize) report->nudge->token,
    .marked_col = (gssize) report->nudge->token,
    .bar = TRUE,
  };

  /* Axes without cells rather than an end of the program. */
  if (figure.values == NULL)
    figure.rows = figure.cols = 0;

  return ww_heatmap_figure_layout (&figure, width_pt, height_pt, style, ret_layout);
}

WwScene *
ww_nudge_report_get_heatmap (const WwNudgeReport *report, WwMap map, WwNudgeView view, double width_pt,
                             double height_pt, const WwPlotStyle *style, WwHeatmapLayout *ret_layout)
{
  Panel panel;

  g_return_val_if_fail (report != NULL && report->nudge != NULL && (guint) map < WW_N_MAPS, NULL);

  panel = make_map_panel (report, map);
  g_return_val_if_fail (is_there (&panel), NULL);

  return draw_panel (report, &panel, view, width_pt, height_pt, style, ret_layout);
}

WwScene *
ww_nudge_report_get_trained_heatmap (const WwNudgeReport *report, WwNudgeView view, double width_pt,
                                     double height_pt, const WwPlotStyle *style, WwHeatmapLayout *ret_layout)
{
  Panel panel;

  g_return_val_if_fail (report != NULL && report->nudge != NULL, NULL);

  panel = make_trained_panel (report);
  g_return_val_if_fail (is_there (&panel), NULL);

  return draw_panel (report, &panel, view, width_pt, height_pt, style, ret_layout);
}

WwScene *
ww_nudge_report_get_bars (const WwNudgeReport *report, double width_pt, double height_pt,
                          const WwPlotStyle *style, WwBarsLayout *ret_layout)
{
  g_return_val_if_fail (report != NULL && report->nudge != NULL, NULL);

  const WwNudge *nudge = report->nudge;
  g_auto (GStrv) labels = make_labels (report);
  WwBarSeries series[WW_N_MAPS];
  gsize n_series = 0;

  for (guint i = 0; i < G_N_ELEMENTS (attention_maps); i++)
    if (nudge->feature_change[attention_maps[i]] != NULL)
      series[n_series++] = (WwBarSeries) {
        .label = ww_map_get_name (attention_maps[i]),
        .colour = attention_maps[i],
        .values = nudge->feature_change[attention_maps[i]],
        .reference = NAN,
      };
  if (!isnan (nudge->change[WW_MAP_RF]))
    series[n_series++] = (WwBarSeries) {
      .label = ww_map_get_name (WW_MAP_RF),
      .colour = WW_MAP_RF,
      .reference = nudge->change[WW_MAP_RF],
    };

  WwBarsFigure figure = {
    .title = _("Feature change per token"),
    .x_label = _("token"),
    .y_label = _("relative change"),
    .n_bars = nudge->n,
    .labels = (const char *const *) labels,
    .marked = (gssize) nudge->token,
    .series = series,
    .n_series = n_series,
    .y_max = NAN,
    .legend = TRUE,
  };

  return ww_bars_figure_layout (&figure, width_pt, height_pt, style, ret_layout);
}

/* The pieces of a page with where each stands on it, in points. */
typedef struct
{
  WwScene *scenes[MAX_PANELS * 3 + 1];
  double x[MAX_PANELS * 3 + 1], y[MAX_PANELS * 3 + 1];
  gsize n;
} Page;

static void
page_clear (Page *page)
{
  for (gsize i = 0; i < page->n; i++)
    g_clear_pointer (&page->scenes[i], ww_scene_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Page, page_clear)

static void
page_add (Page *page, WwScene *scene, double x, double y)
{
  page->scenes[page->n] = scene;
  page->x[page->n] = x;
  page->y[page->n] = y;
  page->n++;
}

WwScene *
ww_nudge_report_get_scene (const WwNudgeReport *report, double width_pt, double height_pt,
                           const WwPlotStyle *style)
{
  g_return_val_if_fail (report != NULL && report->nudge != NULL, NULL);

  static const WwNudgeView views[] = { WW_NUDGE_VIEW_BEFORE, WW_NUDGE_VIEW_AFTER, WW_NUDGE_VIEW_DIFFERENCE };
  g_auto (Page) page = { 0 };
  WwPlotStyle small = *style;
  double column = width_pt / G_N_ELEMENTS (views);
  Panel panels[MAX_PANELS];
  gsize n_rows = collect_panels (report, panels);
  double top = 0, row = 0;

  /* Three panels share a width that one figure has alone: a little less for the text of each. The
   * cells are square beside a colour bar, hence a row is lower than a column is wide; the bars get
   * what the heatmaps leave over, half a row at least. */
  small.font_size *= 0.85;
  row = n_rows == 0 ? 0 : MIN (column * 0.87, height_pt / (n_rows + 0.5));
  for (gsize i = 0; i < n_rows; i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (views); j++)
        page_add (&page, draw_panel (report, &panels[i], views[j], column, row, &small, NULL), column * j, top);
      top += row;
    }
  page_add (&page, ww_nudge_report_get_bars (report, width_pt, height_pt - top, style, NULL), 0, top);

  return ww_scene_compose (width_pt, height_pt, style, page.scenes, page.x, page.y, page.n);
}

/* ||delta|| / sqrt (d), in the units in which it is asked for. */
static double
get_length (const WwNudgeReport *report)
{
  return report->nudge->delta_norm / sqrt ((double) report->nudge->d);
}

gboolean
ww_nudge_report_leaves_ball (const WwNudgeReport *report)
{
  g_return_val_if_fail (report != NULL && report->nudge != NULL && report->provenance != NULL, FALSE);

  /* A nudge on the sphere may be a rounding error longer. */
  return get_length (report) > report->provenance->radius * (1 + 1e-9);
}

/* Where the nudge goes; NULL where nobody said. */
static char *
make_direction (const WwNudgeReport *report)
{
  if (report->toward != NULL)
    return g_strdup_printf ("toward “%s”", report->toward);

  return g_strdup (report->direction);
}

/* What the provenance does not know: the nudge itself and what it did, one fact a line. */
static char *
make_facts (const WwNudgeReport *report)
{
  const WwNudge *nudge = report->nudge;
  g_autofree char *direction = make_direction (report);
  GString *lines = g_string_new (NULL);
  char buffer[WW_NUMBER_BUFFER_SIZE];

  ww_report_append_fact (lines, "direction", direction);
  if (report->toward != NULL)
    ww_report_append_fact (lines, "part of the way", ww_number_format (buffer, report->amount));
  g_string_append_printf (lines, "nudged token: %" G_GSIZE_FORMAT " (counted from 0)\n", nudge->token);
  g_string_append_printf (lines, "norm of the nudge: %s\n", ww_number_format (buffer, nudge->delta_norm));
  /* Without the last bits of a square root and back. */
  g_ascii_formatd (buffer, sizeof buffer, "%.10g", get_length (report));
  g_string_append_printf (lines, "length: %s sqrt(d)\n", buffer);
  ww_report_append_fact (lines, "leaves the ball", ww_nudge_report_leaves_ball (report) ? "yes" : "no");
  if (report->trained_after != NULL && report->trained_head == WW_HEAD_MEAN)
    g_string_append_printf (lines, "trained attention: layer %d, mean of the heads\n", report->trained_block);
  else if (report->trained_after != NULL)
    g_string_append_printf (lines, "trained attention: layer %d, head %d (counted from 0)\n", report->trained_block,
                            report->trained_head);
  for (guint map = 0; map < WW_N_MAPS; map++)
    if (!isnan (nudge->change[map]))
      g_string_append_printf (lines, "change of %s: %s\n", ww_map_get_id (map),
                              ww_number_format (buffer, nudge->change[map]));

  return g_string_free (lines, FALSE);
}

static void
append_csv_row (GString *csv, gsize n, const Panel *panel, gsize row, char **labels)
{
  const double *before = panel->before->data + row * n;
  const double *after = panel->after->data + row * n;

  for (gsize column = 0; column < n; column++)
    {
      g_string_append_printf (csv, "%s,%" G_GSIZE_FORMAT ",", panel->id, row);
      ww_report_append_csv_text (csv, labels[row]);
      g_string_append_c (csv, ',');
      ww_report_append_csv_number (csv, panel->feature_change != NULL ? panel->feature_change[row] : NAN);
      g_string_append_printf (csv, ",%" G_GSIZE_FORMAT ",", column);
      ww_report_append_csv_text (csv, labels[column]);
      g_string_append_c (csv, ',');
      ww_report_append_csv_number (csv, before[column]);
      g_string_append_c (csv, ',');
      ww_report_append_csv_number (csv, after[column]);
      g_string_append_c (csv, ',');
      ww_report_append_csv_number (csv, after[column] - before[column]);
      g_string_append_c (csv, '\n');
    }
}

char *
ww_nudge_report_to_lines (const WwNudgeReport *report)
{
  g_return_val_if_fail (report != NULL && report->nudge != NULL && report->provenance != NULL, NULL);

  g_autofree char *lines = ww_provenance_to_lines (report->provenance);
  g_autofree char *facts = make_facts (report);

  return g_strconcat (lines, facts, NULL);
}

char *
ww_nudge_report_to_csv (const WwNudgeReport *report)
{
  g_return_val_if_fail (report != NULL && report->nudge != NULL && report->provenance != NULL, NULL);

  const WwNudge *nudge = report->nudge;
  g_autofree char *comment = ww_provenance_to_csv_comment (report->provenance);
  g_autofree char *facts = make_facts (report);
  g_auto (GStrv) each = g_strsplit (facts, "\n", -1);
  g_auto (GStrv) labels = make_labels (report);
  GString *csv = g_string_new (comment);
  Panel panels[MAX_PANELS];
  gsize n_panels = collect_panels (report, panels);

  for (gsize i = 0; each[i] != NULL; i++)
    if (each[i][0] != '\0')
      g_string_append_printf (csv, "# %s\n", each[i]);

  g_string_append (csv, CSV_HEADER);
  for (gsize i = 0; i < n_panels; i++)
    for (gsize row = 0; row < nudge->n; row++)
      append_csv_row (csv, nudge->n, &panels[i], row, labels);

  return g_string_free (csv, FALSE);
}

/* n x n values as an array of rows; of `values` alone, or less `minus` where that is not NULL. */
static void
add_rows (WwJson *json, const char *name, const double *values, const double *minus, gsize n)
{
  ww_json_begin_array (json, name);
  for (gsize row = 0; row < n; row++)
    {
      ww_json_begin_array (json, NULL);
      for (gsize i = row * n; i < (row + 1) * n; i++)
        ww_json_add_number (json, NULL, minus != NULL ? values[i] - minus[i] : values[i]);
      ww_json_end_array (json);
    }
  ww_json_end_array (json);
}

static void
add_weights (WwJson *json, const Panel *panel, gsize n)
{
  const double *before = panel->before->data, *after = panel->after->data;

  add_rows (json, "before", before, NULL, n);
  add_rows (json, "after", after, NULL, n);
  add_rows (json, "difference", after, before, n);
}

static void
add_trained (WwJson *json, const WwNudgeReport *report)
{
  Panel panel = make_trained_panel (report);

  if (!is_there (&panel))
    return;
  ww_json_begin_object (json, "trained");
  ww_json_add_string (json, "name", panel.name);
  ww_json_add_integer (json, "layer", (guint64) report->trained_block);
  if (report->trained_head == WW_HEAD_MEAN)
    ww_json_add_string (json, "head", "mean");
  else
    ww_json_add_integer (json, "head", (guint64) report->trained_head);
  add_weights (json, &panel, report->nudge->n);
  ww_json_end_object (json);
}

static void
add_map (WwJson *json, const WwNudgeReport *report, WwMap map)
{
  const WwNudge *nudge = report->nudge;
  Panel panel = make_map_panel (report, map);

  ww_json_begin_object (json, NULL);
  ww_json_add_string (json, "map", ww_map_get_id (map));
  ww_json_add_number (json, "change", nudge->change[map]);
  if (nudge->feature_change[map] != NULL)
    ww_json_add_numbers (json, "feature_change", nudge->feature_change[map], nudge->n);
  if (is_there (&panel))
    add_weights (json, &panel, nudge->n);
  ww_json_end_object (json);
}

char *
ww_nudge_report_to_json (const WwNudgeReport *report)
{
  g_return_val_if_fail (report != NULL && report->nudge != NULL && report->provenance != NULL, NULL);

  const WwNudge *nudge = report->nudge;
  g_autofree char *direction = make_direction (report);
  g_auto (GStrv) labels = make_labels (report);
  g_autoptr (WwJson) json = ww_json_new ();

  ww_json_begin_object (json, NULL);
  ww_provenance_add_to_json (report->provenance, json, "provenance");
  ww_json_add_string (json, "direction", direction);
  if (report->toward != NULL)
    {
      ww_json_add_string (json, "toward", report->toward);
      ww_json_add_number (json, "amount", report->amount);
    }
  ww_json_add_integer (json, "n", nudge->n);
  ww_json_add_integer (json, "d", nudge->d);
  ww_json_add_integer (json, "token", nudge->token);
  ww_json_add_number (json, "delta_norm", nudge->delta_norm);
  ww_json_add_number (json, "length", get_length (report));
  ww_json_add_boolean (json, "leaves_ball", ww_nudge_report_leaves_ball (report));
  ww_json_add_numbers (json, "delta", nudge->delta, nudge->d);
  ww_json_begin_array (json, "tokens");
  for (gsize i = 0; i < nudge->n; i++)
    ww_json_add_string (json, NULL, labels[i]);
  ww_json_end_array (json);
  ww_json_begin_array (json, "maps");
  for (guint map = 0; map < WW_N_MAPS; map++)
    if (!isnan (nudge->change[map]) || nudge->after[map] != NULL)
      add_map (json, report, map);
  ww_json_end_array (json);
  add_trained (json, report);
  ww_json_end_object (json);

  return ww_json_to_line (json);
}

static WwScene *
get_page (gconstpointer report, double width_pt, double height_pt, const WwPlotStyle *style)
{
  return ww_nudge_report_get_scene (report, width_pt, height_pt, style);
}

gboolean
ww_nudge_report_write (const WwNudgeReport *report, const char *path, const WwReportOptions *options,
                       GError **error)
{
  g_return_val_if_fail (report != NULL && report->nudge != NULL && report->provenance != NULL, FALSE);
  g_return_val_if_fail (path != NULL && options != NULL, FALSE);

  if (ww_report_format_is_figure (options->format))
    {
      g_autofree char *description = ww_nudge_report_to_lines (report);

      return ww_report_write_figure (get_page, report, path, options, _("One nudged word"), description, error);
    }

  g_autofree char *data = options->format == WW_REPORT_CSV ? ww_nudge_report_to_csv (report)
                                                           : ww_nudge_report_to_json (report);

  return ww_write_file_atomically (path, data, strlen (data), error);
}
