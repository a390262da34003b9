#include "ww-checkpoint-table.h"

#include <glib/gi18n-lib.h>

#include "ww-checkpoint-files.h"
#include "ww-model-config.h"
#include "ww-tensor-files.h"
#include "ww-tensor-set.h"

#define SINGLE_FILE "model.safetensors"

char *
ww_checkpoint_dup_lack (GFile *folder)
{
  g_auto (WwModelConfig) config = { 0 };
  g_autoptr (GError) error = NULL;

  if (!ww_checkpoint_has_weights (folder))
    return NULL;
  if (!ww_checkpoint_has_child (folder, "config.json"))
    return g_strdup (_("there is no config.json beside the weights"));
  if (ww_model_config_read (folder, &config, &error) || !g_error_matches (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED))
    return NULL;

  return g_strdup (error->message);
}

/* All tensors of a single file can be chosen from. */
static WwSet *
open_single (GFile *folder, const WwOpening *opening, GError **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, SINGLE_FILE);
  g_autoptr (WwSource) source = ww_source_open (file, error);
  const WwProbe probe = { file, source, NULL, 0, opening->options };

  return source != NULL ? ww_bare_safetensors_reader.open (&probe, opening, error) : NULL;
}

static const WwTensor *
find_usual (const WwTensorFiles *files)
{
  const WwTensor *found = NULL;

  for (gsize i = 0; found == NULL && ww_usual_tables[i] != NULL; i++)
    found = ww_tensor_files_find_suffix (files, ww_usual_tables[i]);
  return found;
}

static WwSet *
open_shard (GFile *folder, const WwOpening *opening, GError **error)
{
  g_autoptr (WwTensorFiles) files = ww_tensor_files_open (folder, error);
  const WwTensor *tensor = files != NULL ? find_usual (files) : NULL;
  g_autofree char *base = NULL;
  g_autoptr (GFile) file = NULL;
  WwTensorPlace place = { .format = "safetensors", .is_vocabulary = TRUE };
  WwTable *table;

  if (files == NULL)
    return NULL;
  if (tensor == NULL)
    {
      ww_source_set_error (ww_tensor_files_get_source (files), error, WW_SET_ERROR_MISSING,
                           _("no tensor of these files has the usual name of a table of word vectors; open one of the"
                             " files by itself"));
      return NULL;
    }
  table = ww_tensor_get_table (tensor, error);
  if (table == NULL)
    return NULL;

  base = g_path_get_basename (ww_source_get_name (tensor->source));
  file = g_file_get_child (folder, base);
  place.file = file;
  place.source = tensor->source;
  place.tensor = tensor->name;
  return ww_tensor_set_new (&place, table, NULL, opening, error);
}

WwSet *
ww_checkpoint_open_table (GFile *folder, const char *why, const WwOpening *opening, GError **error)
{
  gboolean single = ww_checkpoint_has_child (folder, SINGLE_FILE);
  WwSet *set;

  if (!single && opening->options->member != NULL)
    {
      g_autofree char *name = g_file_get_parse_name (folder);

      ww_open_options_check (opening->options, WW_TAKES_WORDS, name, error);
      return NULL;
    }

  ww_opening_note_guess (opening, _("Only the table of word vectors can be had: %s."), why);
  set = single ? open_single (folder, opening, error) : open_shard (folder, opening, error);
  if (set != NULL && opening->options->member == NULL)
    ww_set_add_warning (set, _("Only the table of word vectors can be had: %s"), why);
  return set;
}
