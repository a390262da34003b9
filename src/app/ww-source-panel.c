#include "ww-source-panel.h"

#include <glib/gi18n.h>

#include "ww-combo-names.h"
#include "ww-format-words.h"
#include "ww-problem.h"
#include "ww-seed-entry.h"
#include "ww-state-words.h"
#include "ww-text-words.h"

struct _WwSourcePanel
{
  GtkWidget parent_instance;

  GtkTextView *text_view;
  GtkLabel *text_label;
  AdwActionRow *set_row;
  GtkSpinner *set_spinner;
  GtkWidget *text_group, *set_cancel, *set_progress, *progress_row, *preview_button, *sample_button;
  GtkSpinButton *dims_spin;
  GtkAdjustment *dims_adjustment;
  AdwComboRow *layer_row, *normalisation_row, *unknown_row;
  AdwActionRow *text_row, *special_row;
  GtkSpinButton *text_spin;
  GtkWidget *unknown_seed_row;
  GtkEntry *unknown_seed_entry;
  GtkSwitch *special_switch, *synthetic_switch;
  GMenu *examples_menu;

  WwSession *session;
  GArray *layers; /* of int, those that the set offers */
  WwUnknown offered[WW_N_UNKNOWNS]; /* what each item of unknown_row is */
  guint n_offered;
  gboolean updating; /* a control follows the session: its change is no wish of the user */
};

G_DEFINE_FINAL_TYPE (WwSourcePanel, ww_source_panel, GTK_TYPE_WIDGET)

/* ---- Text ---- */

static void
on_buffer_changed (WwSourcePanel *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  if (self->updating || self->session == NULL)
    return;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  ww_session_set_text (self->session, text);
}

static void
on_text_changed (WwSourcePanel *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  const char *wanted = ww_session_get_text (self->session);
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  if (g_strcmp0 (text, wanted != NULL ? wanted : "") == 0)
    return;
  self->updating = TRUE;
  gtk_text_buffer_set_text (buffer, wanted != NULL ? wanted : "", -1);
  self->updating = FALSE;
}

/* "540 tokens. What is left out of them. Which of them are unknown." */
static void
update_text_label (WwSourcePanel *self)
{
  WwTokens *tokens = ww_session_get_tokens (self->session);
  const char *message = ww_session_get_text_message (self->session);
  gsize n = tokens != NULL ? tokens->n : 0;
  gboolean cut, told = message != NULL && *message != '\0';
  g_autofree char *length
    = ww_text_dup_length_note (ww_session_get_inputs (self->session), tokens, &cut);
  g_autoptr (GString) words = g_string_new (NULL);

  if (n > 0 || !told)
    g_string_printf (words, ngettext ("%zu token", "%zu tokens", n), n);
  if (n > 0 && (told || length != NULL))
    g_string_append (words, ". ");
  if (length != NULL)
    g_string_append_printf (words, "%s%s", length, told ? " " : "");
  if (told)
    g_string_append (words, message);
  gtk_label_set_text (self->text_label, words->str);
  if (told || cut)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->text_label), "warning");
      gtk_widget_remove_css_class (GTK_WIDGET (self->text_label), "dim-label");
    }
  else
    {
      gtk_widget_remove_css_class (GTK_WIDGET (self->text_label), "warning");
      gtk_widget_add_css_class (GTK_WIDGET (self->text_label), "dim-label");
    }
}

static void
fill_examples (WwSourcePanel *self)
{
  gsize n;
  const WwExampleText *examples = ww_example_texts_get (&n);

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (_ (examples[i].title), NULL);

      g_menu_item_set_action_and_target (item, "win.example", "s", examples[i].id);
      g_menu_append_item (self->examples_menu, item);
    }
}

/* ---- Set ---- */

static char *
describe_set (WwSet *set)
{
  gsize entries = ww_set_get_n_entries (set);
  g_autofree char *format = ww_format_dup_words (ww_set_get_format (set));

  if (ww_set_get_kind (set) == WW_SET_KIND_CONTEXT)
    /* Translators: the format of a file, the number of its rows, its dimensions. */
    return g_strdup_printf (ngettext ("%s, %zu row, d = %zu", "%s, %zu rows, d = %zu", entries),
                            format, entries, ww_set_get_dims (set));
  return g_strdup_printf (ngettext ("%s, %zu token, d = %zu", "%s, %zu tokens, d = %zu", entries),
                          format, entries, ww_set_get_dims (set));
}

static char *
get_layer_name (int layer)
{
  if (layer == WW_LAYER_WORD)
    return g_strdup (_ ("Word vectors"));
  if (layer == 0)
    return g_strdup (_ ("First block's input"));
  /* Translators: the hidden state that a block of a trained model puts out. */
  return g_strdup_printf (_ ("After block %d"), layer);
}

