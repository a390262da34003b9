#include "ww-window-private.h"

#include <glib/gi18n.h>

#include "ww-app-settings.h"
#include "ww-focus.h"
#include "ww-format-words.h"
#include "ww-figure-view.h"
#include "ww-problem.h"

/* Below this the header bar has no room for the two pages, at the usual size of text: they move to the bottom. */
#define NARROW_WIDTH 560

G_DEFINE_FINAL_TYPE (WwWindow, ww_window, ADW_TYPE_APPLICATION_WINDOW)

enum
{
  PROP_0,
  PROP_SIDEBAR,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

/* ---- Toasts ---- */

/* Time to read a line and to reach for the button. */
#define DETAILS_SECONDS 12

static void
on_details_clicked (WwWindow *self)
{
  if (self->toast_details != NULL)
    ww_problem_show (GTK_WINDOW (self), self->toast_title, self->toast_details);
}

void
ww_window_dismiss_toast (WwWindow *self)
{
  g_autoptr (AdwToast) toast = self->toast != NULL ? g_object_ref (self->toast) : NULL;

  g_clear_weak_pointer (&self->toast);
  if (toast != NULL)
    adw_toast_dismiss (toast);
}

/* Nothing lies under a toast: what the window shows moves up for as long as it is there. */
static void
make_room (WwWindow *self)
{
  int height = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->toasts)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (child != self->content)
      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  gtk_widget_set_margin_bottom (self->content, height);
}

static void
on_toast_dismissed (WwWindow *self, AdwToast *toast)
{
  if (self->toast == NULL || self->toast == toast)
    gtk_widget_set_margin_bottom (self->content, 0);
}

/* In place of the one before, which is about something that has passed. */
static void
put_toast (WwWindow *self, AdwToast *toast)
{
  ww_window_dismiss_toast (self);
  g_set_weak_pointer (&self->toast, toast);
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (on_toast_dismissed), self,
                           G_CONNECT_SWAPPED);
  adw_toast_overlay_add_toast (self->toasts, toast);
  make_room (self);
}

void
ww_window_show_toast (WwWindow *self, const char *title, const char *details)
{
  g_autofree char *escaped = NULL;
  AdwToast *toast;

  g_return_if_fail (WW_IS_WINDOW (self));

  escaped = g_markup_escape_text (title, -1);
  toast = adw_toast_new (escaped);
  if (details != NULL)
    {
      g_free (self->toast_title);
      g_free (self->toast_details);
      self->toast_title = g_strdup (title);
      self->toast_details = g_strdup (details);
      adw_toast_set_button_label (toast, _ ("Details"));
      adw_toast_set_timeout (toast, DETAILS_SECONDS);
      g_signal_connect_object (toast, "button-clicked", G_CALLBACK (on_details_clicked), self,
                               G_CONNECT_SWAPPED);
    }
  put_toast (self, toast);
}

/* ---- Following the session ---- */

/* Whichever way it came: opened, another text of the same file, or undone. */
static void
on_set_changed (WwWindow *self)
{
  const WwOrigin *origin = ww_session_get_origin (self->session);
  /* A remembered file that cannot be reached today may come back: the sample only stands in for it. */
  gboolean stands_in = !self->had_set && origin != NULL && origin->file == NULL;

  self->had_set = TRUE;
  if (origin != NULL && !stands_in)
    ww_app_settings_remember_set (self->settings, origin);
  ww_window_update_actions (self);
}

/* What a file was taken for can be looked at, and changed, afterwards. */
static void
show_opened (WwWindow *self)
{
  g_autofree char *name = ww_format_dup_set_name (ww_session_get_set (self->session));
  g_autofree char *words = g_strdup_printf (_ ("“%s” is open"), name);
  g_autofree char *escaped = g_markup_escape_text (words, -1);
  AdwToast *toast = adw_toast_new (escaped);

  adw_toast_set_button_label (toast, _ ("Preview…"));
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (ww_window_preview_set), self,
                           G_CONNECT_SWAPPED);
  put_toast (self, toast);
}

/* The set that is in use stays, and is named. */
static void
show_stopped (WwWindow *self)
{
  WwSet *set = ww_session_get_set (self->session);
  g_autofree char *name = set != NULL ? ww_format_dup_set_name (set) : NULL;
  g_autofree char *words = NULL;

  if (name != NULL)
    /* Translators: %s is the name of the set that is still in use. */
    words = g_strdup_printf (_ ("Opening was cancelled; “%s” stays"), name);
  ww_window_show_toast (self, words != NULL ? words : _ ("Opening was cancelled"), NULL);
}

