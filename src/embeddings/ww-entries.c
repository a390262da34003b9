#include "ww-entries.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ww-set-private.h"

/* Entries between two looks at the cancel flag, and of a stretch that is sorted in one go. */
#define POLL_ENTRIES 4096
/* Rows that are asked of a set at a time. */
#define ROWS 64

struct _WwEntries
{
  gatomicrefcount ref_count;
  WwSet *set;
  gsize n;
  GStringChunk *texts;
  const char **text;    /* n, in `texts`: as ww_entries_get_text */
  const char **folded;  /* n, in `texts`: without case; NULL for what is no candidate */
  guint32 *by_folded;   /* n_candidates ids, by folded text and id */
  guint32 *by_text;     /* n ids, by text and id */
  gsize n_candidates;
};

void
ww_entries_unref (WwEntries *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_object (&self->set);
  g_clear_pointer (&self->texts, g_string_chunk_free);
  g_free (self->text);
  g_free (self->folded);
  g_free (self->by_folded);
  g_free (self->by_text);
  g_free (self);
}

WwEntries *
ww_entries_ref (WwEntries *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static gboolean
is_reserved (const char *text)
{
  return g_str_has_prefix (text, "[unused") && g_str_has_suffix (text, "]");
}

static char *
fold (const char *text)
{
  g_autofree char *normal = g_utf8_normalize (text, -1, G_NORMALIZE_NFKC);

  return normal != NULL ? g_utf8_casefold (normal, -1) : g_strdup (text);
}

/* Stores a text; a vocabulary may hold bytes that are none. */
static const char *
store_text (WwEntries *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return g_string_chunk_insert (self->texts, valid);
}

static void
store_folded (WwEntries *self, guint32 id)
{
  g_autofree char *folded = fold (self->text[id]);

  self->folded[id] = g_str_equal (folded, self->text[id]) ? self->text[id]
                                                          : g_string_chunk_insert (self->texts, folded);
}

static void
clear_token (WwToken *token)
{
  g_free (token->text);
  g_free (token->display);
}

static void
add_entry (WwEntries *self, guint32 id)
{
  WwToken token = { 0 };

  WW_SET_GET_CLASS (self->set)->fill_token (self->set, id, &token);
  self->text[id] = store_text (self, g_str_has_prefix (token.text, "##") ? token.text : token.display);
  if (token.has_row && !token.special && !token.unknown && !is_reserved (token.text))
    {
      store_folded (self, id);
      self->by_folded[self->n_candidates++] = id;
    }
  self->by_text[id] = id;
  clear_token (&token);
}

/* Pieces that a person reads alike ("love" with and without the space before it) are shown as the
 * vocabulary writes them, so that each can be named. */
static void
tell_apart (WwEntries *self, gsize first, gsize end)
{
  for (gsize place = first; place < end; place++)
    {
      guint32 id = self->by_text[place];
      WwToken token = { 0 };

      WW_SET_GET_CLASS (self->set)->fill_token (self->set, id, &token);
      self->text[id] = store_text (self, token.text);
      if (self->folded[id] != NULL)
        store_folded (self, id);
      clear_token (&token);
    }
}

static int
compare_ids (guint32 a, guint32 b)
{
  return (a > b) - (a < b);
}

static int
compare_folded (gconstpointer a, gconstpointer b, gpointer data)
{
  const WwEntries *self = data;
  guint32 first = *(const guint32 *) a, second = *(const guint32 *) b;
  int order = strcmp (self->folded[first], self->folded[second]);

  return order != 0 ? order : compare_ids (first, second);
}

static int
compare_text (gconstpointer a, gconstpointer b, gpointer data)
{
  const WwEntries *self = data;
  guint32 first = *(const guint32 *) a, second = *(const guint32 *) b;
  int order = strcmp (self->text[first], self->text[second]);

  return order != 0 ? order : compare_ids (first, second);
}

static void
set_no_memory (const WwEntries *self, GError **error)
{
  g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
               _("Not enough memory for a list of %zu words"), self->n);
}

