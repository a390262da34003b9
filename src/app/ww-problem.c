#include "ww-problem.h"

#include <glib/gi18n.h>
#include <string.h>

/* A line of a recipe has some 80 characters. */
#define WINDOW_WIDTH 740
#define SENTENCE_CHARS 70
#define MAX_HEIGHT 420
#define MARGIN 18

struct _WwProblem
{
  GtkBox parent_instance;

  GtkLabel *sentences, *recipe;
  GtkWidget *recipe_box, *copy_button;
  char *lines; /* of the recipe, or NULL */
};

G_DEFINE_FINAL_TYPE (WwProblem, ww_problem, GTK_TYPE_BOX)

/* ---- The two parts of a message ---- */

void
ww_problem_split (const char *message, char **ret_sentences, char **ret_recipe)
{
  const char *recipe = strstr (message, "\n  ");
  gsize length = recipe != NULL ? (gsize) (recipe - message) : strlen (message);

  if (ret_sentences != NULL)
    *ret_sentences = g_strndup (message, length);
  if (ret_recipe == NULL)
    return;

  *ret_recipe = NULL;
  if (recipe != NULL)
    {
      GString *lines = g_string_new (recipe + strlen ("\n  "));

      g_string_replace (lines, "\n  ", "\n", 0);
      *ret_recipe = g_string_free (lines, FALSE);
    }
}

void
ww_problem_set_message (WwProblem *self, const char *message)
{
  g_autofree char *sentences = NULL;

  g_return_if_fail (WW_IS_PROBLEM (self));

  g_clear_pointer (&self->lines, g_free);
  ww_problem_split (message != NULL ? message : "", &sentences, &self->lines);
  gtk_label_set_text (self->sentences, sentences);
  gtk_label_set_text (self->recipe, self->lines != NULL ? self->lines : "");
  gtk_button_set_label (GTK_BUTTON (self->copy_button), _ ("_Copy"));
  gtk_widget_set_visible (self->recipe_box, self->lines != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), message != NULL && *message != '\0');
}

const char *
ww_problem_get_sentences (WwProblem *self)
{
  g_return_val_if_fail (WW_IS_PROBLEM (self), NULL);

  return gtk_label_get_text (self->sentences);
}

const char *
ww_problem_get_recipe (WwProblem *self)
{
  g_return_val_if_fail (WW_IS_PROBLEM (self), NULL);

  return self->lines;
}

/* ---- A window of its own ---- */

static GtkWidget *
wrap_in_scroller (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), MAX_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static void
close_on_escape (GtkWidget *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (controller),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, controller);
}

void
ww_problem_show (GtkWindow *parent, const char *title, const char *message)
{
  GtkWidget *window = g_object_new (ADW_TYPE_WINDOW, "transient-for", parent, "modal", TRUE,
                                    "destroy-with-parent", TRUE, "title", title, "default-width", WINDOW_WIDTH,
                                    NULL);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  WwProblem *problem = g_object_new (WW_TYPE_PROBLEM, "margin-start", MARGIN, "margin-end", MARGIN, "margin-top",
                                     MARGIN / 2, "margin-bottom", MARGIN, NULL);

  ww_problem_set_message (problem, message);
  gtk_box_append (GTK_BOX (content), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (content), wrap_in_scroller (GTK_WIDGET (problem)));
  adw_window_set_content (ADW_WINDOW (window), content);
  close_on_escape (window);
  /* A label that has the keyboard shows all of its text as selected. */
  gtk_window_set_focus (GTK_WINDOW (window), problem->lines != NULL ? problem->copy_button : NULL);
  gtk_window_present (GTK_WINDOW (window));
}

/* ---- The object ---- */

static void
on_copy_clicked (WwProblem *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->lines);
  /* Translators: a button says so after its lines have gone to the clipboard. */
  gtk_button_set_label (GTK_BUTTON (self->copy_button), _ ("Copied"));
}

static GtkLabel *
add_label (void)
{
  return g_object_new (GTK_TYPE_LABEL, "xalign", 0.0f, "selectable", TRUE, NULL);
}

/* Lines that are broken elsewhere would not run: too long ones scroll. */
static void
build_recipe (WwProblem *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->recipe = add_label ();
  gtk_widget_add_css_class (GTK_WIDGET (self->recipe), "monospace");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->recipe), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Lines that convert the file"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->recipe));
  self->copy_button = gtk_button_new_with_mnemonic (_ ("_Copy"));
  gtk_widget_set_halign (self->copy_button, GTK_ALIGN_END);
  g_signal_connect_swapped (self->copy_button, "clicked", G_CALLBACK (on_copy_clicked), self);
  self->recipe_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_add_css_class (self->recipe_box, "card");
  gtk_widget_add_css_class (self->recipe_box, "recipe");
  gtk_box_append (GTK_BOX (self->recipe_box), scroller);
  gtk_box_append (GTK_BOX (self->recipe_box), self->copy_button);
}

static void
ww_problem_finalize (GObject *object)
{
  g_free (WW_PROBLEM (object)->lines);
  G_OBJECT_CLASS (ww_problem_parent_class)->finalize (object);
}

static void
ww_problem_class_init (WwProblemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ww_problem_finalize;
}

static void
ww_problem_init (WwProblem *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 12);
  self->sentences = add_label ();
  gtk_label_set_wrap (self->sentences, TRUE);
  /* A scrolled window asks for the height at the natural width. */
  gtk_label_set_max_width_chars (self->sentences, SENTENCE_CHARS);
  gtk_label_set_wrap_mode (self->sentences, PANGO_WRAP_WORD_CHAR);
  build_recipe (self);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->sentences));
  gtk_box_append (GTK_BOX (self), self->recipe_box);
}
