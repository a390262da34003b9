#include "ww-app-settings.h"

#define SCHEMA "org.wordsway.Wordsway"
#define LAYER_OF_SET (-2)

/* Each key bears the name of the session's property. */
static const char *const session_keys[] = {
  "special",   "unknown",       "unknown-seed",  "normalisation", "dims",          "n-min",           "n-max",     "n-points",
  "trials",    "seed",          "token-all",     "effort",          "radius",    "features",
  "synthetic", "perturb-n",     "token",         "direction-map",   "direction", "sensitivity-map",
  "length",    "maps",          "depth",         "width",           "bound",     "head",
  "amount",    "toward-word",   "swap-map",   "laws",
};

GSettings *
ww_app_settings_new (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, SCHEMA, TRUE);
  if (schema == NULL)
    {
      g_printerr ("wordsway: the settings schema %s is not installed; choices will not be "
                  "remembered.\n",
                  SCHEMA);
      return NULL;
    }
  return g_settings_new_full (schema, NULL, NULL);
}

static void
remember_layer (GSettings *settings, GParamSpec *pspec, WwSession *session)
{
  int layer;

  if (ww_session_get_chosen_layer (session, &layer))
    g_settings_set_int (settings, "layer", layer);
}

/* No plain binding: until a layer is chosen each set brings its own. */
static void
bind_layer (GSettings *settings, WwSession *session)
{
  int layer = g_settings_get_int (settings, "layer");

  if (layer != LAYER_OF_SET)
    g_object_set (session, "layer", layer, NULL);
  g_signal_connect_object (session, "notify::layer", G_CALLBACK (remember_layer), settings,
                           G_CONNECT_SWAPPED);
}

static void
bind_text (GSettings *settings, WwSession *session)
{
  g_autofree char *text = g_settings_get_string (settings, "text");

  /* Never used, or emptied and left so: start with the example, so that there is a figure. */
  if (*text == '\0')
    {
      gsize n;
      const WwExampleText *examples = ww_example_texts_get (&n);

      if (n > 0)
        g_settings_set_string (settings, "text", examples[0].text);
    }
  g_settings_bind (settings, "text", session, "text", G_SETTINGS_BIND_DEFAULT);
}

void
ww_app_settings_bind_session (GSettings *settings, WwSession *session)
{
  g_return_if_fail (WW_IS_SESSION (session));

  if (settings == NULL)
    {
      gsize n;
      const WwExampleText *examples = ww_example_texts_get (&n);

      if (n > 0)
        ww_session_set_text (session, examples[0].text);
      ww_session_forget_history (session);
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (session_keys); i++)
    g_settings_bind (settings, session_keys[i], session, session_keys[i],
                     G_SETTINGS_BIND_DEFAULT);
  bind_layer (settings, session);
  bind_text (settings, session);
  ww_session_forget_history (session);
}

static WwOrigin *
read_origin (GSettings *settings, GFile *file)
{
  g_autofree char *member = g_settings_get_string (settings, "set-member");
  g_autofree char *words_uri = g_settings_get_string (settings, "set-words-uri");
  g_autofree char *column = g_settings_get_string (settings, "set-column");
  g_autofree char *reading = g_settings_get_string (settings, "set-reading");
  g_autoptr (GFile) words = *words_uri != '\0' ? g_file_new_for_uri (words_uri) : NULL;
  WwOpenOptions options = { .member = *member != '\0' ? member : NULL,
                            .words = words,
                            .column = *column != '\0' ? column : NULL,
                            .without_words = g_settings_get_boolean (settings, "set-without-words") };

  ww_reading_from_id (reading, &options.reading);
  return ww_origin_new (file, &options);
}

void
ww_app_settings_open_set (GSettings *settings, WwSession *session)
{
  g_autofree char *uri = settings != NULL ? g_settings_get_string (settings, "set-uri") : NULL;
  g_autoptr (GFile) file = NULL;

  g_return_if_fail (WW_IS_SESSION (session));

  if (uri == NULL || *uri == '\0')
    {
      ww_session_open_builtin (session, NULL);
      return;
    }
  file = g_file_new_for_uri (uri);
  /* A set that has gone since must not greet the user with an error. */
  if (g_file_query_exists (file, NULL))
    {
      g_autoptr (WwOrigin) origin = read_origin (settings, file);

      ww_session_open_origin (session, origin);
    }
  else
    ww_session_open_builtin (session, NULL);
}

static void
remember_file (GSettings *settings, const char *key, GFile *file)
{
  g_autofree char *uri = file != NULL ? g_file_get_uri (file) : NULL;

  g_settings_set_string (settings, key, uri != NULL ? uri : "");
}

void
ww_app_settings_remember_set (GSettings *settings, const WwOrigin *origin)
{
  gboolean read = origin->reading != WW_READING_GUESSED;

  if (settings == NULL)
    return;
  remember_file (settings, "set-uri", origin->file);
  remember_file (settings, "set-words-uri", origin->words);
  g_settings_set_string (settings, "set-member", origin->member != NULL ? origin->member : "");
  g_settings_set_string (settings, "set-column", origin->column != NULL ? origin->column : "");
  g_settings_set_string (settings, "set-reading", read ? ww_reading_get_id (origin->reading) : "");
  g_settings_set_boolean (settings, "set-without-words", origin->without_words);
}