static void
update_layers (WwSourcePanel *self, WwSet *set)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int layer;

  g_clear_pointer (&self->layers, g_array_unref);
  if (set != NULL)
    self->layers = ww_set_get_layers (set);
  gtk_widget_set_visible (GTK_WIDGET (self->layer_row),
                          self->layers != NULL && self->layers->len > 1);
  if (self->layers == NULL)
    return;

  g_object_get (self->session, "layer", &layer, NULL);
  self->updating = TRUE;
  for (guint i = 0; i < self->layers->len; i++)
    gtk_string_list_take (names, get_layer_name (g_array_index (self->layers, int, i)));
  ww_combo_set_names (self->layer_row, names);
  for (guint i = 0; i < self->layers->len; i++)
    if (g_array_index (self->layers, int, i) == layer)
      adw_combo_row_set_selected (self->layer_row, i);
  self->updating = FALSE;
}

static void
on_layer_selected (WwSourcePanel *self)
{
  guint selected = adw_combo_row_get_selected (self->layer_row);

  if (self->updating || self->session == NULL || self->layers == NULL
      || selected >= self->layers->len)
    return;
  g_object_set (self->session, "layer", g_array_index (self->layers, int, selected), NULL);
}

/* The spin button shows the real d where the session says "all" (0). */
static void
update_dims (WwSourcePanel *self)
{
  WwSet *set = ww_session_get_set (self->session);
  gsize most = set != NULL ? ww_set_get_dims (set) : 0;
  gboolean synthetic;
  guint dims;

  g_object_get (self->session, "dims", &dims, "synthetic", &synthetic, NULL);
  self->updating = TRUE;
  gtk_adjustment_set_upper (self->dims_adjustment,
                            most > 0 && !synthetic ? (double) most : WW_MAX_DIMS);
  gtk_widget_set_sensitive (GTK_WIDGET (self->dims_spin), set != NULL || synthetic);
  if (dims > 0 || most > 0)
    gtk_spin_button_set_value (self->dims_spin, dims > 0 ? dims : (double) most);
  self->updating = FALSE;
}

static void
on_dims_changed (WwSourcePanel *self)
{
  WwSet *set;
  guint dims;

  if (self->updating || self->session == NULL)
    return;
  set = ww_session_get_set (self->session);
  dims = (guint) gtk_spin_button_get_value_as_int (self->dims_spin);
  if (set != NULL && dims == ww_set_get_dims (set))
    dims = 0;
  g_object_set (self->session, "dims", dims, NULL);
}

/* "Loading words.vec", "Failed: ...": the state by its name, and what belongs to it. */
static char *
describe_state (WwSourcePanel *self)
{
  WwSet *set = ww_session_get_set (self->session);
  const WwOrigin *asked = ww_session_get_asked_origin (self->session);
  const char *message = ww_session_get_set_message (self->session);
  WwState state = ww_session_get_set_state (self->session);

  if (state == WW_STATE_LOADING)
    {
      g_autofree char *name = asked != NULL ? ww_origin_dup_name (asked) : NULL;

      /* Translators: a state, and the name of the file. */
      return name != NULL ? g_strdup_printf (_ ("%s: %s"), ww_state_get_name (state), name)
                          : g_strdup (ww_state_get_name (state));
    }
  if (state == WW_STATE_FAILED)
    {
      g_autofree char *why = NULL;

      ww_problem_split (message != NULL ? message : _ ("Unknown error"), &why, NULL);
      /* Translators: a state, and the sentence that says why. */
      return g_strdup_printf (_ ("%s: %s"), ww_state_get_name (state), why);
    }
  return set != NULL ? describe_set (set) : g_strdup (_ ("Nothing is open"));
}

static void
update_set (WwSourcePanel *self)
{
  WwSet *set = ww_session_get_set (self->session);
  const WwOrigin *origin = ww_session_get_origin (self->session);
  const char *message = ww_session_get_set_message (self->session);
  gboolean loading = ww_session_get_set_state (self->session) == WW_STATE_LOADING;
  gboolean from_file = origin != NULL && origin->file != NULL;
  g_autofree char *subtitle = describe_state (self);
  g_autofree char *name = set != NULL ? ww_format_dup_set_name (set) : NULL;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->set_row), name != NULL ? name : _ ("No set"));
  adw_action_row_set_subtitle (self->set_row, subtitle);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->set_row),
                               message != NULL && *message != '\0' ? message : subtitle);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->set_row), GTK_ACCESSIBLE_STATE_BUSY, loading,
                               -1);
  gtk_spinner_set_spinning (self->set_spinner, loading);
  gtk_widget_set_visible (GTK_WIDGET (self->set_spinner), loading);
  gtk_widget_set_visible (self->set_cancel, loading);
  gtk_widget_set_visible (self->progress_row, loading);
  gtk_widget_set_visible (self->preview_button, from_file && !loading);
  gtk_widget_set_visible (self->sample_button, from_file && !loading);
}