static void
show_failed (WwWindow *self, const char *message)
{
  const WwOrigin *origin = ww_session_get_asked_origin (self->session);
  g_autofree char *name = origin != NULL ? ww_origin_dup_name (origin) : NULL;
  g_autofree char *words = NULL;

  if (name != NULL)
    /* Translators: %s is the name of a file. */
    words = g_strdup_printf (_ ("“%s” could not be opened"), name);
  ww_window_show_toast (self, words != NULL ? words : _ ("The set could not be opened"),
                        message != NULL ? message : _ ("Unknown error"));
}

/* Without any set there is nothing to look at: the one of the last run comes in place of a file that cannot
 * be opened, and the sample in place of that. */
static void
fall_back (WwWindow *self)
{
  const WwOrigin *asked = ww_session_get_asked_origin (self->session);

  if (ww_session_get_set (self->session) != NULL || asked == NULL || asked->file == NULL)
    return;

  self->falls_back = TRUE;
  if (self->n_fallbacks++ == 0)
    ww_window_open_remembered_set (self);
  else
    ww_session_open_builtin (self->session, NULL);
}

static void
on_set_state_changed (WwWindow *self)
{
  WwState state = ww_session_get_set_state (self->session);
  const char *message = ww_session_get_set_message (self->session);

  if (state == self->last_set_state)
    return;
  self->last_set_state = state;
  ww_window_update_actions (self);
  if (state == WW_STATE_FAILED)
    {
      show_failed (self, message);
      fall_back (self);
    }
  else if (state != WW_STATE_LOADING && ww_session_is_open_stopped (self->session))
    {
      show_stopped (self);
      fall_back (self);
    }
  else if (state == WW_STATE_DONE && self->falls_back)
    self->falls_back = FALSE;
  else if (state == WW_STATE_DONE)
    {
      ww_window_dismiss_toast (self);
      if (message != NULL && *message != '\0')
        ww_window_show_toast (self, _ ("The set was opened with remarks"), message);
      else if (self->announces)
        show_opened (self);
    }
  if (state != WW_STATE_LOADING)
    self->announces = FALSE;
}

static void
on_page_changed (WwWindow *self)
{
  const char *page = adw_view_stack_get_visible_child_name (self->pages);

  g_object_set (self->session, "perturb-active", g_strcmp0 (page, "perturb") == 0, NULL);
  if (self->settings != NULL && page != NULL)
    g_settings_set_string (self->settings, "page", page);
  ww_window_update_actions (self);
}

static void
watch_session (WwWindow *self)
{
  static const char *const actions[]
    = { "notify::can-undo", "notify::can-redo", "notify::curve-state", "notify::curve",
        "notify::nudge" };

  g_signal_connect_object (self->session, "notify::set", G_CALLBACK (on_set_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::set-state", G_CALLBACK (on_set_state_changed),
                           self, G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    g_signal_connect_object (self->session, actions[i], G_CALLBACK (ww_window_update_actions),
                             self, G_CONNECT_SWAPPED);
}

/* ---- Size ---- */

static void
on_surface_width (WwWindow *self, GParamSpec *pspec, GdkSurface *surface)
{
  double text = MAX (1.0, ww_widget_get_text_scale (GTK_WIDGET (self)));
  gboolean narrow = gdk_surface_get_width (surface) < NARROW_WIDTH * text;

  adw_view_switcher_bar_set_reveal (self->switcher_bar, narrow);
  gtk_widget_set_visible (self->switcher, !narrow);
}

static void
ww_window_realize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ww_window_parent_class)->realize (widget);
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (widget)), "notify::width",
                           G_CALLBACK (on_surface_width), widget, G_CONNECT_SWAPPED);
}

static void
bind_settings (WwWindow *self)
{
  if (self->settings == NULL)
    return;
  g_settings_bind (self->settings, "window-width", self, "default-width",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "window-height", self, "default-height",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "maximized", self, "maximized", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "x-log", self->curves_page, "x-log", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "y-log", self->curves_page, "y-log", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "hidden-maps", self->curves_page, "hidden",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "attention-view", self->perturb_page, "view",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "sidebar", self->curves_page, "sidebar",
                   G_SETTINGS_BIND_DEFAULT);
}

/* ---- The object ---- */

