#include "ww-sweep-panel.h"

#include "ww-seed-entry.h"
#include "ww-text-words.h"

/* k of RF in the order of the list; 0 is the paper's k = n d. */
static const guint feature_choices[] = { 1024, 4096, 16384, 65536, 0 };

/* Units of each layer of DRF; its cost grows with the square. */
static const guint width_choices[] = { 256, 512, 1024, 2048, 4096 };

typedef struct
{
  const guint *values;
  guint n;
} Choices;
static const Choices features_list = { feature_choices, G_N_ELEMENTS (feature_choices) };
static const Choices width_list = { width_choices, G_N_ELEMENTS (width_choices) };

struct _WwSweepPanel
{
  GtkWidget parent_instance;

  GtkSpinButton *n_min_spin, *n_max_spin, *n_points_spin, *trials_spin, *radius_spin;
  GtkEntry *seed_entry;
  AdwActionRow *n_max_row;
  AdwComboRow *token_row, *effort_row, *features_row, *width_row, *bound_row;
  GtkSpinButton *depth_spin;
  GtkWidget *deep_group;

  WwSession *session;
};

G_DEFINE_FINAL_TYPE (WwSweepPanel, ww_sweep_panel, GTK_TYPE_WIDGET)

static gboolean
value_to_selected (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  const Choices *choices = user_data;

  for (guint i = 0; i < choices->n; i++)
    if (choices->values[i] == g_value_get_uint (from))
      {
        g_value_set_uint (to, i);
        return TRUE;
      }
  return FALSE;
}

static gboolean
selected_to_value (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  const Choices *choices = user_data;
  guint selected = g_value_get_uint (from);

  if (selected >= choices->n)
    return FALSE;
  g_value_set_uint (to, choices->values[selected]);
  return TRUE;
}

static gboolean
has_drf (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_set_boolean (to, (g_value_get_uint (from) & WW_MAP_BIT (WW_MAP_DRF)) != 0);
  return TRUE;
}

/* "To n" can ask for more than the text has; the row then says what is used. */
static void
update_longest (WwSweepPanel *self)
{
  /* Words that the set does not have are no rows. */
  gsize n_rows = ww_inputs_get_n_rows (ww_session_get_inputs (self->session));
  g_autofree char *words = NULL;
  gboolean synthetic;
  guint n_max;

  g_object_get (self->session, "n-max", &n_max, "synthetic", &synthetic, NULL);
  if (!synthetic && n_rows > 0 && n_rows < n_max)
    words = ww_text_dup_rows_words (ww_session_get_inputs (self->session), n_rows);
  adw_action_row_set_subtitle (self->n_max_row, words != NULL ? words : "");
}

/* The longest is never below the shortest: the one that was not changed follows. */
static void
on_n_min_changed (WwSweepPanel *self)
{
  double n_min = gtk_spin_button_get_value (self->n_min_spin);

  if (gtk_spin_button_get_value (self->n_max_spin) < n_min)
    gtk_spin_button_set_value (self->n_max_spin, n_min);
}

static void
on_n_max_changed (WwSweepPanel *self)
{
  double n_max = gtk_spin_button_get_value (self->n_max_spin);

  if (gtk_spin_button_get_value (self->n_min_spin) > n_max)
    gtk_spin_button_set_value (self->n_min_spin, n_max);
}

static void
tie (WwSweepPanel *self, const char *property, gpointer widget, const char *widget_property)
{
  g_object_bind_property (self->session, property, widget, widget_property,
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
}

static void
tie_choice (WwSweepPanel *self, const char *property, AdwComboRow *row, const Choices *choices)
{
  g_object_bind_property_full (self->session, property, row, "selected",
                               G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL, value_to_selected,
                               selected_to_value, (gpointer) choices, NULL);
}

void
ww_sweep_panel_set_session (WwSweepPanel *self, WwSession *session)
{
  g_return_if_fail (WW_IS_SWEEP_PANEL (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  tie (self, "n-min", self->n_min_spin, "value");
  tie (self, "n-max", self->n_max_spin, "value");
  tie (self, "n-points", self->n_points_spin, "value");
  tie (self, "trials", self->trials_spin, "value");
  ww_seed_entry_bind (self->seed_entry, session);
  tie (self, "radius", self->radius_spin, "value");
  tie (self, "token-all", self->token_row, "selected");
  tie (self, "effort", self->effort_row, "selected");
  tie (self, "depth", self->depth_spin, "value");
  tie (self, "bound", self->bound_row, "selected");
  tie_choice (self, "features", self->features_row, &features_list);
  tie_choice (self, "width", self->width_row, &width_list);
  g_object_bind_property_full (session, "maps", self->deep_group, "visible",
                               G_BINDING_SYNC_CREATE, has_drf, NULL, NULL, NULL);
  g_signal_connect_swapped (self->n_min_spin, "value-changed", G_CALLBACK (on_n_min_changed), self);
  g_signal_connect_swapped (self->n_max_spin, "value-changed", G_CALLBACK (on_n_max_changed), self);
  on_n_min_changed (self);
  g_signal_connect_object (session, "notify::n-max", G_CALLBACK (update_longest), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::tokens", G_CALLBACK (update_longest), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::layer", G_CALLBACK (update_longest), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::synthetic", G_CALLBACK (update_longest), self,
                           G_CONNECT_SWAPPED);
  update_longest (self);
}

static void
ww_sweep_panel_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&WW_SWEEP_PANEL (object)->session);
  G_OBJECT_CLASS (ww_sweep_panel_parent_class)->dispose (object);
}

static void
ww_sweep_panel_class_init (WwSweepPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_sweep_panel_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-sweep-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, n_min_spin);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, n_max_spin);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, n_points_spin);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, trials_spin);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, seed_entry);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, radius_spin);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, n_max_row);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, token_row);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, effort_row);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, features_row);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, width_row);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, bound_row);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, depth_spin);
  gtk_widget_class_bind_template_child (widget_class, WwSweepPanel, deep_group);
}

static void
ww_sweep_panel_init (WwSweepPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
