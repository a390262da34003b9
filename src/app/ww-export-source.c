#include "ww-export-source.h"

#include <glib/gi18n.h>
#include <math.h>

#define PT_PER_CM (72 / 2.54)
#define CLIPBOARD_DPI 200.0

struct _WwExportSource
{
  gatomicrefcount refs;

  WwShownNudge *shown; /* NULL: a curve */
  WwNudgeView view;

  WwCurve *curve;
  WwProvenance provenance; /* of the curve */
  WwCurveReport report;    /* points into `curve` and `provenance` */
};

WwExportSource *
ww_export_source_new_curve (WwCurveView *view)
{
  WwCurve *curve = ww_curve_view_get_curve (view);
  WwExportSource *self;

  if (curve == NULL || curve->n_points == 0)
    return NULL;
  self = g_new0 (WwExportSource, 1);
  g_atomic_ref_count_init (&self->refs);
  self->curve = ww_curve_ref (curve);
  ww_curve_view_get_report (view, &self->report);
  ww_provenance_copy (self->report.provenance, &self->provenance);
  self->report.points = self->curve->points;
  self->report.provenance = &self->provenance;
  return self;
}

WwExportSource *
ww_export_source_new_nudge (WwShownNudge *shown, guint view)
{
  WwExportSource *self = g_new0 (WwExportSource, 1);

  g_atomic_ref_count_init (&self->refs);
  self->shown = ww_shown_nudge_ref (shown);
  self->view = view <= WW_NUDGE_VIEW_DIFFERENCE ? (WwNudgeView) view : WW_NUDGE_VIEW_DIFFERENCE;
  return self;
}

WwExportSource *
ww_export_source_ref (WwExportSource *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ww_export_source_unref (WwExportSource *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_pointer (&self->shown, ww_shown_nudge_unref);
  g_clear_pointer (&self->curve, ww_curve_unref);
  ww_provenance_clear (&self->provenance);
  g_free (self);
}

gboolean
ww_export_source_is_nudge (WwExportSource *self)
{
  return self->shown != NULL;
}

void
ww_export_source_get_default_size (WwExportSource *self,
                                   WwExportPart    part,
                                   double         *ret_width_cm,
                                   double         *ret_height_cm)
{
  static const double nudge_sizes[][2] = { { 18, 16 }, { 8.9, 8 }, { 8.9, 8 }, { 18, 5 } };

  *ret_width_cm = self->shown != NULL ? nudge_sizes[part][0] : 8.9;
  *ret_height_cm = self->shown != NULL ? nudge_sizes[part][1] : 6.5;
}

char *
ww_export_source_suggest_name (WwExportSource *self, WwReportFormat format)
{
  return g_strconcat (self->shown != NULL ? "nudge" : "word-sensitivity",
                      ww_report_format_get_ending (format), NULL);
}

/* ---- Drawing ---- */

WwScene *
ww_export_source_get_scene (WwExportSource    *self,
                            WwExportPart       part,
                            double             width_cm,
                            double             height_cm,
                            const WwPlotStyle *style)
{
  double width = width_cm * PT_PER_CM, height = height_cm * PT_PER_CM;
  const WwNudgeReport *nudge;

  if (self->shown == NULL)
    return ww_curve_report_get_scene (&self->report, width, height, style, NULL);

  nudge = ww_shown_nudge_get_report (self->shown);
  switch (part)
    {
    case WW_EXPORT_SOFTMAX_HEATMAP:
      return ww_nudge_report_get_heatmap (nudge, WW_MAP_SOFTMAX_RAF, self->view, width, height,
                                          style, NULL);
    case WW_EXPORT_RELU_HEATMAP:
      return ww_nudge_report_get_heatmap (nudge, WW_MAP_RELU_RAF, self->view, width, height, style,
                                          NULL);
    case WW_EXPORT_BARS:
      return ww_nudge_report_get_bars (nudge, width, height, style, NULL);
    case WW_EXPORT_PAGE:
    default:
      return ww_nudge_report_get_scene (nudge, width, height, style);
    }
}

GdkTexture *
ww_export_source_render (WwExportSource *self, GSettings *settings)
{
  double width_cm, height_cm, scale = CLIPBOARD_DPI / 72;
  g_autofree char *style_name
    = settings != NULL ? g_settings_get_string (settings, "export-style") : g_strdup ("default");
  g_autoptr (WwScene) scene = NULL;
  g_autoptr (GBytes) bytes = NULL;
  WwPlotStyle style;
  cairo_surface_t *surface;
  cairo_t *cr;
  int width, height;

  if (!ww_plot_style_from_name (style_name, &style))
    ww_plot_style_init (&style);
  ww_export_source_get_default_size (self, WW_EXPORT_PAGE, &width_cm, &height_cm);
  width = (int) ceil (width_cm / 2.54 * CLIPBOARD_DPI);
  height = (int) ceil (height_cm / 2.54 * CLIPBOARD_DPI);
  scene = ww_export_source_get_scene (self, WW_EXPORT_PAGE, width_cm, height_cm, &style);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  if (scene == NULL || cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return NULL;
    }
  cr = cairo_create (surface);
  cairo_set_source_rgb (cr, style.background.red, style.background.green, style.background.blue);
  cairo_paint (cr);
  cairo_scale (cr, scale, scale);
  ww_scene_draw (scene, cr, FALSE);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  bytes = g_bytes_new_with_free_func (
    cairo_image_surface_get_data (surface),
    (gsize) cairo_image_surface_get_stride (surface) * (gsize) height,
    (GDestroyNotify) cairo_surface_destroy, surface);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes,
                                 (gsize) cairo_image_surface_get_stride (surface));
}

