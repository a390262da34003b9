/* A figure on its way to a file: everything that writing it needs, held by reference, so that the
 * window may go on changing meanwhile. */
#pragma once

#include <gdk/gdk.h>

#include "ww-curve-view.h"
#include "ww-report.h"
#include "ww-shown-nudge.h"

G_BEGIN_DECLS

typedef struct _WwExportSource WwExportSource;

typedef enum
{
  WW_EXPORT_PAGE, /* the curves; or all heatmaps and the bars */
  WW_EXPORT_SOFTMAX_HEATMAP,
  WW_EXPORT_RELU_HEATMAP,
  WW_EXPORT_BARS,
} WwExportPart;

/* NULL where the view has no point yet. */
WwExportSource *ww_export_source_new_curve (WwCurveView *view);
/* `view` picks what the single heatmaps show; "all" stands for the difference. */
WwExportSource *ww_export_source_new_nudge (WwShownNudge *shown, guint view);
WwExportSource *ww_export_source_ref (WwExportSource *self);
void ww_export_source_unref (WwExportSource *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwExportSource, ww_export_source_unref)

gboolean ww_export_source_is_nudge (WwExportSource *self);
/* A good size to begin with, in centimetres. */
void ww_export_source_get_default_size (WwExportSource *self,
                                        WwExportPart    part,
                                        double         *ret_width_cm,
                                        double         *ret_height_cm);
char *ww_export_source_suggest_name (WwExportSource *self, WwReportFormat format);

WwScene *ww_export_source_get_scene (WwExportSource    *self,
                                     WwExportPart       part,
                                     double             width_cm,
                                     double             height_cm,
                                     const WwPlotStyle *style);
/* As a picture for the clipboard; `settings` may be NULL. */
GdkTexture *ww_export_source_render (WwExportSource *self, GSettings *settings);

/* Blocking: reads the whole set for its SHA-256 the first time. */
gboolean ww_export_source_write (WwExportSource        *self,
                                 WwExportPart           part,
                                 const char            *path,
                                 const WwReportOptions *options,
                                 GCancellable          *cancellable,
                                 GError               **error);
/* The same in a thread of its own. */
void ww_export_source_write_async (WwExportSource        *self,
                                   WwExportPart           part,
                                   const char            *path,
                                   const WwReportOptions *options,
                                   GCancellable          *cancellable,
                                   GAsyncReadyCallback    callback,
                                   gpointer               user_data);
gboolean ww_export_source_write_finish (GAsyncResult *result, GError **error);

G_END_DECLS
