#include "ww-scene-preview.h"

#include <glib/gi18n.h>

#define HEIGHT 260

struct _WwScenePreview
{
  GtkWidget parent_instance;

  WwScene *scene;
  WwColour paper;
};

G_DEFINE_FINAL_TYPE (WwScenePreview, ww_scene_preview, GTK_TYPE_WIDGET)

static void
ww_scene_preview_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WwScenePreview *self = WW_SCENE_PREVIEW (widget);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double page_width, page_height, scale;
  graphene_rect_t page;
  cairo_t *cr;

  if (self->scene == NULL)
    return;
  ww_scene_get_size (self->scene, &page_width, &page_height);
  scale = MIN (width / page_width, height / page_height);
  page = GRAPHENE_RECT_INIT ((float) ((width - page_width * scale) / 2),
                             (float) ((height - page_height * scale) / 2),
                             (float) (page_width * scale), (float) (page_height * scale));
  gtk_snapshot_append_color (snapshot,
                             &(GdkRGBA) { (float) self->paper.red, (float) self->paper.green,
                                          (float) self->paper.blue, 1 },
                             &page);
  cr = gtk_snapshot_append_cairo (snapshot, &page);
  cairo_translate (cr, page.origin.x, page.origin.y);
  cairo_scale (cr, scale, scale);
  ww_scene_draw (self->scene, cr, TRUE);
  cairo_destroy (cr);
}

static void
ww_scene_preview_measure (GtkWidget     *widget,
                          GtkOrientation orientation,
                          int            for_size,
                          int           *minimum,
                          int           *natural,
                          int           *minimum_baseline,
                          int           *natural_baseline)
{
  *minimum = HEIGHT / 2;
  *natural = HEIGHT;
}

void
ww_scene_preview_set_scene (WwScenePreview *self, WwScene *scene, WwColour paper)
{
  g_return_if_fail (WW_IS_SCENE_PREVIEW (self));

  if (scene != NULL)
    ww_scene_ref (scene);
  g_clear_pointer (&self->scene, ww_scene_unref);
  self->scene = scene;
  self->paper = paper;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
ww_scene_preview_finalize (GObject *object)
{
  g_clear_pointer (&WW_SCENE_PREVIEW (object)->scene, ww_scene_unref);
  G_OBJECT_CLASS (ww_scene_preview_parent_class)->finalize (object);
}

static void
ww_scene_preview_class_init (WwScenePreviewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ww_scene_preview_finalize;
  widget_class->snapshot = ww_scene_preview_snapshot;
  widget_class->measure = ww_scene_preview_measure;
  gtk_widget_class_set_css_name (widget_class, "preview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ww_scene_preview_init (WwScenePreview *self)
{
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Preview"), -1);
}
