#include "ww-tensor-files.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "ww-folder-names.h"
#include "ww-jansson.h"
#include "ww-set.h"

#define SINGLE_FILE "model.safetensors"
#define INDEX_FILE "model.safetensors.index.json"
#define MAX_INDEX_BYTES 100000000
#define MAX_SHARDS 1024

struct _WwTensorFiles
{
  GPtrArray *sources; /* WwSource */
  GPtrArray *files;   /* WwSafetensors */
};

void
ww_tensor_files_free (WwTensorFiles *files)
{
  if (files == NULL)
    return;

  g_ptr_array_unref (files->files);
  g_ptr_array_unref (files->sources);
  g_free (files);
}

static gboolean
add_file (WwTensorFiles *files, GFile *folder, const char *name, GError **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);
  g_autoptr (WwSource) source = ww_source_open (file, error);
  WwSafetensors *tensors;

  if (source == NULL)
    return FALSE;
  tensors = ww_safetensors_open (source, error);
  if (tensors == NULL)
    return FALSE;

  g_ptr_array_add (files->sources, g_steal_pointer (&source));
  g_ptr_array_add (files->files, tensors);
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Whether it names a file in the folder or below it, by this path alone; links are looked at later. */
static gboolean
stays_inside (const char *path)
{
  g_auto (GStrv) parts = NULL;

  if (path == NULL || *path == '\0' || strchr (path, '\\') != NULL)
    return FALSE;

  parts = g_strsplit (path, "/", -1);
  for (gsize i = 0; parts[i] != NULL; i++)
    if (*parts[i] == '\0' || strcmp (parts[i], ".") == 0 || strcmp (parts[i], "..") == 0)
      return FALSE;
  return TRUE;
}

/* The paths of the shards, sorted. */
static GPtrArray *
list_shards (WwSource *index, json_t *map, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) shards = g_ptr_array_new_with_free_func (g_free);
  const char *tensor;
  json_t *value;

  json_object_foreach (map, tensor, value)
    {
      const char *shard = json_string_value (value);

      if (!stays_inside (shard))
        {
          ww_source_set_error (index, error, WW_SET_ERROR_MALFORMED,
                               _("tensor \"%.200s\" is said to be in \"%.200s\"; a file in the same folder, or in one"
                                 " below it, was expected"), tensor,
                               shard != NULL ? shard : _("something that is no text"));
          return NULL;
        }
      if (g_hash_table_add (seen, (gpointer) shard))
        g_ptr_array_add (shards, g_strdup (shard));
      if (shards->len > MAX_SHARDS)
        {
          ww_source_set_error (index, error, WW_SET_ERROR_TOO_LARGE,
                               _("more than %d files of tensors"), MAX_SHARDS);
          return NULL;
        }
    }

  g_ptr_array_sort (shards, compare_names);
  return g_steal_pointer (&shards);
}

static gboolean
check_index (WwTensorFiles *files, WwSource *index, json_t *map, GError **error)
{
  const char *tensor;
  json_t *value;

  json_object_foreach (map, tensor, value)
    if (ww_tensor_files_find (files, tensor) == NULL)
      {
        ww_source_set_error (index, error, WW_SET_ERROR_MISSING,
                             _("tensor \"%.200s\" should be in %.200s, but is not there"), tensor,
                             json_string_value (value));
        return FALSE;
      }

  return TRUE;
}

static gboolean
is_below (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  return strncmp (path, folder, length) == 0 && path[length] == '/';
}

/* A link that leads out of the folder is refused like a path that does: a checkpoint from outside must not choose
 * which files of this computer are read. Where the index is itself a link into the same other folder, though, the
 * checkpoint really is in that folder, and only its names are here. Caches of downloads keep the files of
 * ".../snapshots/x" as links to ".../blobs"; those are what they seem. */
