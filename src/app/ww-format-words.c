#include "ww-format-words.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ww-origin.h"

/* Only for the translators' tools: the names are made elsewhere. */
G_GNUC_UNUSED static const char *const names[] = {
  N_ ("BERT checkpoint"),
  N_ ("DistilBERT checkpoint"),
  N_ ("RoBERTa checkpoint"),
  N_ ("GPT-2 checkpoint"),
  N_ ("GloVe text"),
  N_ ("word2vec text"),
  N_ ("vectors in text"),
  N_ ("word2vec binary"),
  N_ ("NumPy context"),
  N_ ("NumPy table with a word list"),
  N_ ("NumPy table without words"),
  N_ ("NumPy archive context"),
  N_ ("NumPy archive table with a word list"),
  N_ ("NumPy archive table without words"),
  N_ ("safetensors context"),
  N_ ("safetensors table with words"),
  N_ ("safetensors table without words"),
  N_ ("safetensors table with a word list"),
  N_ ("GGUF context"),
  N_ ("GGUF table with words"),
  N_ ("GGUF table without words"),
  N_ ("Embedding Projector bytes"),
  N_ ("vocabulary without weights"),
  N_ ("text"),
  N_ ("truth values"),
  N_ ("Sample (MiniLM)"),
};

char *
ww_format_dup_words (const char *format)
{
  g_auto (GStrv) parts = g_strsplit (format, ", ", -1);
  GString *words = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", *parts[i] != '\0' ? _ (parts[i]) : "");
  return g_string_free (words, FALSE);
}

const char *
ww_format_get_type_words (const char *type)
{
  return *type != '\0' ? _ (type) : "";
}

/* "contexts.npy, text 2": the name of the file, and which of its texts. */
static char *
dup_text_name (WwSet *set)
{
  const char *name = ww_set_get_name (set);
  gsize text = ww_set_get_text (set) + 1;
  g_autofree char *ending = g_strdup_printf (", text %zu", text);
  g_autofree char *file = NULL;

  if (ww_set_get_n_texts (set) < 2 || !g_str_has_suffix (name, ending))
    return NULL;

  file = g_strndup (name, strlen (name) - strlen (ending));
  /* Translators: the name of a file that holds several texts, and the number of one of them. */
  return g_strdup_printf (_ ("%s, text %zu"), file, text);
}

char *
ww_format_dup_set_name (WwSet *set)
{
  const WwOrigin *origin = ww_origin_of_set (set);
  char *name = dup_text_name (set);

  if (name != NULL)
    return name;
  return g_strdup (origin != NULL && origin->file == NULL ? _ (ww_set_get_name (set)) : ww_set_get_name (set));
}