/* ---- Writing ---- */

static WwSet *
get_set (WwExportSource *self)
{
  return self->shown != NULL ? ww_shown_nudge_get_set (self->shown) : self->curve->inputs->set;
}

/* Puts the SHA-256 of the files beside the names of the set and of its list of words; synthetic rows come from no
 * set. */
static gboolean
copy_provenance (WwExportSource     *self,
                 const WwProvenance *provenance,
                 GCancellable       *cancellable,
                 WwProvenance       *ret_copy,
                 GError            **error)
{
  WwSet *set = get_set (self);
  const char *sha256 = NULL, *words_sha256 = NULL;

  if (provenance->set_name != NULL && set != NULL)
    {
      sha256 = ww_set_get_sha256 (set, cancellable, error);
      if (sha256 == NULL)
        return FALSE;
      if (provenance->words != NULL)
        words_sha256 = ww_set_get_list_sha256 (set, cancellable, error);
      if (provenance->words != NULL && words_sha256 == NULL)
        return FALSE;
    }
  ww_provenance_copy (provenance, ret_copy);
  g_free (ret_copy->set_sha256);
  ret_copy->set_sha256 = g_strdup (sha256);
  g_free (ret_copy->words_sha256);
  ret_copy->words_sha256 = g_strdup (words_sha256);
  return TRUE;
}

static gboolean
is_figure (WwReportFormat format)
{
  return format == WW_REPORT_SVG || format == WW_REPORT_PDF || format == WW_REPORT_PNG;
}

static WwFigureFormat
get_figure_format (WwReportFormat format)
{
  return format == WW_REPORT_PDF   ? WW_FIGURE_FORMAT_PDF
         : format == WW_REPORT_PNG ? WW_FIGURE_FORMAT_PNG
                                   : WW_FIGURE_FORMAT_SVG;
}

/* One of the page's figures alone; its data would be the page's. */
static gboolean
write_part (WwExportSource        *self,
            const WwNudgeReport   *report,
            WwExportPart           part,
            const char            *path,
            const WwReportOptions *options,
            GError               **error)
{
  g_autoptr (WwScene) scene = ww_export_source_get_scene (self, part, options->width_cm,
                                                          options->height_cm, &options->style);
  g_autofree char *lines = ww_nudge_report_to_lines (report);

  return ww_scene_write (scene, path, get_figure_format (options->format), options->dpi,
                         _ ("One nudged word"), lines, error);
}

gboolean
ww_export_source_write (WwExportSource        *self,
                        WwExportPart           part,
                        const char            *path,
                        const WwReportOptions *options,
                        GCancellable          *cancellable,
                        GError               **error)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwNudgeReport nudge;
  WwCurveReport curve;

  g_return_val_if_fail (self != NULL && path != NULL && options != NULL, FALSE);

  if (self->shown == NULL)
    {
      if (!copy_provenance (self, &self->provenance, cancellable, &provenance, error))
        return FALSE;
      curve = self->report;
      curve.provenance = &provenance;
      return ww_curve_report_write (&curve, path, options, error);
    }

  nudge = *ww_shown_nudge_get_report (self->shown);
  if (!copy_provenance (self, nudge.provenance, cancellable, &provenance, error))
    return FALSE;
  nudge.provenance = &provenance;
  if (part != WW_EXPORT_PAGE && is_figure (options->format))
    return write_part (self, &nudge, part, path, options, error);
  return ww_nudge_report_write (&nudge, path, options, error);
}

typedef struct
{
  WwExportSource *source;
  WwExportPart part;
  char *path;
  WwReportOptions options;
} Writing;

static void
writing_free (Writing *writing)
{
  ww_export_source_unref (writing->source);
  g_free (writing->path);
  g_free (writing);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Writing *writing = data;
  GError *error = NULL;

  if (ww_export_source_write (writing->source, writing->part, writing->path, &writing->options,
                              cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
ww_export_source_write_async (WwExportSource        *self,
                              WwExportPart           part,
                              const char            *path,
                              const WwReportOptions *options,
                              GCancellable          *cancellable,
                              GAsyncReadyCallback    callback,
                              gpointer               user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Writing *writing = g_new (Writing, 1);

  writing->source = ww_export_source_ref (self);
  writing->part = part;
  writing->path = g_strdup (path);
  writing->options = *options;
  g_task_set_task_data (task, writing, (GDestroyNotify) writing_free);
  g_task_run_in_thread (task, write_in_thread);
}

gboolean
ww_export_source_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