static gboolean
check_link (WwSource *index, GFile *folder, const char *shard, GError **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, shard);
  g_autofree char *path = g_file_get_path (file), *folder_path = g_file_get_path (folder);
  g_autofree char *real = path != NULL ? realpath (path, NULL) : NULL;
  g_autofree char *real_folder = folder_path != NULL ? realpath (folder_path, NULL) : NULL;
  g_autofree char *snapshots = NULL, *root = NULL, *blobs = NULL;
  g_autofree char *index_path = NULL, *real_index = NULL, *index_folder = NULL;

  /* What is missing is found out by opening it. */
  if (real == NULL || real_folder == NULL || is_below (real, real_folder))
    return TRUE;

  index_path = g_build_filename (real_folder, INDEX_FILE, NULL);
  real_index = realpath (index_path, NULL);
  index_folder = real_index != NULL ? g_path_get_dirname (real_index) : NULL;
  if (index_folder != NULL && is_below (real, index_folder))
    return TRUE;

  snapshots = g_path_get_dirname (real_folder);
  root = g_path_get_dirname (snapshots);
  blobs = g_build_filename (root, "blobs", NULL);
  if (g_str_has_suffix (snapshots, "/snapshots") && is_below (real, blobs))
    return TRUE;

  ww_source_set_error (index, error, WW_SET_ERROR_MALFORMED,
                       _("\"%.200s\" is a link that leads out of the folder, to %.1000s; the files of tensors must be in"
                         " the folder of this file. Put the files themselves there, in place of links"),
                       shard, real);
  return FALSE;
}

static gboolean
add_shards (WwTensorFiles *files, GFile *folder, GFile *index_file, GError **error)
{
  g_autoptr (WwSource) index = ww_source_open (index_file, error);
  g_autoptr (GPtrArray) shards = NULL;
  g_autoptr (json_t) root = NULL;
  json_t *map;

  if (index == NULL)
    return FALSE;
  root = ww_json_load (index, MAX_INDEX_BYTES, error);
  if (root == NULL)
    return FALSE;

  map = json_object_get (root, "weight_map");
  if (!json_is_object (map) || json_object_size (map) == 0)
    {
      ww_source_set_error (index, error, WW_SET_ERROR_MISSING,
                           _("\"weight_map\" is missing, empty or no object"));
      return FALSE;
    }
  shards = list_shards (index, map, error);
  if (shards == NULL)
    return FALSE;

  for (guint i = 0; i < shards->len; i++)
    if (!check_link (index, folder, g_ptr_array_index (shards, i), error)
        || !add_file (files, folder, g_ptr_array_index (shards, i), error))
      return FALSE;

  return check_index (files, index, map, error);
}

static gboolean
is_weights (const char *name)
{
  return *name != '.' && g_str_has_suffix (name, ".safetensors") && !g_str_has_prefix (name, "adapter_");
}

static gboolean
has_child (GFile *folder, const char *name)
{
  g_autoptr (GFile) child = g_file_get_child (folder, name);

  return g_file_query_exists (child, NULL);
}

/* Weights of another program, or of another name. */
static void
set_other_error (GFile *folder, const char *name, GError **error)
{
  static const struct
  {
    const char *file, *option;
  } others[] = { { "tf_model.h5", "from_tf" }, { "flax_model.msgpack", "from_flax" } };
  g_autoptr (GPtrArray) names = ww_folder_list_names (folder, G_FILE_TYPE_REGULAR, is_weights);
  g_autofree char *list = ww_folder_show_names (names);

  for (gsize i = 0; i < G_N_ELEMENTS (others) && names->len == 0; i++)
    if (has_child (folder, others[i].file))
      {
        g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_REFUSED,
                     _("%s: the weights are in %s, which is not read. To convert, with transformers 4:\n"
                       "  from transformers import AutoModel as M, AutoTokenizer as T\n"
                       "  M.from_pretrained('.', %s=True).save_pretrained('out'); T.from_pretrained('.').save_pretrained('out')"),
                     name, others[i].file, others[i].option);
        return;
      }

  if (names->len > 1)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING,
                 _("%s: a checkpoint folder without %s, but with %s; weights in several files need %s"), name, SINGLE_FILE,
                 list, INDEX_FILE);
  else if (names->len == 1)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING,
                 _("%s: a checkpoint folder without %s or %s, but with %s; if these are the weights, a copy of the file"
                   " with the name %s is read"), name, SINGLE_FILE, INDEX_FILE, list, SINGLE_FILE);
  else if (has_child (folder, "adapter_config.json"))
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING,
                 _("%s: an adapter (adapter_config.json) without the weights of its model, %s; merged with them it can be"
                   " opened"), name, SINGLE_FILE);
  else
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING,
                 _("%s: a checkpoint folder without %s or %s"), name, SINGLE_FILE, INDEX_FILE);
}

