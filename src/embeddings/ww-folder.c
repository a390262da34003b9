/* A folder that is no checkpoint: the one set that it holds, a file or a folder with a checkpoint, or a question which
 * of several is meant. */
#include <string.h>

#include <glib/gi18n-lib.h>

#include "ww-checkpoint-files.h"
#include "ww-choice.h"
#include "ww-folder-names.h"
#include "ww-mask.h"
#include "ww-projector.h"
#include "ww-word-list.h"

/* Each file is looked into. Where there are more, nothing is taken for the only one. */
#define MAX_LOOKED_INTO 50
#define SNAPSHOTS "snapshots" /* of one model in the cache of Hugging Face: a folder for each version */

static gboolean
is_visible (const char *name)
{
  return *name != '.';
}

/* By itself it is half of a tokeniser. */
static gboolean
is_alone (GFile *folder)
{
  g_autoptr (GPtrArray) names = ww_folder_list_names (folder, G_FILE_TYPE_REGULAR, is_visible);

  return names->len <= 1;
}

/* Whether the folder has a list of words without what shows that it is a checkpoint's: other files of a tokeniser (a
 * vocab.json takes merges.txt), or the piece [UNK], without which WordPiece cannot be. */
static gboolean
has_plain_list (GFile *folder)
{
  static const char *const others[] = { "tokenizer.json", "tokenizer_config.json", "merges.txt", "special_tokens_map.json",
                                        "added_tokens.json", "modules.json", "config.json" };
  g_autoptr (WwSource) source = NULL;
  g_autoptr (WwVocab) vocab = NULL;
  guint32 id;

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    if (ww_checkpoint_has_child (folder, others[i]))
      return FALSE;

  if (!ww_checkpoint_has_child (folder, "vocab.txt"))
    return ww_checkpoint_has_child (folder, "vocab.json") && !is_alone (folder);
  if (!ww_checkpoint_open_child (folder, "vocab.txt", &source, NULL))
    return FALSE;
  vocab = source != NULL ? ww_checkpoint_read_vocab_text (source, NULL) : NULL;
  return vocab != NULL && !ww_vocab_lookup (vocab, "[UNK]", strlen ("[UNK]"), &id);
}

/* What only a checkpoint has. A config.json may also be the Embedding Projector's. */
static gboolean
is_checkpoint (GFile *folder)
{
  static const char *const names[] = { "modules.json", "model.safetensors", "model.safetensors.index.json",
                                       "pytorch_model.bin", "tokenizer_config.json" };
  g_autoptr (GFile) config = g_file_get_child (folder, "config.json");

  if (has_plain_list (folder))
    return FALSE;
  if (ww_checkpoint_has_vocabulary (folder)
      || (g_file_query_exists (config, NULL) && !ww_projector_is_config (config)))
    return TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (ww_checkpoint_has_child (folder, names[i]))
      return TRUE;

  return FALSE;
}

static gboolean
recognises (const WwProbe *probe)
{
  return probe->source == NULL && !is_checkpoint (probe->file);
}

/* Files that go with another one. */
static gboolean
is_companion (const char *name)
{
  return ww_word_list_is_name (name) || ww_mask_is_name (name);
}

/* The checkpoints among the folders in `folder`, whose name is `prefix`. */
static void
add_checkpoints (GFile *folder, const char *prefix, GCancellable *cancellable, GPtrArray *sets)
{
  g_autoptr (GPtrArray) names = ww_folder_list_names (folder, G_FILE_TYPE_DIRECTORY, is_visible);

  for (guint i = 0; i < MIN (names->len, MAX_LOOKED_INTO); i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *id = g_strconcat (prefix, name, NULL);
      g_autoptr (GFile) child = g_file_get_child (folder, name);
      g_autoptr (WwPreview) preview = NULL;

      if (!is_checkpoint (child) || !g_utf8_validate (name, -1, NULL))
        continue;
      preview = ww_set_preview (child, NULL, cancellable, NULL);
      if (preview != NULL)
        ww_candidates_add (sets, id, preview->format, NULL, TRUE, NULL);
    }
}

/* What was looked into and does not open: the file that looks most like a set, and why not. */
typedef struct
{
  GError *error;
  guint likeness;
} Rejected;