/* ---- One of several contexts in a file ---- */

static void
update_texts (WwSourcePanel *self)
{
  WwSet *set = ww_session_get_set (self->session);
  gsize n = set != NULL ? ww_set_get_n_texts (set) : 1;
  /* Translators: stands below “Text in the array”, beside its number: text 2 of 5. */
  g_autofree char *words = g_strdup_printf (_ ("of %zu"), n);

  self->updating = TRUE;
  gtk_widget_set_visible (GTK_WIDGET (self->text_row), n > 1);
  adw_action_row_set_subtitle (self->text_row, words);
  gtk_spin_button_set_range (self->text_spin, 1, (double) n);
  if (set != NULL)
    gtk_spin_button_set_value (self->text_spin, (double) ww_set_get_text (set) + 1);
  self->updating = FALSE;
}

static void
on_text_number_changed (WwSourcePanel *self)
{
  if (self->updating || self->session == NULL)
    return;
  ww_session_open_text (self->session,
                        (gsize) gtk_spin_button_get_value_as_int (self->text_spin) - 1);
}

/* ---- Words that the set lacks ---- */

static const char *
get_unknown_name (WwUnknown unknown)
{
  return unknown == WW_UNKNOWN_VECTOR ? _ ("The set’s vector")
         : unknown == WW_UNKNOWN_SKIP ? _ ("Left out")
                                      : _ ("Random rows");
}

/* What is left of the policies where some mean the same or nothing: without a vector of the set's own, that is as
 * being left out; what spells words with the pieces of a model has a trained vector in place of random rows. */
static void
find_offered (WwSourcePanel *self, WwSet *set, WwUnknown *ret_shown)
{
  gboolean spells = set == NULL || ww_set_spells_words (set);
  gboolean has_vector = set == NULL || ww_set_has_unknown_vector (set);

  self->n_offered = 0;
  if (has_vector)
    self->offered[self->n_offered++] = WW_UNKNOWN_VECTOR;
  self->offered[self->n_offered++] = WW_UNKNOWN_SKIP;
  if (!spells)
    self->offered[self->n_offered++] = WW_UNKNOWN_RANDOM;
  if (*ret_shown == WW_UNKNOWN_VECTOR && !has_vector)
    *ret_shown = WW_UNKNOWN_SKIP;
}

/* A ready context has no words. */
static void
update_unknown (WwSourcePanel *self)
{
  WwSet *set = ww_session_get_set (self->session);
  const WwInputs *inputs = ww_session_get_inputs (self->session);
  WwSetKind kind = set != NULL ? ww_set_get_kind (set) : WW_SET_KIND_CHECKPOINT;
  gboolean spells = set == NULL || ww_set_spells_words (set);
  WwUnknown unknown = set != NULL ? ww_inputs_get_unknown (inputs) : (WwUnknown) inputs->unknown;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  find_offered (self, set, &unknown);
  for (guint i = 0; i < self->n_offered; i++)
    gtk_string_list_append (names, get_unknown_name (self->offered[i]));
  self->updating = TRUE;
  ww_combo_set_names (self->unknown_row, names);
  for (guint i = 0; i < self->n_offered; i++)
    if (self->offered[i] == unknown)
      adw_combo_row_set_selected (self->unknown_row, i);
  self->updating = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->unknown_row), kind != WW_SET_KIND_CONTEXT);
  gtk_widget_set_visible (self->unknown_seed_row,
                          kind != WW_SET_KIND_CONTEXT && !spells && unknown == WW_UNKNOWN_RANDOM);
}

static void
on_unknown_selected (WwSourcePanel *self)
{
  guint selected = adw_combo_row_get_selected (self->unknown_row);

  if (self->updating || self->session == NULL || selected >= self->n_offered)
    return;
  g_object_set (self->session, "unknown", self->offered[selected], NULL);
}

/* A ready context has no text. */
static void
update_kind (WwSourcePanel *self)
{
  WwSet *set = ww_session_get_set (self->session);
  WwSetKind kind = set != NULL ? ww_set_get_kind (set) : WW_SET_KIND_CHECKPOINT;

  gtk_widget_set_visible (self->text_group, kind != WW_SET_KIND_CONTEXT);
}