WwWindow *
ww_window_new (GtkApplication *application, GSettings *settings)
{
  WwWindow *self = g_object_new (WW_TYPE_WINDOW, "application", application, NULL);
  g_autofree char *page = NULL;

  if (settings != NULL)
    {
      self->settings = g_object_ref (settings);
      page = g_settings_get_string (settings, "page");
    }
  ww_app_settings_bind_session (settings, self->session);
  ww_curves_page_set_session (self->curves_page, self->session);
  ww_perturb_page_set_session (self->perturb_page, self->session);
  g_object_bind_property (self->curves_page, "sidebar", self->perturb_page, "sidebar",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  bind_settings (self);
  watch_session (self);
  ww_window_set_page (self, page != NULL ? page : "curves");
  on_page_changed (self);
  return self;
}

void
ww_window_open_remembered_set (WwWindow *self)
{
  g_return_if_fail (WW_IS_WINDOW (self));

  ww_app_settings_open_set (self->settings, self->session);
}

WwSession *
ww_window_get_session (WwWindow *self)
{
  g_return_val_if_fail (WW_IS_WINDOW (self), NULL);

  return self->session;
}

WwCurvesPage *
ww_window_get_curves_page (WwWindow *self)
{
  g_return_val_if_fail (WW_IS_WINDOW (self), NULL);

  return self->curves_page;
}

WwPerturbPage *
ww_window_get_perturb_page (WwWindow *self)
{
  g_return_val_if_fail (WW_IS_WINDOW (self), NULL);

  return self->perturb_page;
}

const char *
ww_window_get_page (WwWindow *self)
{
  g_return_val_if_fail (WW_IS_WINDOW (self), NULL);

  return adw_view_stack_get_visible_child_name (self->pages);
}

void
ww_window_set_page (WwWindow *self, const char *name)
{
  g_return_if_fail (WW_IS_WINDOW (self));

  adw_view_stack_set_visible_child_name (self->pages, name);
}

static void
notify_sidebar (WwWindow *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SIDEBAR]);
}

static void
ww_window_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WwWindow *self = WW_WINDOW (object);

  /* The action asks before the template has brought the page. */
  if (id == PROP_SIDEBAR && self->curves_page == NULL)
    g_value_set_boolean (value, TRUE);
  else if (id == PROP_SIDEBAR)
    g_object_get_property (G_OBJECT (self->curves_page), "sidebar", value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ww_window_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SIDEBAR)
    g_object_set_property (G_OBJECT (WW_WINDOW (object)->curves_page), "sidebar", value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ww_window_dispose (GObject *object)
{
  WwWindow *self = WW_WINDOW (object);

  g_cancellable_cancel (self->cancellable);
  ww_window_stop_looking (self);
  g_clear_weak_pointer (&self->preview_dialog);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      /* Nobody will look at what is still being computed. */
      ww_session_cancel_open (self->session);
      ww_session_cancel_curve (self->session);
      g_object_set (self->session, "perturb-active", FALSE, NULL);
    }
  G_OBJECT_CLASS (ww_window_parent_class)->dispose (object);
  g_clear_object (&self->session);
}

static void
ww_window_finalize (GObject *object)
{
  WwWindow *self = WW_WINDOW (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->toast_title, g_free);
  g_clear_pointer (&self->toast_details, g_free);
  g_clear_weak_pointer (&self->toast);
  G_OBJECT_CLASS (ww_window_parent_class)->finalize (object);
}

static void
ww_window_class_init (WwWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = ww_window_get_property;
  object_class->set_property = ww_window_set_property;
  object_class->dispose = ww_window_dispose;
  object_class->finalize = ww_window_finalize;
  widget_class->realize = ww_window_realize;
  g_type_ensure (WW_TYPE_CURVES_PAGE);
  g_type_ensure (WW_TYPE_PERTURB_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-window.ui");
  gtk_widget_class_bind_template_child (widget_class, WwWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, WwWindow, content);
  gtk_widget_class_bind_template_child (widget_class, WwWindow, switcher);
  gtk_widget_class_bind_template_child (widget_class, WwWindow, switcher_bar);
  gtk_widget_class_bind_template_child (widget_class, WwWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, WwWindow, curves_page);
  gtk_widget_class_bind_template_child (widget_class, WwWindow, perturb_page);

  properties[PROP_SIDEBAR]
    = g_param_spec_boolean ("sidebar", NULL, NULL, TRUE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  ww_window_install_actions (widget_class);
}

static void
ww_window_init (WwWindow *self)
{
  self->session = ww_session_new ();
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->pages, "notify::visible-child-name",
                           G_CALLBACK (on_page_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->curves_page, "notify::sidebar", G_CALLBACK (notify_sidebar), self,
                           G_CONNECT_SWAPPED);
  ww_window_take_drops (self);
  ww_focus_keep (GTK_WINDOW (self));
}