static void
rejected_clear (Rejected *rejected)
{
  g_clear_error (&rejected->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rejected, rejected_clear)

/* 0 for what is no set, as a text of any kind. */
static guint
get_likeness (GFile *file, const GError *error)
{
  if (error->domain != WW_SET_ERROR || error->code == WW_SET_ERROR_EMPTY || error->code == WW_SET_ERROR_NOT_A_FILE)
    return 0;
  if (ww_set_is_known_kind (file) || ww_projector_has_list (file))
    return 2;

  return error->code != WW_SET_ERROR_UNKNOWN;
}

/* Takes the error. */
static void
reject (Rejected *rejected, GFile *file, GError *error)
{
  guint likeness = get_likeness (file, error);

  if (likeness <= rejected->likeness)
    {
      g_error_free (error);
      return;
    }

  g_clear_error (&rejected->error);
  rejected->error = error;
  rejected->likeness = likeness;
}

/* The files that open, as candidates. Where a config of the Embedding Projector is among them, it says what the others
 * are. */
static GPtrArray *
list_sets (GFile *folder, const GPtrArray *names, GCancellable *cancellable, Rejected *rejected)
{
  GPtrArray *sets = ww_candidates_new (), *configs = ww_candidates_new ();
  g_autoptr (GFile) snapshots = g_file_get_child (folder, SNAPSHOTS);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autoptr (GFile) file = g_file_get_child (folder, name);
      g_autoptr (WwPreview) preview = NULL;
      GError *error = NULL;

      if (is_companion (name) || !g_utf8_validate (name, -1, NULL))
        continue;
      preview = ww_set_preview (file, NULL, cancellable, &error);
      if (preview == NULL)
        reject (rejected, file, error);
      else
        ww_candidates_add (ww_projector_is_config (file) ? configs : sets, name, preview->format, NULL, TRUE, NULL);
    }

  add_checkpoints (folder, "", cancellable, sets);
  add_checkpoints (snapshots, SNAPSHOTS "/", cancellable, sets);
  if (configs->len > 0)
    {
      g_ptr_array_unref (sets);
      return configs;
    }
  g_ptr_array_unref (configs);
  return sets;
}

/* Why the folder is no checkpoint: any other config.json would make it one. */
static const char *
describe_config (GFile *folder)
{
  return ww_checkpoint_has_child (folder, "config.json")
           ? _("its config.json is one of the Embedding Projector, not of a model")
           : _("there is no config.json");
}

static void
fail_empty (GFile *folder, WwSource *source, const GPtrArray *names, const Rejected *rejected, GError **error)
{
  g_autofree char *list = ww_folder_show_names (names);
  g_autoptr (GPtrArray) folders = ww_folder_list_names (folder, G_FILE_TYPE_DIRECTORY, is_visible);
  g_autofree char *subfolders = ww_folder_show_names (folders);

  if (names->len == 0 && folders->len > 0)
    ww_source_set_error (source, error, WW_SET_ERROR_NOT_A_FILE,
                         _("a folder of folders, without files of its own: %s. Open one of them"), subfolders);
  else if (names->len == 0)
    ww_source_set_error (source, error, WW_SET_ERROR_NOT_A_FILE,
                         _("a folder without files; a checkpoint (config.json, the weights and the vocabulary) or a"
                           " table of vectors was expected"));
  else if (rejected->error != NULL)
    ww_source_set_error (source, error, WW_SET_ERROR_NOT_A_FILE,
                         _("a folder that is no checkpoint (%s). In it: %s. What looks most like a set of its own"
                           " cannot be opened: %s"), describe_config (folder), list, rejected->error->message);
  else
    ww_source_set_error (source, error, WW_SET_ERROR_NOT_A_FILE,
                         _("a folder that is no checkpoint (%s) and holds no other set that can be opened. In it: %s"),
                         describe_config (folder), list);
}

static WwSet *
open_child (GFile *folder, const char *name, const WwOpening *opening, GError **error)
{
  g_autoptr (GFile) file = g_file_resolve_relative_path (folder, name);
  WwSet *set;

  if (opening->preview != NULL)
    {
      g_free (opening->preview->inside);
      opening->preview->inside = g_strdup (name);
    }
  ww_opening_note (opening, _("Of this folder, “%s” is opened."), name);
  set = ww_set_open_probe (file, opening, error);
  if (set != NULL)
    ww_set_add_warning (set, _("Of this folder, “%s” is opened."), name);
  return set;
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  g_autofree char *shown = g_file_get_parse_name (probe->file);
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);
  g_autoptr (WwSource) source = ww_source_new_for_bytes (shown, nothing);
  g_autoptr (GPtrArray) names = ww_folder_list_names (probe->file, G_FILE_TYPE_REGULAR, is_visible);
  g_autoptr (GPtrArray) sets = NULL;
  g_auto (Rejected) rejected = { NULL };
  WwOpenOptions options = *opening->options;
  WwOpening inner = *opening;
  gsize index;

  if (names->len > MAX_LOOKED_INTO)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_AMBIGUOUS,
                           _("a folder with %u files, which is too many to look into all of them; open the one that is"
                             " meant"), names->len);
      return NULL;
    }
  sets = list_sets (probe->file, names, opening->cancellable, &rejected);
  if (g_cancellable_set_error_if_cancelled (opening->cancellable, error))
    return NULL;
  if (sets->len == 0)
    {
      fail_empty (probe->file, source, names, &rejected, error);
      return NULL;
    }
  if (sets->len == 1)
    return open_child (probe->file, ww_candidates_get (sets, 0)->id, opening, error);

  /* The member that was asked for is the file; there is none inside of it. */
  if (!ww_choose (sets, opening, source, options.member, NULL, &index, error))
    return NULL;
  options.member = NULL;
  inner.options = &options;
  return open_child (probe->file, ww_candidates_get (sets, index)->id, &inner, error);
}

const WwReader ww_folder_reader = { recognises, open_probe, WW_TAKES_ALL };
