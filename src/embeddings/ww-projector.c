#include "ww-projector.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ww-array-set.h"
#include "ww-folder-names.h"
#include "ww-jansson.h"
#include "ww-table-set.h"
#include "ww-word-list.h"

#define MAX_CONFIG_BYTES (16 * 1024 * 1024)
#define CONFIG_NAME "config.json" /* the end of it */

/* One entry of a config. Paths are relative to its folder. */
typedef struct
{
  const char *name, *tensors, *metadata; /* owned by the JSON; metadata may be NULL */
  gsize rows, dims; /* 0: not said */
} Entry;

/* Where links on the way lead. A file that is not there leads nowhere else. */
static gboolean
stays_inside (GFile *folder, GFile *file)
{
  g_autofree char *folder_path = g_file_get_path (folder), *path = g_file_get_path (file);
  char *real_folder = folder_path != NULL ? realpath (folder_path, NULL) : NULL;
  char *real = path != NULL ? realpath (path, NULL) : NULL;
  g_autofree char *prefix = real_folder != NULL ? g_strconcat (real_folder, "/", NULL) : NULL;
  gboolean inside = prefix == NULL || real == NULL || g_str_has_prefix (real, prefix);

  free (real_folder);
  free (real);
  return inside;
}

/* A path of a config may not lead out of its folder. */
static GFile *
resolve (GFile *folder, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  GFile *file;

  if (*path == '\0' || g_path_is_absolute (path) || strstr (path, "://") != NULL
      || g_strv_contains ((const char *const *) parts, ".."))
    return NULL;

  file = g_file_resolve_relative_path (folder, path);
  if (stays_inside (folder, file))
    return file;

  g_object_unref (file);
  return NULL;
}

static gsize
get_count (json_t *shape, gsize index)
{
  json_t *count = json_array_get (shape, index);

  return json_is_integer (count) && json_integer_value (count) > 0 ? (gsize) json_integer_value (count) : 0;
}

static gboolean
parse_entry (json_t *object, Entry *ret_entry)
{
  json_t *shape = json_object_get (object, "tensorShape");

  ret_entry->name = ww_json_get_string (object, "tensorName");
  ret_entry->tensors = ww_json_get_string (object, "tensorPath");
  ret_entry->metadata = ww_json_get_string (object, "metadataPath");
  ret_entry->rows = json_array_size (shape) == 2 ? get_count (shape, 0) : 0;
  ret_entry->dims = json_array_size (shape) == 2 ? get_count (shape, 1) : 0;
  if (ret_entry->name == NULL)
    ret_entry->name = ret_entry->tensors;
  return ret_entry->tensors != NULL;
}

/* Whether `config` has an entry for `tensors`. A config that cannot be read has none. */
static json_t *
find_entry (GFile *config, GFile *tensors, Entry *ret_entry)
{
  g_autoptr (WwSource) source = ww_source_open (config, NULL);
  g_autoptr (json_t) root = source != NULL ? ww_json_load (source, MAX_CONFIG_BYTES, NULL) : NULL;
  g_autoptr (GFile) folder = g_file_get_parent (config);
  json_t *object;
  size_t index;

  json_array_foreach (json_object_get (root, "embeddings"), index, object)
    {
      g_autoptr (GFile) named = NULL;

      if (!parse_entry (object, ret_entry))
        continue;
      named = resolve (folder, ret_entry->tensors);
      if (named != NULL && g_file_equal (named, tensors))
        return json_incref (object);
    }

  return NULL;
}

static gboolean
is_config (const char *name)
{
  return g_str_has_suffix (name, CONFIG_NAME);
}

/* What a config in the same folder says about `tensors`. */
static json_t *
find_config (GFile *tensors, Entry *ret_entry)
{
  g_autoptr (GFile) folder = g_file_get_parent (tensors);
  g_autoptr (GPtrArray) names = folder != NULL ? ww_folder_list_names (folder, G_FILE_TYPE_REGULAR, is_config)
                                               : NULL;

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      g_autoptr (GFile) config = g_file_get_child (folder, g_ptr_array_index (names, i));
      json_t *found = find_entry (config, tensors, ret_entry);

      if (found != NULL)
        return found;
    }

  return NULL;
}