static gboolean
allocate_all (WwEntries *self, GError **error)
{
  self->text = g_try_new0 (const char *, self->n);
  self->folded = g_try_new0 (const char *, self->n);
  self->by_folded = g_try_new (guint32, self->n);
  self->by_text = g_try_new (guint32, self->n);
  self->texts = g_string_chunk_new (65536);
  if (self->text != NULL && self->folded != NULL && self->by_folded != NULL && self->by_text != NULL)
    return TRUE;

  set_no_memory (self, error);
  return FALSE;
}

/* Two sorted neighbours, `from` to `middle` and on to `end`, become one in `to`. */
static void
merge (const guint32 *ids, gsize from, gsize middle, gsize end, GCompareDataFunc compare,
       gpointer data, guint32 *to)
{
  gsize left = from, right = middle;

  for (gsize at = from; at < end; at++)
    if (right == end || (left < middle && compare (ids + left, ids + right, data) <= 0))
      to[at] = ids[left++];
    else
      to[at] = ids[right++];
}

/* In stretches, so that the flag is seen in time however many words there are. `*ids` is exchanged for
 * `*room`, which has as many entries, as often as needed. */
static gboolean
sort_ids (guint32 **ids, guint32 **room, gsize n, GCompareDataFunc compare, gpointer data,
          const WwCancel *cancel, GError **error)
{
  for (gsize from = 0; from < n; from += POLL_ENTRIES)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      g_qsort_with_data (*ids + from, (int) MIN (POLL_ENTRIES, n - from), sizeof (guint32), compare, data);
    }

  for (gsize width = POLL_ENTRIES; width < n; width *= 2)
    {
      guint32 *sorted = *room;

      for (gsize from = 0; from < n; from += 2 * width)
        {
          if (ww_cancel_check (cancel, error))
            return FALSE;
          merge (*ids, from, MIN (from + width, n), MIN (from + 2 * width, n), compare, data, sorted);
        }
      *room = *ids;
      *ids = sorted;
    }
  return TRUE;
}

/* Whether any texts had to be told apart, which puts them out of order. */
static gboolean
tell_all_apart (WwEntries *self)
{
  gboolean changed = FALSE;

  for (gsize first = 0, end; first < self->n; first = end)
    {
      const char *text = self->text[self->by_text[first]];

      end = first + 1;
      while (end < self->n && g_str_equal (self->text[self->by_text[end]], text))
        end++;
      if (end - first > 1)
        {
          tell_apart (self, first, end);
          changed = TRUE;
        }
    }
  return changed;
}

static gboolean
sort_all (WwEntries *self, const WwCancel *cancel, GError **error)
{
  g_autofree guint32 *room = g_try_new (guint32, self->n);

  if (room == NULL)
    {
      set_no_memory (self, error);
      return FALSE;
    }
  if (!sort_ids (&self->by_text, &room, self->n, compare_text, self, cancel, error))
    return FALSE;
  if (tell_all_apart (self)
      && !sort_ids (&self->by_text, &room, self->n, compare_text, self, cancel, error))
    return FALSE;

  /* Both arrays have room for all. */
  return sort_ids (&self->by_folded, &room, self->n_candidates, compare_folded, self, cancel, error);
}

WwEntries *
ww_entries_new (WwSet *set, const WwCancel *cancel, GError **error)
{
  g_autoptr (WwEntries) self = NULL;

  g_return_val_if_fail (WW_IS_SET (set), NULL);

  if (ww_set_get_kind (set) == WW_SET_KIND_CONTEXT)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                   _("“%s” is a ready context: it has rows, but no words that could stand in their place"),
                   ww_set_get_name (set));
      return NULL;
    }

  self = g_new0 (WwEntries, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->set = g_object_ref (set);
  self->n = ww_set_get_n_entries (set);
  if (!allocate_all (self, error))
    return NULL;

  for (gsize id = 0; id < self->n; id++)
    {
      if (id % POLL_ENTRIES == 0 && ww_cancel_check (cancel, error))
        return NULL;
      add_entry (self, (guint32) id);
    }
  return sort_all (self, cancel, error) ? g_steal_pointer (&self) : NULL;
}

