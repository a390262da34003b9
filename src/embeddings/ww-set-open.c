/* Opening: which reader a file belongs to, the built-in sample, and what the command line calls a
 * set. */
#include "ww-set-open.h"

#include <glib/gi18n-lib.h>

#include "ww-set-private.h"

#define SAMPLE_NAME "sample"
#define SAMPLE_URI "resource:///org/wordsway/Wordsway/sample"

static const WwReader *const readers[] = {
  &ww_safetensors_reader, /* a tensor of the person's choice, even out of a checkpoint */
  &ww_projector_reader,   /* by what its config says, which may be called config.json as well */
  &ww_folder_reader,
  &ww_checkpoint_reader,
  &ww_bare_safetensors_reader,
  &ww_npy_reader,
  &ww_gguf_reader,
  &ww_refused_reader,
  &ww_npz_reader,
  &ww_word2vec_reader,
  &ww_text_reader,
};

static const WwReader *
find_reader (const WwProbe *probe)
{
  for (gsize i = 0; i < G_N_ELEMENTS (readers); i++)
    if (readers[i]->recognises (probe))
      return readers[i];

  return NULL;
}

/* Opens what is to be opened, and shows the readers its first bytes. */
static gboolean
look_at (GFile *file, const WwOpenOptions *options, guint8 *head, WwSource **ret_source, WwProbe *ret_probe,
         GError **error)
{
  WwProbe probe = { file, NULL, head, 0, options };

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_DIRECTORY)
    {
      probe.source = *ret_source = ww_source_open (file, error);
      if (probe.source == NULL)
        return FALSE;
      if (ww_source_get_size (probe.source) == 0)
        {
          ww_source_set_error (probe.source, error, WW_SET_ERROR_EMPTY, _("the file is empty"));
          return FALSE;
        }
      probe.head_length = (gsize) MIN (ww_source_get_size (probe.source), WW_PROBE_BYTES);
      if (!ww_source_read (probe.source, 0, head, probe.head_length, error))
        return FALSE;
    }

  *ret_probe = probe;
  return TRUE;
}

gboolean
ww_open_options_check (const WwOpenOptions *options, WwTakes takes, const char *name, GError **error)
{
  if (options->member != NULL && (takes & WW_TAKES_MEMBER) == 0)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                 _("%s: “%s” was to be chosen (command line: --member), but there is nothing to choose from"), name,
                 options->member);
  else if ((options->words != NULL || options->without_words) && (takes & WW_TAKES_WORDS) == 0)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                 _("%s: brings its own words, so a list of words (command line: --words) has no effect"), name);
  else if (options->reading != WW_READING_GUESSED && (takes & WW_TAKES_READING) == 0)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                 _("%s: this is no table in text, so what its lines hold (command line: --read-as) has no effect"), name);
  else if (options->column != NULL && (takes & WW_TAKES_WORDS) == 0)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                 _("%s: brings its own words, so the column of a list (command line: --column) has no effect"), name);
  else
    return TRUE;

  return FALSE;
}

/* A column of what has none would be chosen in vain. */
static gboolean
check_column (const WwOpening *opening, GFile *file, GError **error)
{
  g_autofree char *name = NULL;

  if (opening->options->column == NULL || opening->list->column != NULL)
    return TRUE;

  name = g_file_get_parse_name (file);
  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
               _("%s: its words are in no list with several columns, so the choice of one (command line: --column) has"
                 " no effect"), name);
  return FALSE;
}

WwSet *
ww_set_open_probe (GFile *file, const WwOpening *opening, GError **error)
{
  g_autoptr (WwSource) source = NULL;
  guint8 head[WW_PROBE_BYTES + 1] = { 0 };
  g_autofree char *name = NULL;
  const WwReader *reader;
  WwProbe probe;

  if (g_cancellable_set_error_if_cancelled (opening->cancellable, error)
      || !look_at (file, opening->options, head, &source, &probe, error))
    return NULL;

  reader = find_reader (&probe);
  g_return_val_if_fail (reader != NULL, NULL); /* the reader of text recognises anything */
  name = g_file_get_parse_name (file);
  if (!ww_open_options_check (opening->options, reader->takes, name, error))
    return NULL;
  return reader->open (&probe, opening, error);
}

