/* Scenes as files. */
#pragma once

#include "ww-file.h"
#include "ww-scene.h"

G_BEGIN_DECLS

typedef enum
{
  WW_FIGURE_FORMAT_SVG,
  WW_FIGURE_FORMAT_PDF,
  WW_FIGURE_FORMAT_PNG,
} WwFigureFormat;

/* Writes to a temporary file beside `path` and renames it: a failure leaves the old file alone.
 * `title` and `description` (provenance, many lines; either may be NULL) go into the file's metadata.
 * SVG: real <text>, heatmaps as pixelated images; PNG: `dpi` in pHYs. Same scene, same bytes.
 * Fails with WW_PLOT_ERROR_SIZE or WW_PLOT_ERROR_WRITE. */
gboolean ww_scene_write (WwScene *scene, const char *path, WwFigureFormat format, double dpi,
                         const char *title, const char *description, GError **error);

/* The bytes that `ww_scene_write` would write. */
GBytes *ww_scene_to_bytes (WwScene *scene, WwFigureFormat format, double dpi, const char *title,
                           const char *description, GError **error);

G_END_DECLS