WwSet *
ww_entries_get_set (const WwEntries *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->set;
}

gsize
ww_entries_get_n (const WwEntries *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n;
}

const char *
ww_entries_get_text (const WwEntries *self, guint32 id)
{
  g_return_val_if_fail (self != NULL && id < self->n, NULL);

  return self->text[id];
}

gboolean
ww_entries_is_candidate (const WwEntries *self, guint32 id)
{
  g_return_val_if_fail (self != NULL && id < self->n, FALSE);

  return self->folded[id] != NULL;
}

/* The first place in `ids`, which are sorted by `keys`, whose key is not before `key`. */
static gsize
find_place (const guint32 *ids, gsize n, const char *const *keys, const char *key)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (strcmp (keys[ids[middle]], key) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
look_up_as_written (const WwEntries *self, const char *word, guint32 *ret_id)
{
  gsize place = find_place (self->by_text, self->n, self->text, word);

  /* Equal texts: the first that is a candidate. */
  for (; place < self->n && g_str_equal (self->text[self->by_text[place]], word); place++)
    if (self->folded[self->by_text[place]] != NULL)
      {
        *ret_id = self->by_text[place];
        return TRUE;
      }
  return FALSE;
}

/* What a text of this one word becomes. */
static gboolean
look_up_as_text (const WwEntries *self, const char *word, guint32 *ret_id, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokenise (self->set, word, FALSE, &problem);
  const WwToken *token;

  if (tokens == NULL)
    {
      if (g_error_matches (problem, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS))
        g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS, _("“%s” is not in the set"), word);
      else
        g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }

  token = &tokens->tokens[0];
  if (tokens->n > 1)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS,
                 _("“%s” is %zu tokens in this set; one was expected"), word, tokens->n);
  else if (!token->has_row || token->id >= self->n || self->folded[token->id] == NULL)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS, _("“%s” is not in the set"), word);
  else
    {
      *ret_id = token->id;
      return TRUE;
    }
  return FALSE;
}

gboolean
ww_entries_lookup (const WwEntries *self, const char *word, guint32 *ret_id, GError **error)
{
  g_autofree char *stripped = NULL;

  g_return_val_if_fail (self != NULL && word != NULL && ret_id != NULL, FALSE);

  if (!g_utf8_validate (word, -1, NULL))
    {
      g_set_error_literal (error, WW_SET_ERROR, WW_SET_ERROR_TEXT, _("The word is no UTF-8"));
      return FALSE;
    }
  stripped = g_strstrip (g_strdup (word));
  if (*stripped == '\0')
    {
      g_set_error_literal (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS, _("There is no word"));
      return FALSE;
    }
  return look_up_as_written (self, stripped, ret_id)
         || look_up_as_text (self, stripped, ret_id, error);
}

typedef struct
{
  const WwEntries *entries;
  const char *prefix;
} Completion;

static int
compare_completions (gconstpointer a, gconstpointer b, gpointer data)
{
  const Completion *completion = data;
  guint32 first = *(const guint32 *) a, second = *(const guint32 *) b;
  const char *left = completion->entries->text[first], *right = completion->entries->text[second];
  int order = g_str_has_prefix (right, completion->prefix) - g_str_has_prefix (left, completion->prefix);
  glong length;

  if (order != 0)
    return order;
  length = g_utf8_strlen (left, -1) - g_utf8_strlen (right, -1);
  if (length != 0)
    return length < 0 ? -1 : 1;
  return compare_ids (first, second);
}