/* "tensors.tsv" goes with "metadata.tsv", and "my-tensors.tsv" with "my-metadata.tsv". */
static char *
dup_partner (const char *name)
{
  static const char *const words[] = { "tensors", "tensor", "vectors" };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const char *at = strstr (name, words[i]);

      if (at != NULL)
        return g_strdup_printf ("%.*smetadata.tsv", (int) (at - name), name);
    }

  return NULL;
}

static gboolean
fail_choice (GFile *tensors, const GPtrArray *names, GError **error)
{
  g_autofree char *name = g_file_get_parse_name (tensors);
  g_autofree char *list = ww_folder_show_names (names);

  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_AMBIGUOUS,
               _("%s: vectors without words, and several lists of words beside them (%s). Choose one (command line:"
                 " --words FILE)"), name, list);
  return FALSE;
}

/* The list of words by its name alone; NULL without an error where there is none. */
static gboolean
find_partner (GFile *tensors, const WwOpening *opening, GFile **ret_list, GError **error)
{
  g_autoptr (GFile) folder = g_file_get_parent (tensors);
  g_autofree char *name = g_file_get_basename (tensors);
  g_autofree char *partner = dup_partner (name);
  g_autoptr (GFile) list = NULL;
  g_autoptr (GPtrArray) names = NULL;

  if (folder == NULL)
    return TRUE;
  list = g_file_get_child (folder, partner != NULL ? partner : "metadata.tsv");
  if (g_file_query_file_type (list, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_REGULAR)
    {
      *ret_list = g_steal_pointer (&list);
      ww_opening_note_guess (opening, _("A list of words lies beside it, by its name."));
      return TRUE;
    }

  names = ww_folder_list_names (folder, G_FILE_TYPE_REGULAR, ww_word_list_is_metadata);
  if (names->len > 1 && opening->preview == NULL)
    return fail_choice (tensors, names, error);
  if (names->len == 0)
    return TRUE;

  *ret_list = g_file_get_child (folder, g_ptr_array_index (names, 0));
  if (names->len > 1)
    {
      opening->preview->needs_choice = TRUE;
      ww_opening_note_guess (opening, _("Nothing tells which of %u lists of words beside it is meant; the first one"
                                        " is shown."), names->len);
    }
  else
    ww_opening_note_guess (opening, _("A list of words lies beside it, by its name."));
  return TRUE;
}

static gboolean
load_list (GFile *list, gsize rows, const WwOpening *opening, WwVocab **ret_vocab, char **ret_name,
           gsize *ret_duplicates, GError **error)
{
  g_autofree char *name = g_file_get_basename (list);

  if (!ww_word_list_load (list, rows, opening, ret_vocab, ret_duplicates, error))
    {
      ww_opening_note_unread_list (opening, name);
      return FALSE;
    }

  *ret_name = g_steal_pointer (&name);
  ww_opening_note_list (opening, *ret_name, ww_vocab_get_size (*ret_vocab));
  if (rows > 0 && ww_vocab_get_size (*ret_vocab) != rows)
    ww_array_ask_for_list (opening);
  return TRUE;
}

gboolean
ww_projector_find_words (GFile *tensors, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
                         char **ret_name, gsize *ret_duplicates, GError **error)
{
  g_autoptr (GFile) folder = g_file_get_parent (tensors);
  g_autoptr (json_t) config = NULL;
  g_autoptr (GFile) list = NULL;
  Entry entry = { NULL };

  if (!ww_array_find_words (tensors, rows, opening, ret_vocab, ret_name, ret_duplicates, error))
    return FALSE;
  if (*ret_vocab != NULL || opening->options->without_words)
    return TRUE;

  config = find_config (tensors, &entry);
  if (config != NULL && entry.metadata != NULL)
    {
      list = resolve (folder, entry.metadata);
      if (list != NULL)
        ww_opening_note_guess (opening, _("A projector config beside it says where the words are."));
    }
  if (list == NULL && !find_partner (tensors, opening, &list, error))
    return FALSE;

  return list == NULL || load_list (list, rows, opening, ret_vocab, ret_name, ret_duplicates, error);
}

gboolean
ww_projector_has_list (GFile *tensors)
{
  Entry entry = { NULL };
  g_autoptr (json_t) config = find_config (tensors, &entry);
  g_autoptr (GFile) list = NULL;
  const WwOpenOptions no_options = { NULL };
  const WwOpening nobody = { NULL, NULL, NULL, &no_options, NULL, NULL };
  g_autofree char *name = g_file_get_basename (tensors), *partner = dup_partner (name);
  g_autoptr (GError) several = NULL;

  if (config != NULL)
    return TRUE;

  /* Any text may happen to lie beside somebody else's metadata. */
  return (partner != NULL || g_str_has_suffix (name, ".tsv"))
         && (!find_partner (tensors, &nobody, &list, &several) || list != NULL);
}

static gboolean
is_bytes (const WwProbe *probe)
{
  g_autofree char *name = g_file_get_basename (probe->file);

  return g_str_has_suffix (name, ".bytes");
}

static gboolean
looks_like_config (const char *head)
{
  return head[strspn (head, " \t\r\n")] == '{' && strstr (head, "\"tensorPath\"") != NULL;
}

gboolean
ww_projector_is_config (GFile *file)
{
  g_autoptr (WwSource) source = ww_source_open (file, NULL);
  char head[WW_PROBE_BYTES + 1] = { 0 };

  return source != NULL
         && ww_source_read (source, 0, head, (gsize) MIN (ww_source_get_size (source), WW_PROBE_BYTES), NULL)
         && looks_like_config (head);
}

static gboolean
recognises (const WwProbe *probe)
{
  return probe->source != NULL && (is_bytes (probe) || looks_like_config ((const char *) probe->head));
}

/* Rows and dimensions of raw values: as the config says, or as many rows as there are words. */
static gboolean
find_shape (const WwProbe *probe, const Entry *entry, const WwVocab *vocab, gsize *ret_rows,
            gsize *ret_dims, GError **error)
{
  guint64 size = ww_source_get_size (probe->source);
  gsize rows = entry->rows, dims = entry->dims, bytes;

  if (rows == 0 && vocab != NULL && ww_vocab_get_size (vocab) > 0)
    {
      rows = ww_vocab_get_size (vocab);
      dims = (gsize) (size / sizeof (float) / rows);
    }

  if (rows == 0)
    ww_source_set_error (probe->source, error, WW_SET_ERROR_MISSING,
                         _("raw values without their shape: put the projector_config.json that names this file, or"
                           " its metadata.tsv, beside it"));
  else if (dims > WW_MAX_DIMS || !g_size_checked_mul (&bytes, rows, dims)
           || !g_size_checked_mul (&bytes, bytes, sizeof (float)))
    ww_source_set_error (probe->source, error, WW_SET_ERROR_TOO_LARGE,
                         _("a shape of %zu x %zu; at most %d dimensions are accepted"), rows, dims, WW_MAX_DIMS);
  else if (bytes != size || dims == 0)
    ww_source_set_error (probe->source, error, bytes > size ? WW_SET_ERROR_TRUNCATED : WW_SET_ERROR_SHAPE,
                         _("%" PRIu64 " bytes; %zu rows of %zu float32 values have %zu"), size, rows, dims, bytes);
  else if (vocab != NULL && ww_vocab_get_size (vocab) != rows)
    ww_source_set_error (probe->source, error, WW_SET_ERROR_SHAPE,
                         _("%zu rows, but the list of words has %zu"), rows,
                         ww_vocab_get_size (vocab));
  else
    {
      *ret_rows = rows;
      *ret_dims = dims;
      return TRUE;
    }

  return FALSE;
}

static WwSet *
open_bytes (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  Entry entry = { NULL };
  g_autoptr (json_t) config = find_config (probe->file, &entry);
  g_autoptr (WwVocab) vocab = NULL;
  g_autoptr (WwTable) table = g_new0 (WwTable, 1);
  g_autofree char *list = NULL, *name = g_file_get_basename (probe->file);
  gsize duplicates = 0;
  WwSet *set;

  ww_opening_note_guess (opening, config != NULL
                                    ? _("Raw float32 values, by the name that the Embedding Projector gives them; a"
                                        " config beside them says their shape.")
                                    : _("Raw float32 values, by the name that the Embedding Projector gives them."));
  if (!ww_open_options_check (opening->options, WW_TAKES_WORDS, ww_source_get_name (probe->source), error)
      || !ww_projector_find_words (probe->file, entry.rows, opening, &vocab, &list, &duplicates, error)
      || !find_shape (probe, &entry, vocab, &table->rows, &table->cols, error))
    return NULL;

  table->source = ww_source_ref (probe->source);
  table->dtype = WW_DTYPE_F32;
  if (!ww_table_check (table, error))
    return NULL;
  if (vocab == NULL && ww_rows_go_by_numbers (table->rows, opening))
    vocab = ww_vocab_new_numbers (table->rows);

  set = ww_table_set_new (name, "Embedding Projector bytes", probe->source, g_steal_pointer (&vocab),
                          g_steal_pointer (&table));
  if (ww_set_goes_by_numbers (set) && !opening->options->ids_only)
    ww_array_warn_of_numbers (set);
  ww_array_note_duplicates (set, duplicates);
  return set;
}

static GPtrArray *
list_entries (json_t *embeddings)
{
  GPtrArray *candidates = ww_candidates_new ();
  json_t *object;
  size_t index;

  json_array_foreach (embeddings, index, object)
    {
      Entry entry = { NULL };
      gboolean usable = parse_entry (object, &entry);
      g_autofree char *shape = usable && entry.dims > 0
                                 ? g_strdup_printf ("%" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT, entry.rows,
                                                    entry.dims)
                                 : NULL;

      ww_candidates_add (candidates, usable ? entry.name : "?", shape, NULL, usable,
                         usable ? NULL : _("no tensorPath"));
    }

  return candidates;
}

/* Only the two kinds that a config may name, so that configs cannot lead in circles. */
static WwSet *
open_tensors (GFile *tensors, const WwOpening *opening, GError **error)
{
  g_autoptr (WwSource) source = ww_source_open (tensors, error);
  const WwProbe probe = { tensors, source, NULL, 0, opening->options };

  if (source == NULL)
    return NULL;
  if (ww_source_get_size (source) == 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_EMPTY, _("the file is empty"));
      return NULL;
    }

  return is_bytes (&probe) ? open_bytes (&probe, opening, error)
                           : ww_text_reader.open (&probe, opening, error);
}