gboolean
ww_set_is_known_kind (GFile *file)
{
  static const WwOpenOptions none = { NULL };
  g_autoptr (WwSource) source = NULL;
  guint8 head[WW_PROBE_BYTES + 1] = { 0 };
  const WwReader *reader;
  WwProbe probe;

  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  if (!look_at (file, &none, head, &source, &probe, NULL))
    return FALSE;

  reader = find_reader (&probe);
  return reader != NULL && reader != &ww_text_reader;
}

WwSet *
ww_set_open_full (GFile *file, const WwOpenOptions *options, GCancellable *cancellable,
                  WwSetProgressFunc progress, gpointer user_data, GError **error)
{
  static const WwOpenOptions none = { NULL };
  g_auto (WwUsedList) list = { NULL };
  const WwOpening opening
    = { cancellable, progress, user_data, options != NULL ? options : &none, NULL, &list };
  g_autoptr (WwSet) set = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  set = ww_set_open_probe (file, &opening, error);
  if (set == NULL || !check_column (&opening, file, error))
    return NULL;

  ww_set_take_list (set, &list);
  ww_set_set_unknown (set, opening.options->unknown, opening.options->seed);
  return g_steal_pointer (&set);
}

WwSet *
ww_set_open (GFile *file, GCancellable *cancellable, WwSetProgressFunc progress,
             gpointer user_data, GError **error)
{
  return ww_set_open_full (file, NULL, cancellable, progress, user_data, error);
}

const char *const *
ww_set_get_builtin_names (void)
{
  static const char *const names[] = { SAMPLE_NAME, NULL };

  return names;
}

WwSet *
ww_set_open_builtin (const char *name, GError **error)
{
  g_autoptr (GFile) folder = NULL;

  if (name != NULL && g_strcmp0 (name, SAMPLE_NAME) != 0)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NOT_FOUND,
                   _("There is no built-in set \"%s\"; there is \"%s\""), name, SAMPLE_NAME);
      return NULL;
    }

  /* The first call registers the resource, so that the URI can be opened. */
  ww_embeddings_get_resource ();
  folder = g_file_new_for_uri (SAMPLE_URI);
  return ww_checkpoint_open (folder, "Sample (MiniLM)", FALSE, error);
}

static WwSet *
open_builtin_with (const char *name, const WwOpenOptions *options, GError **error)
{
  WwSet *set;

  if (options != NULL && !ww_open_options_check (options, 0, SAMPLE_NAME, error))
    return NULL;

  set = ww_set_open_builtin (name, error);
  if (set != NULL && options != NULL)
    ww_set_set_unknown (set, options->unknown, options->seed);
  return set;
}

WwSet *
ww_set_open_argument_full (const char *set, const WwOpenOptions *options, GCancellable *cancellable,
                           WwSetProgressFunc progress, gpointer user_data, GError **error)
{
  g_autoptr (GFile) file = NULL;

  if (set == NULL || g_strcmp0 (set, SAMPLE_NAME) == 0)
    return open_builtin_with (set, options, error);

  if (*set == '\0')
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NOT_FOUND,
                   _("The name of the set is empty; a path or \"%s\" was expected"), SAMPLE_NAME);
      return NULL;
    }

  file = g_file_new_for_commandline_arg (set);
  return ww_set_open_full (file, options, cancellable, progress, user_data, error);
}

WwSet *
ww_set_open_argument (const char *set, GCancellable *cancellable, GError **error)
{
  return ww_set_open_argument_full (set, NULL, cancellable, NULL, NULL, error);
}