char **
ww_entries_complete (const WwEntries *self, const char *prefix, gsize max)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *folded = NULL;
  Completion completion = { self, prefix };

  g_return_val_if_fail (self != NULL && prefix != NULL, NULL);

  folded = g_utf8_validate (prefix, -1, NULL) ? fold (prefix) : NULL;
  if (folded == NULL || *folded == '\0')
    return g_strv_builder_end (builder);

  for (gsize at = find_place (self->by_folded, self->n_candidates, self->folded, folded);
       at < self->n_candidates && g_str_has_prefix (self->folded[self->by_folded[at]], folded); at++)
    g_array_append_val (found, self->by_folded[at]);
  g_array_sort_with_data (found, compare_completions, &completion);

  /* Equal texts are neighbours here. */
  for (guint f = 0, n = 0; f < found->len && n < max; f++)
    {
      const char *text = self->text[g_array_index (found, guint32, f)];

      if (f > 0 && g_str_equal (text, self->text[g_array_index (found, guint32, f - 1)]))
        continue;
      g_strv_builder_add (builder, text);
      n++;
    }
  return g_strv_builder_end (builder);
}

gboolean
ww_entries_check_layer (const WwEntries *self, int layer, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (layer == WW_LAYER_WORD || (layer == 0 && ww_set_get_default_layer (self->set) == 0
          && WW_SET_GET_CLASS (self->set)->get_row != NULL))
    return TRUE;

  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
               _("The rows of layer %d depend on the whole text, so words cannot be swapped there; take layer 0 or"
                 " the word vectors"),
               layer);
  return FALSE;
}

/* Word vectors by way of a context of these entries. */
static gboolean
read_words (const WwEntries *self, const guint32 *ids, gsize count, double *ret_raw, GError **error)
{
  g_autoptr (WwMatrix) rows = WW_SET_GET_CLASS (self->set)->get_context (self->set, ids, count, WW_LAYER_WORD, error);

  if (rows == NULL)
    return FALSE;

  memcpy (ret_raw, rows->data, rows->rows * rows->cols * sizeof (double));
  return TRUE;
}

static gboolean
read_some (const WwEntryRows *rows, guint32 first, gsize count, double *ret_raw, GError **error)
{
  const WwEntries *self = rows->entries;
  gsize dims = ww_set_get_dims (self->set);
  guint32 ids[ROWS];

  for (gsize t = 0; t < count; t++)
    ids[t] = first + (guint32) t;
  if (rows->layer == WW_LAYER_WORD && !read_words (self, ids, count, ret_raw, error))
    return FALSE;

  for (gsize t = 0; t < count; t++)
    {
      double *row = ret_raw + t * dims;

      if (self->folded[ids[t]] == NULL)
        for (gsize c = 0; c < dims; c++)
          row[c] = NAN;
      else if (rows->layer != WW_LAYER_WORD
               && !WW_SET_GET_CLASS (self->set)->get_row (self->set, ids[t], rows->ids, rows->position, row, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
ww_entries_read_rows (gsize first, gsize count, double *ret_raw, gpointer data, GError **error)
{
  const WwEntryRows *rows = data;
  gsize dims;

  g_return_val_if_fail (rows != NULL && ret_raw != NULL, FALSE);
  g_return_val_if_fail (first <= rows->entries->n && count <= rows->entries->n - first, FALSE);

  dims = ww_set_get_dims (rows->entries->set);
  for (gsize done = 0; done < count; done += ROWS)
    if (!read_some (rows, (guint32) (first + done), MIN (ROWS, count - done), ret_raw + done * dims, error))
      return FALSE;
  return TRUE;
}

gboolean
ww_entry_rows_read_word (const WwEntryRows *rows, const char *word, const WwRowScale *scale, double *ret_row,
                         GError **error)
{
  g_autofree double *raw = NULL;
  guint32 id;

  g_return_val_if_fail (rows != NULL && word != NULL && scale != NULL && ret_row != NULL, FALSE);

  if (!ww_entries_check_layer (rows->entries, rows->layer, error)
      || !ww_entries_lookup (rows->entries, word, &id, error))
    return FALSE;

  raw = g_new (double, ww_row_scale_get_raw_dims (scale));
  if (!ww_entries_read_rows (id, 1, raw, (gpointer) rows, error))
    return FALSE;
  if (ww_row_scale_apply (scale, raw, ret_row))
    return TRUE;

  g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_ROW,
               _("The row of “%s” is zero and cannot be scaled to a norm"), word);
  return FALSE;
}