/* Special tokens belong to a model's tokeniser, and not each has some. */
static void
update_special (WwSourcePanel *self)
{
  WwSet *set = ww_session_get_set (self->session);
  gboolean spells = set != NULL && ww_set_spells_words (set), any;
  g_autofree char *words = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->special_row), set == NULL || spells);
  if (!spells)
    return;
  words = ww_text_dup_special_words (ww_session_get_inputs (self->session), &any);
  adw_action_row_set_subtitle (self->special_row, words);
  gtk_widget_set_sensitive (GTK_WIDGET (self->special_row), any);
  gtk_widget_set_visible (GTK_WIDGET (self->special_switch), any);
}

static void
on_layer_changed (WwSourcePanel *self)
{
  update_layers (self, ww_session_get_set (self->session));
  update_special (self);
  update_text_label (self);
}

static void
on_set_changed (WwSourcePanel *self)
{
  update_set (self);
  update_kind (self);
  update_special (self);
  update_layers (self, ww_session_get_set (self->session));
  update_dims (self);
  update_texts (self);
  update_unknown (self);
}

/* ---- The object ---- */

static void
watch (WwSourcePanel *self, const char *signal, GCallback callback)
{
  g_signal_connect_object (self->session, signal, callback, self, G_CONNECT_SWAPPED);
}

static void
tie (WwSourcePanel *self, const char *property, gpointer widget, const char *widget_property)
{
  g_object_bind_property (self->session, property, widget, widget_property,
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
}

void
ww_source_panel_set_session (WwSourcePanel *self, WwSession *session)
{
  g_return_if_fail (WW_IS_SOURCE_PANEL (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  watch (self, "notify::text", G_CALLBACK (on_text_changed));
  watch (self, "notify::tokens", G_CALLBACK (update_text_label));
  watch (self, "notify::text-message", G_CALLBACK (update_text_label));
  watch (self, "notify::set", G_CALLBACK (on_set_changed));
  watch (self, "notify::set-state", G_CALLBACK (update_set));
  watch (self, "notify::set-message", G_CALLBACK (update_set));
  watch (self, "notify::special", G_CALLBACK (update_special));
  watch (self, "notify::unknown", G_CALLBACK (update_unknown));
  watch (self, "notify::layer", G_CALLBACK (on_layer_changed));
  watch (self, "notify::dims", G_CALLBACK (update_dims));
  watch (self, "notify::synthetic", G_CALLBACK (update_dims));
  ww_seed_entry_bind_property (self->unknown_seed_entry, session, "unknown-seed");
  tie (self, "normalisation", self->normalisation_row, "selected");
  tie (self, "special", self->special_switch, "active");
  tie (self, "synthetic", self->synthetic_switch, "active");
  g_object_bind_property (session, "set-progress", self->set_progress, "fraction",
                          G_BINDING_SYNC_CREATE);
  on_text_changed (self);
  update_text_label (self);
  on_set_changed (self);
}

void
ww_source_panel_focus_text (WwSourcePanel *self)
{
  g_return_if_fail (WW_IS_SOURCE_PANEL (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->text_view));
}

static void
ww_source_panel_dispose (GObject *object)
{
  WwSourcePanel *self = WW_SOURCE_PANEL (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->session);
  g_clear_pointer (&self->layers, g_array_unref);
  G_OBJECT_CLASS (ww_source_panel_parent_class)->dispose (object);
}

static void
ww_source_panel_class_init (WwSourcePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_source_panel_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-source-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, text_view);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, text_label);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, set_row);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, set_spinner);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, set_cancel);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, set_progress);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, progress_row);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, preview_button);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, sample_button);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, text_row);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, text_spin);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, unknown_row);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, unknown_seed_row);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, unknown_seed_entry);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, dims_spin);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, dims_adjustment);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, layer_row);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, normalisation_row);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, special_row);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, special_switch);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, text_group);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, synthetic_switch);
  gtk_widget_class_bind_template_child (widget_class, WwSourcePanel, examples_menu);
}

static void
ww_source_panel_init (WwSourcePanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_examples (self);
  g_signal_connect_swapped (gtk_text_view_get_buffer (self->text_view), "changed",
                            G_CALLBACK (on_buffer_changed), self);
  g_signal_connect_swapped (self->dims_spin, "value-changed", G_CALLBACK (on_dims_changed), self);
  g_signal_connect_swapped (self->text_spin, "value-changed", G_CALLBACK (on_text_number_changed),
                            self);
  g_signal_connect_swapped (self->unknown_row, "notify::selected",
                            G_CALLBACK (on_unknown_selected), self);
  g_signal_connect_swapped (self->layer_row, "notify::selected", G_CALLBACK (on_layer_selected),
                            self);
}
