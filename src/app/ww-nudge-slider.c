#include "ww-nudge-slider.h"

#include <glib/gi18n.h>
#include <math.h>

/* How much of a frame a moved slider may wait for its figures. */
#define FRAME_SHARE_US 8000

struct _WwNudgeSlider
{
  GtkWidget parent_instance;

  GtkAdjustment *length_adjustment;
  GtkScale *length_scale;
  GtkLabel *length_title, *length_label, *length_note;

  WwSession *session;
  double shown_length; /* of the nudge that is shown; NaN: none */
  gboolean updating;   /* the slider follows the session */
};

G_DEFINE_FINAL_TYPE (WwNudgeSlider, ww_nudge_slider, GTK_TYPE_WIDGET)

static gboolean
goes_toward (WwNudgeSlider *self)
{
  return self->session != NULL
         && ww_session_get_inputs (self->session)->direction == WW_DIRECTION_TOWARD;
}

/* Two words can be further apart than the ball reaches. */
static void
update_note (WwNudgeSlider *self)
{
  gboolean shown = goes_toward (self) && isfinite (self->shown_length), beyond;
  double radius;
  g_autofree char *words = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->length_note), shown);
  if (!shown)
    return;
  radius = ww_session_get_inputs (self->session)->radius;
  beyond = self->shown_length > radius * (1 + 1e-9);
  words = beyond ? g_strdup_printf (_ ("‖δ‖ / √d = %.2f. This leaves the ball of radius r = %.3g, in "
                                       "which word sensitivity is searched."),
                                    self->shown_length, radius)
                 : g_strdup_printf (_ ("‖δ‖ / √d = %.2f"), self->shown_length);
  gtk_label_set_text (self->length_note, words);
  if (beyond)
    gtk_widget_add_css_class (GTK_WIDGET (self->length_note), "warning");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->length_note), "warning");
}

void
ww_nudge_slider_set_shown (WwNudgeSlider *self, WwShownNudge *shown)
{
  const WwNudge *nudge = shown != NULL ? ww_shown_nudge_get_nudge (shown) : NULL;

  g_return_if_fail (WW_IS_NUDGE_SLIDER (self));

  self->shown_length = nudge != NULL ? nudge->delta_norm / sqrt ((double) nudge->d) : NAN;
  update_note (self);
}

static void
update_value (WwNudgeSlider *self)
{
  g_autofree char *words
    = g_strdup_printf ("%.2f", gtk_adjustment_get_value (self->length_adjustment));

  gtk_label_set_text (self->length_label, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->length_scale),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, words, -1);
}

/* The slider sets the length, or the part of the way to a word. */
static void
on_moved (WwNudgeSlider *self)
{
  update_value (self);
  if (self->session != NULL && !self->updating)
    g_object_set (self->session, goes_toward (self) ? "amount" : "length",
                  gtk_adjustment_get_value (self->length_adjustment), NULL);
}

/* Slider and figures land in one frame where the result is ready within a part of it; where it is
 * not, the figures follow in a later frame. */
static void
on_length_changed (WwNudgeSlider *self)
{
  const WwInputs *inputs = ww_session_get_inputs (self->session);

  self->updating = TRUE;
  gtk_adjustment_set_value (self->length_adjustment,
                            goes_toward (self) ? inputs->amount : inputs->length);
  self->updating = FALSE;
  ww_session_flush_nudge (self->session, FRAME_SHARE_US);
}

/* A word may hold an underscore, which is no mnemonic. */
static void
update_title (WwNudgeSlider *self)
{
  const char *word = ww_session_get_inputs (self->session)->toward_word;
  gboolean toward = goes_toward (self);
  /* Translators: a word that the token is moved to; λ goes from 0 to 1. */
  g_autofree char *title = toward && *word != '\0' ? g_strdup_printf (_ ("Way λ to “%s”"), word) : NULL;

  if (title != NULL)
    gtk_label_set_text (self->length_title, title);
  else
    gtk_label_set_text_with_mnemonic (self->length_title, toward ? _ ("Way λ to a word")
                                                                 : _ ("_Length ‖δ‖ / √d"));
  gtk_accessible_update_property (
    GTK_ACCESSIBLE (self->length_scale), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
    toward ? _ ("Part of the way from the token to the word, from 0 to 1")
           : _ ("Length of the nudge, norm of delta over the square root of d"),
    -1);
}

/* What the slider stands for, and how far it goes. */
static void
update_slider (WwNudgeSlider *self)
{
  const WwInputs *inputs = ww_session_get_inputs (self->session);
  gboolean toward = goes_toward (self);
  double end = toward ? 1 : inputs->radius;

  update_title (self);
  self->updating = TRUE;
  gtk_adjustment_configure (self->length_adjustment, toward ? inputs->amount : inputs->length, 0,
                            end, end / 100, end / 10, 0);
  self->updating = FALSE;
  gtk_scale_clear_marks (self->length_scale);
  for (int i = 0; i <= 4; i++)
    {
      g_autofree char *words = i % 2 == 0 ? g_strdup_printf ("%.3g", end * i / 4) : NULL;

      gtk_scale_add_mark (self->length_scale, end * i / 4, GTK_POS_BOTTOM, words);
    }
  update_value (self);
  update_note (self);
}

GtkAdjustment *
ww_nudge_slider_get_adjustment (WwNudgeSlider *self)
{
  g_return_val_if_fail (WW_IS_NUDGE_SLIDER (self), NULL);

  return self->length_adjustment;
}

/* ---- The object ---- */

void
ww_nudge_slider_set_session (WwNudgeSlider *self, WwSession *session)
{
  static const char *const scales[]
    = { "notify::radius", "notify::direction", "notify::toward-word" };
  static const char *const lengths[] = { "notify::length", "notify::amount" };

  g_return_if_fail (WW_IS_NUDGE_SLIDER (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    g_signal_connect_object (session, scales[i], G_CALLBACK (update_slider), self,
                             G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    g_signal_connect_object (session, lengths[i], G_CALLBACK (on_length_changed), self,
                             G_CONNECT_SWAPPED);
  update_slider (self);
}

static void
ww_nudge_slider_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&WW_NUDGE_SLIDER (object)->session);
  G_OBJECT_CLASS (ww_nudge_slider_parent_class)->dispose (object);
}

static void
ww_nudge_slider_class_init (WwNudgeSliderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_nudge_slider_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-nudge-slider.ui");
  gtk_widget_class_bind_template_child (widget_class, WwNudgeSlider, length_adjustment);
  gtk_widget_class_bind_template_child (widget_class, WwNudgeSlider, length_scale);
  gtk_widget_class_bind_template_child (widget_class, WwNudgeSlider, length_title);
  gtk_widget_class_bind_template_child (widget_class, WwNudgeSlider, length_label);
  gtk_widget_class_bind_template_child (widget_class, WwNudgeSlider, length_note);
}

static void
ww_nudge_slider_init (WwNudgeSlider *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->shown_length = NAN;
  g_signal_connect_swapped (self->length_adjustment, "value-changed", G_CALLBACK (on_moved), self);
  update_value (self);
}
