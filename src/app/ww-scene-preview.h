/* A scene of a given size on paper, scaled to the room there is. */
#pragma once

#include <adwaita.h>

#include "ww-plot.h"

G_BEGIN_DECLS

#define WW_TYPE_SCENE_PREVIEW (ww_scene_preview_get_type ())
G_DECLARE_FINAL_TYPE (WwScenePreview, ww_scene_preview, WW, SCENE_PREVIEW, GtkWidget)

void ww_scene_preview_set_scene (WwScenePreview *self, WwScene *scene, WwColour paper);

G_END_DECLS
