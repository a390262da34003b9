/* Where a figure goes and how it looks: --output, --format, --size, --dpi and --style. */
#pragma once

#include "ww-report.h"

G_BEGIN_DECLS

typedef struct
{
  char *output, *format, *size, *dpi, *style;
} WwCliFigureOptions;

void ww_cli_figure_options_clear (WwCliFigureOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwCliFigureOptions, ww_cli_figure_options_clear)

/* `large`: as below, for the help. Free with g_free. */
GOptionEntry *ww_cli_figure_options_get_entries (WwCliFigureOptions *options, gboolean large);

/* Before any work: the format that --format or the name of --output asks for, size, resolution and style, and
 * whether the file can be written. `large`: the default is a page of two columns rather than of one. */
gboolean ww_cli_figure_options_check (const WwCliFigureOptions *options, gboolean large,
                                      WwReportOptions *ret_report_options, GError **error);

G_END_DECLS
