#include "ww-preview.h"

#include <glib/gi18n-lib.h>

#include "ww-choice.h"
#include "ww-word-list.h"

WwPreview *
ww_preview_new (void)
{
  WwPreview *preview = g_new0 (WwPreview, 1);

  preview->candidates = ww_candidates_new ();
  preview->words = g_ptr_array_new_with_free_func (g_free);
  preview->lists = g_ptr_array_new_with_free_func (g_free);
  preview->columns = g_ptr_array_new_with_free_func (g_free);
  preview->chosen = preview->list = preview->column = -1;
  preview->n_texts = 1;
  preview->rows = G_MAXSIZE; /* until a reader says that it does not know */
  return preview;
}

void
ww_preview_free (WwPreview *preview)
{
  if (preview == NULL)
    return;

  g_free (preview->name);
  g_free (preview->inside);
  g_free (preview->format);
  g_free (preview->guess);
  g_free (preview->type);
  g_free (preview->words_from);
  g_ptr_array_unref (preview->candidates);
  g_ptr_array_unref (preview->words);
  g_ptr_array_unref (preview->lists);
  g_ptr_array_unref (preview->columns);
  g_free (preview->list_name);
  g_clear_pointer (&preview->values, ww_matrix_unref);
  g_free (preview->remarks);
  g_free (preview->problem);
  g_free (preview);
}

/* The value of a pair that the set describes itself with. */
static char *
dup_fact (WwSet *set, const char *name)
{
  g_auto (GStrv) pairs = ww_set_describe (set);

  for (gsize i = 0; pairs[i] != NULL; i += 2)
    if (g_str_equal (pairs[i], name))
      return g_strdup (pairs[i + 1]);

  return NULL;
}

/* The first rows, and the words they belong to. */
static void
show_rows (WwPreview *preview, WwSet *set)
{
  gsize n = MIN (ww_set_get_n_entries (set), WW_PREVIEW_ROWS);
  guint32 ids[WW_PREVIEW_ROWS];
  g_autoptr (WwTokens) tokens = NULL;
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < n; i++)
    ids[i] = (guint32) i;
  tokens = ww_set_tokens_from_ids (set, ids, n, &error);
  if (tokens != NULL)
    preview->values = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
  if (error != NULL)
    preview->problem = g_strdup (error->message);

  for (gsize i = 0; tokens != NULL && i < tokens->n; i++)
    g_ptr_array_add (preview->words, g_strdup (tokens->tokens[i].text));
}

static void
show_set (WwPreview *preview, WwSet *set)
{
  preview->format = g_strdup (ww_set_get_format (set));
  preview->dims = ww_set_get_dims (set);
  preview->remarks = g_strdup (ww_set_get_warnings (set));
  if (preview->type == NULL)
    preview->type = dup_fact (set, "Values");
  if (preview->words_from == NULL && ww_set_get_kind (set) == WW_SET_KIND_CHECKPOINT)
    preview->words_from = g_strdup (_("the vocabulary of the checkpoint"));
  show_rows (preview, set);
}

/* The lists of words beside the file, and which of them is shown. */
static void
find_lists (WwPreview *preview, GFile *file, const WwOpenOptions *options)
{
  g_autoptr (GFile) shown
    = preview->inside != NULL ? g_file_resolve_relative_path (file, preview->inside) : g_object_ref (file);
  g_autoptr (GFile) folder = g_file_get_parent (shown);

  if (!preview->takes_list || folder == NULL)
    return;

  g_ptr_array_unref (preview->lists);
  preview->lists = ww_word_list_list_beside (shown);
  for (guint i = 0; preview->list_name != NULL && i < preview->lists->len; i++)
    {
      const char *name = g_ptr_array_index (preview->lists, i);
      g_autoptr (GFile) list = g_file_get_child (folder, name);

      if (options->words != NULL ? g_file_equal (list, options->words)
                                 : g_str_equal (name, preview->list_name))
        preview->list = (int) i;
    }
}

WwPreview *
ww_set_preview (GFile *file, const WwOpenOptions *options, GCancellable *cancellable,
                GError **error)
{
  static const WwOpenOptions none = { NULL };
  g_autoptr (WwPreview) preview = ww_preview_new ();
  g_autoptr (GError) local = NULL;
  g_autoptr (WwSet) set = NULL;
  g_autofree char *base = NULL;
  WwOpening opening = { cancellable, NULL, NULL, options != NULL ? options : &none, preview, NULL };

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  base = g_file_get_basename (file);
  preview->name = g_filename_display_name (base);

  set = ww_set_open_probe (file, &opening, &local);
  /* One of several may be broken: another one can be chosen. */
  if (set == NULL && (!preview->needs_choice || local->domain != WW_SET_ERROR))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }

  if (set != NULL)
    show_set (preview, set);
  else
    preview->problem = g_strdup (local->message);
  find_lists (preview, file, opening.options);
  if (preview->rows == G_MAXSIZE)
    preview->rows = set != NULL ? ww_set_get_n_entries (set) : 0;
  /* A checkpoint is known by its config.json: its format, which the window has in its languages, says all. */
  if (preview->guess == NULL)
    preview->guess = g_strdup (set != NULL ? _(ww_set_get_format (set)) : local->message);
  if (preview->candidates->len > WW_PREVIEW_MAX_CANDIDATES)
    g_ptr_array_set_size (preview->candidates, WW_PREVIEW_MAX_CANDIDATES);
  return g_steal_pointer (&preview);
}
