/* What the writers of all reports share; not for use outside this room. */
#pragma once

#include "ww-report.h"

G_BEGIN_DECLS

#define WW_REPORT_POINTS_PER_CM (72.0 / 2.54)

/* Lays the report's page out; `report` is the caller's own. */
typedef WwScene *(*WwReportSceneFunc) (gconstpointer report, double width_pt, double height_pt,
                                       const WwPlotStyle *style);

gboolean ww_report_format_is_figure (WwReportFormat format);
/* A page of the size in `options`, written as its figure format with `title` and `description` in the
 * file's metadata. */
gboolean ww_report_write_figure (WwReportSceneFunc get_scene, gconstpointer report, const char *path,
                                 const WwReportOptions *options, const char *title,
                                 const char *description, GError **error);
/* "name: value", on one line whatever somebody typed; nothing where `value` is NULL. */
void ww_report_append_fact (GString *lines, const char *name, const char *value);
/* One field of a CSV row: a number with a dot, nothing where the value is NaN. */
void ww_report_append_csv_number (GString *csv, double value);
/* One field of a CSV row (RFC 4180): in quotes where it needs them. */
void ww_report_append_csv_text (GString *csv, const char *text);

G_END_DECLS
