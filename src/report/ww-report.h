/* Results turned into figures and data files: the one place that both the window and the command
 * line use, so that what is shown, exported and printed is the same. Numbers have a dot in every
 * locale. Labels are translated by the caller's text domain. */
#pragma once

#include "ww-plot.h"
#include "ww-provenance.h"

G_BEGIN_DECLS

typedef enum
{
  WW_REPORT_SVG,
  WW_REPORT_PDF,
  WW_REPORT_PNG,
  WW_REPORT_CSV,
  WW_REPORT_JSON,
} WwReportFormat;

/* From the ending of a file name, whatever its case; WW_PLOT_ERROR_FORMAT names those known. */
gboolean ww_report_format_from_path (const char *path, WwReportFormat *ret_format, GError **error);
/* The ending of a format's files, with its dot. */
const char *ww_report_format_get_ending (WwReportFormat format);
/* A name and a format that agree: a known ending sets the format, else the ending of `*format` is
 * appended. */
char *ww_report_settle_path (const char *path, WwReportFormat *format);

typedef struct
{
  WwReportFormat format;
  double width_cm, height_cm; /* of the figure formats; 0.5 to 200 */
  double dpi;                 /* PNG; 30 to 2400 */
  WwPlotStyle style;
} WwReportOptions;
void ww_report_options_init (WwReportOptions *options, WwReportFormat format); /* 8.9 x 6.5 cm, 300 dpi */
/* "8.9cmx6.5cm", "8.9x6.5"; FALSE where it is neither or out of range. */
gboolean ww_report_parse_size (const char *text, double *ret_width_cm, double *ret_height_cm);

/* ---- Curves ---- */

typedef struct
{
  const WwCurvePoint *points;
  gsize n_points;
  const WwProvenance *provenance;
  gboolean x_log, y_log;
  gboolean hidden[WW_N_MAPS];
  const char *title; /* NULL: none */
  guint laws;        /* WW_LAW_BIT of each law of RF and DRF that is drawn or written; see ww-theory.h */
} WwCurveReport;

/* The exponent of each map is fitted over its medians and stands in the legend: "RF: n^-0.50",
 * "DRF, depth 4: n^-0.45". `laws` are dashed lines in the colours of their maps, one pattern a law, which the
 * legend names once. The closed forms are evaluated finely over the range of n; they belong to rows of norm
 * sqrt (d), and those of finite width to one token. WW_LAW_WEIGHTS joins medians over the trials. */
WwScene *ww_curve_report_get_scene (const WwCurveReport *report, double width_pt, double height_pt,
                                    const WwPlotStyle *style, WwCurvesLayout *ret_layout);
/* Comment lines, then map,d,n,k,trial,seed,token,ws,upper_bound,evaluations; one row a trial, in the
 * order (map, d, n, trial). With `laws` a further column for each, theory_infinite and so on: what it says of
 * this point, empty where nothing. */
char *ww_curve_report_to_csv (const WwCurveReport *report);
/* One line, ends with a newline. With `laws`, a member "theory" has each law's values at every n, null
 * where it does not hold, "theory_note" says what is left out, or null, and with WW_LAW_WEIGHTS each point has
 * what its weights predict. Where bounds were asked for, "upper_bounds" counts the points that have one. */
char *ww_curve_report_to_json (const WwCurveReport *report);
gboolean ww_curve_report_write (const WwCurveReport *report, const char *path,
                                const WwReportOptions *options, GError **error);

/* ---- Nudge ---- */

typedef struct
{
  const WwNudge *nudge;
  WwTokens *tokens; /* labels, one per row of X; NULL: numbers from 1 */
  const WwProvenance *provenance;
  const char *direction; /* "worst" for the map in provenance, "worst for raf" for one of several, "random" */
  const char *toward; /* in place of `direction`: the word that was gone toward; NULL: none */
  double amount;      /* how much of the way to that word, 0 to 1 */
  /* Ends of the colours of each map's weights and of their changes; 0 (or less than the nudge shows):
   * from the nudge. For figures that are compared, such as those of one slider. */
  double weight_max[WW_N_MAPS], change_max[WW_N_MAPS];
  /* Attention of a trained block under the same nudge, n x n; NULL: none. It has no random weights and
   * no change of features of its own. */
  const WwMatrix *trained_before, *trained_after;
  const char *trained_name; /* "Block 1, mean of 12 heads", for people, who count heads from 1 */
  int trained_block;        /* from 1, as --layer */
  int trained_head;         /* from 0, as --head, or WW_HEAD_MEAN */
  double trained_weight_max, trained_change_max;
} WwNudgeReport;

typedef enum
{
  WW_NUDGE_VIEW_BEFORE,
  WW_NUDGE_VIEW_AFTER,
  WW_NUDGE_VIEW_DIFFERENCE,
} WwNudgeView;

/* One heatmap; before and after share the range 0 to their common maximum, the difference is
 * zero-centred; the colour bar is always there. */
WwScene *ww_nudge_report_get_heatmap (const WwNudgeReport *report, WwMap map, WwNudgeView view,
                                      double width_pt, double height_pt, const WwPlotStyle *style,
                                      WwHeatmapLayout *ret_layout);
/* The same of the trained attention, which `report` must have. */
WwScene *ww_nudge_report_get_trained_heatmap (const WwNudgeReport *report, WwNudgeView view, double width_pt,
                                              double height_pt, const WwPlotStyle *style,
                                              WwHeatmapLayout *ret_layout);
/* Feature change per token, a bar per attention map; RF as a dashed line (its features belong to no
 * token). */
WwScene *ww_nudge_report_get_bars (const WwNudgeReport *report, double width_pt, double height_pt,
                                   const WwPlotStyle *style, WwBarsLayout *ret_layout);
/* The whole page for export: before, after, difference of every attention map that the nudge has,
 * and the bars. */
WwScene *ww_nudge_report_get_scene (const WwNudgeReport *report, double width_pt, double height_pt,
                                    const WwPlotStyle *style);
/* Whether the nudge is longer than the radius in its provenance, the ball in which word sensitivity is searched. */
gboolean ww_nudge_report_leaves_ball (const WwNudgeReport *report);
/* The provenance and what the nudge did, one fact a line: the description of any figure of it. */
char *ww_nudge_report_to_lines (const WwNudgeReport *report);
/* Comment lines, then map,row,row_token,feature_change,column,column_token,before,after,difference;
 * one row for each pair of tokens. `feature_change` belongs to the row's token. */
char *ww_nudge_report_to_csv (const WwNudgeReport *report);
char *ww_nudge_report_to_json (const WwNudgeReport *report);
gboolean ww_nudge_report_write (const WwNudgeReport *report, const char *path,
                                const WwReportOptions *options, GError **error);

G_END_DECLS