static void
set_missing_error (GFile *folder, GError **error)
{
  static const char *const pickles[] = { "pytorch_model.bin", "pytorch_model.bin.index.json" };
  g_autofree char *name = g_file_get_parse_name (folder);

  for (gsize i = 0; i < G_N_ELEMENTS (pickles); i++)
    if (has_child (folder, pickles[i]))
      {
        g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_REFUSED,
                     _("%s: the weights are in pytorch_model.bin, a pickle, which can run any code and is not opened."
                       " If you trust it, convert:\n"
                       "  from transformers import AutoModel as M, AutoTokenizer as T\n"
                       "  M.from_pretrained('.').save_pretrained('out', safe_serialization=True);"
                       " T.from_pretrained('.').save_pretrained('out')"), name);
        return;
      }

  set_other_error (folder, name, error);
}

WwTensorFiles *
ww_tensor_files_open (GFile *folder, GError **error)
{
  g_autoptr (WwTensorFiles) files = g_new0 (WwTensorFiles, 1);
  g_autoptr (GFile) single = g_file_get_child (folder, SINGLE_FILE);
  g_autoptr (GFile) index = g_file_get_child (folder, INDEX_FILE);
  gboolean opened = FALSE;

  files->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) ww_source_unref);
  files->files = g_ptr_array_new_with_free_func ((GDestroyNotify) ww_safetensors_free);

  if (g_file_query_exists (single, NULL))
    opened = add_file (files, folder, SINGLE_FILE, error);
  else if (g_file_query_exists (index, NULL))
    opened = add_shards (files, folder, index, error);
  else
    set_missing_error (folder, error);

  return opened ? g_steal_pointer (&files) : NULL;
}

const WwTensor *
ww_tensor_files_find (const WwTensorFiles *files, const char *name)
{
  for (guint i = 0; i < files->files->len; i++)
    {
      const WwTensor *tensor = ww_safetensors_find (g_ptr_array_index (files->files, i), name);

      if (tensor != NULL)
        return tensor;
    }

  return NULL;
}

const WwTensor *
ww_tensor_files_find_suffix (const WwTensorFiles *files, const char *suffix)
{
  for (guint i = 0; i < files->files->len; i++)
    {
      const WwSafetensors *file = g_ptr_array_index (files->files, i);

      for (gsize k = 0; k < ww_safetensors_get_size (file); k++)
        {
          const WwTensor *tensor = ww_safetensors_get (file, k);

          if (ww_name_has_tail (tensor->name, suffix))
            return tensor;
        }
    }

  return NULL;
}

WwSource *const *
ww_tensor_files_get_sources (const WwTensorFiles *files, gsize *ret_n)
{
  *ret_n = files->sources->len;
  return (WwSource *const *) files->sources->pdata;
}

WwSource *
ww_tensor_files_get_source (const WwTensorFiles *files)
{
  return g_ptr_array_index (files->sources, 0);
}

gsize
ww_tensor_files_count (const WwTensorFiles *files)
{
  gsize count = 0;

  for (guint i = 0; i < files->files->len; i++)
    count += ww_safetensors_get_size (g_ptr_array_index (files->files, i));

  return count;
}
