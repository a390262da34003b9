#include "ww-seed-entry.h"

#include <string.h>

#define SESSION_KEY "ww-session"
#define PROPERTY_KEY "ww-property"

static WwSession *
get_seed (GtkEntry *entry, const char **ret_property, guint64 *ret_seed)
{
  WwSession *session = g_object_get_data (G_OBJECT (entry), SESSION_KEY);

  *ret_property = g_object_get_data (G_OBJECT (entry), PROPERTY_KEY);
  g_object_get (session, *ret_property, ret_seed, NULL);
  return session;
}

static void
show_seed (GtkEntry *entry)
{
  g_autofree char *text = NULL;
  const char *property;
  guint64 seed;
  int width;

  get_seed (entry, &property, &seed);
  text = g_strdup_printf ("%" G_GUINT64_FORMAT, seed);
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (entry)), text))
    gtk_editable_set_text (GTK_EDITABLE (entry), text);
  /* A seed is always seen in full. */
  width = (int) CLAMP (strlen (text), 6, 20);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), width);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), width);
}

static void
take_seed (GtkEntry *entry)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));
  const char *property;
  guint64 seed, before;
  WwSession *session = get_seed (entry, &property, &before);

  if (g_ascii_string_to_unsigned (g_strstrip (text), 10, 0, G_MAXUINT64, &seed, NULL)
      && seed != before)
    g_object_set (session, property, seed, NULL);
  show_seed (entry);
}

void
ww_seed_entry_bind_property (GtkEntry *entry, WwSession *session, const char *property)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_autofree char *signal = g_strconcat ("notify::", property, NULL);

  g_return_if_fail (GTK_IS_ENTRY (entry));

  g_object_set_data_full (G_OBJECT (entry), SESSION_KEY, g_object_ref (session), g_object_unref);
  g_object_set_data_full (G_OBJECT (entry), PROPERTY_KEY, g_strdup (property), g_free);
  g_signal_connect_object (session, signal, G_CALLBACK (show_seed), entry, G_CONNECT_SWAPPED);
  g_signal_connect (entry, "activate", G_CALLBACK (take_seed), NULL);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (take_seed), entry);
  gtk_widget_add_controller (GTK_WIDGET (entry), focus);
  show_seed (entry);
}

void
ww_seed_entry_bind (GtkEntry *entry, WwSession *session)
{
  ww_seed_entry_bind_property (entry, session, "seed");
}