/* The tensors that a config names, with the words that it names. */
static WwSet *
open_config (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  g_autoptr (json_t) root = ww_json_load (probe->source, MAX_CONFIG_BYTES, error);
  g_autoptr (GFile) folder = g_file_get_parent (probe->file);
  json_t *embeddings = json_object_get (root, "embeddings");
  g_autoptr (GPtrArray) candidates = NULL;
  g_autoptr (GFile) tensors = NULL, words = NULL;
  WwOpenOptions options = *opening->options;
  WwOpening inner = *opening;
  Entry entry = { NULL };
  gsize index;

  if (root == NULL)
    return NULL;
  ww_opening_note (opening, _("A config of the Embedding Projector."));
  candidates = list_entries (embeddings);
  if (candidates->len == 0)
    {
      ww_source_set_error (probe->source, error, WW_SET_ERROR_EMPTY, _("names no embeddings"));
      return NULL;
    }
  if (!ww_choose (candidates, opening, probe->source, options.member, NULL, &index, error))
    return NULL;

  if (parse_entry (json_array_get (embeddings, index), &entry) && folder != NULL)
    tensors = resolve (folder, entry.tensors);
  if (tensors != NULL && entry.metadata != NULL)
    words = resolve (folder, entry.metadata);
  if (tensors == NULL || (entry.metadata != NULL && words == NULL) || g_file_equal (tensors, probe->file))
    {
      ww_source_set_error (probe->source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("embedding \"%.100s\" is at \"%.200s\", outside of this folder"),
                           entry.name != NULL ? entry.name : "?",
                           tensors == NULL && entry.tensors != NULL ? entry.tensors
                           : entry.metadata != NULL                 ? entry.metadata
                                                                    : "?");
      return NULL;
    }

  options.member = NULL;
  if (options.words == NULL && !options.without_words)
    options.words = words;
  inner.options = &options;
  return open_tensors (tensors, &inner, error);
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  return is_bytes (probe) ? open_bytes (probe, opening, error) : open_config (probe, opening, error);
}

const WwReader ww_projector_reader = { recognises, open_probe, WW_TAKES_ALL };
