#include "ww-focus.h"

typedef struct
{
  GtkWindow *window; /* which this belongs to */
  GtkWidget *last;   /* weak: what had the focus */
  guint source;
} Keeper;

static void
keeper_free (Keeper *keeper)
{
  g_clear_weak_pointer (&keeper->last);
  g_clear_handle_id (&keeper->source, g_source_remove);
  g_free (keeper);
}

/* The nearest behind `widget`, else before it, and so on around its parents. */
static void
focus_near (GtkWidget *widget)
{
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      GtkWidget *other = widget;

      while ((other = gtk_widget_get_next_sibling (other)) != NULL)
        if (gtk_widget_child_focus (other, GTK_DIR_TAB_FORWARD))
          return;
      other = widget;
      while ((other = gtk_widget_get_prev_sibling (other)) != NULL)
        if (gtk_widget_child_focus (other, GTK_DIR_TAB_BACKWARD))
          return;
    }
}

/* GTK leaves none behind what can no longer be used, and gives that of what is hidden to the view that scrolls around
 * it, where it is not seen. */
static gboolean
is_lost (Keeper *keeper)
{
  GtkWidget *focus = gtk_window_get_focus (keeper->window), *last = keeper->last;

  if (last == NULL || gtk_widget_get_root (last) != GTK_ROOT (keeper->window)
      || (gtk_widget_get_mapped (last) && gtk_widget_is_sensitive (last)))
    return FALSE;

  return focus == NULL || (GTK_IS_SCROLLED_WINDOW (focus) && gtk_widget_is_ancestor (last, focus));
}

static gboolean
on_idle (gpointer user_data)
{
  Keeper *keeper = user_data;

  keeper->source = 0;
  if (!gtk_widget_in_destruction (GTK_WIDGET (keeper->window)) && is_lost (keeper))
    focus_near (keeper->last);
  return G_SOURCE_REMOVE;
}

static void
on_focus_changed (Keeper *keeper)
{
  if (is_lost (keeper))
    {
      /* Not while it is being hidden. */
      if (keeper->source == 0)
        keeper->source = g_idle_add_full (G_PRIORITY_DEFAULT, on_idle, keeper, NULL);
    }
  else if (gtk_window_get_focus (keeper->window) != NULL)
    g_set_weak_pointer (&keeper->last, gtk_window_get_focus (keeper->window));
}

void
ww_focus_keep (GtkWindow *window)
{
  Keeper *keeper;

  g_return_if_fail (GTK_IS_WINDOW (window));

  keeper = g_new0 (Keeper, 1);
  keeper->window = window;
  g_signal_connect_swapped (window, "notify::focus-widget", G_CALLBACK (on_focus_changed), keeper);
  g_object_set_data_full (G_OBJECT (window), "ww-focus-keeper", keeper, (GDestroyNotify) keeper_free);
}
