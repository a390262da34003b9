/* A .npz archive as an embedding set: one of its arrays, with the words and the mask that others of them
 * hold. */
#define _GNU_SOURCE /* memmem */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-array-set.h"
#include "ww-mask.h"
#include "ww-npz-list.h"
#include "ww-table-set.h"

static const char *const usual_arrays[] = { "vectors", "X", "embeddings", "vecs", "embedding", "E",
                                            "x", "matrix", "weights", "last_hidden_state", NULL };
static const char *const usual_words[] = { "words", "vocab", "vocabulary", "index2word", "keys",
                                           "names", "labels", NULL };
/* Of the rows of a context, not of a table that can be looked up. */
static const char *const usual_tokens[] = { "tokens", "token", "labels", "words", NULL };

typedef struct
{
  WwNpz *npz;
  WwArray array;
  WwSource *member;
  WwVocab *vocab;
  char *list;
  gsize index; /* of the array */
  gboolean is_context; /* the words only label the rows */
  gsize text, duplicates;
  gsize all_rows; /* of the array, where `array` holds only the first of them; 0: it holds all */
} Opened;

static void
opened_clear (Opened *opened)
{
  ww_npz_free (opened->npz);
  ww_source_unref (opened->member);
  ww_vocab_free (opened->vocab);
  g_free (opened->list);
}

static int
find_first (const WwNpz *npz, const char *const *names)
{
  for (gsize i = 0; names[i] != NULL; i++)
    if (ww_npz_find (npz, names[i]) >= 0)
      return ww_npz_find (npz, names[i]);

  return -1;
}

/* The same for words. Names that data sets also give to numbers (of classes, of tokens) mean words only where there is
 * text. */
static int
find_first_words (const WwNpz *npz, const char *const *names)
{
  static const char *const sure[] = { "words", "vocab", "vocabulary", "index2word", NULL };

  for (gsize i = 0; names[i] != NULL; i++)
    {
      int index = ww_npz_find (npz, names[i]);
      const WwNpzArray *array = index >= 0 ? ww_npz_get (npz, (gsize) index) : NULL;

      if (array != NULL
          && (array->failure != NULL || array->header.text_kind != 0 || g_strv_contains (sure, names[i])))
        return index;
    }

  return -1;
}

static gboolean
is_one_of (const char *name, const char *const *names)
{
  return g_strv_contains (names, name);
}

static GPtrArray *
list_arrays (const WwNpz *npz)
{
  GPtrArray *candidates = ww_candidates_new ();

  for (guint i = 0; i < npz->arrays->len; i++)
    {
      const WwNpzArray *array = ww_npz_get (npz, i);
      g_autofree char *shape = array->failure == NULL ? ww_npy_header_dup_shape (&array->header) : NULL;
      gboolean numbers = array->failure == NULL && array->header.text_kind == 0
                         && !array->header.truth && !is_one_of (array->name, ww_usual_masks);
      gboolean usable = numbers && array->header.n_axes >= 1 && array->header.n_axes <= 3;

      ww_candidates_add (candidates, array->name, shape,
                         array->failure == NULL ? ww_npy_header_get_type_name (&array->header) : NULL,
                         usable,
                         array->failure != NULL ? array->failure->message
                         : usable               ? NULL
                                                : _("no array of rows of numbers"));
    }

  return candidates;
}

/* Where no array can be used, what is wrong with the first one helps more than a list. */
static const GError *
find_failure (const WwNpz *npz, const GPtrArray *candidates)
{
  const GError *failure = NULL;

  for (guint i = 0; i < candidates->len; i++)
    {
      if (ww_candidates_get (candidates, i)->usable)
        return NULL;
      if (failure == NULL)
        failure = ww_npz_get (npz, i)->failure;
    }

  return failure;
}

/* A table that would have to be unpacked is unpacked as far as its first rows, if only they are to be seen. */
#define MAX_UNPACKED_FOR_PREVIEW (16 * 1024 * 1024)

static gboolean
shows_part (const WwNpzArray *array, const WwOpening *opening)
{
  return opening->preview != NULL && array->member->bytes != array->member->packed_bytes
         && array->member->bytes > MAX_UNPACKED_FOR_PREVIEW && array->failure == NULL
         && array->header.n_axes == 2 && !array->header.fortran && array->header.text_kind == 0
         && array->header.shape[0] > WW_PREVIEW_ROWS && array->header.shape[1] <= WW_MAX_DIMS;
}

static void
open_part (Opened *opened, const WwNpzArray *array, const WwOpening *opening, GError **error)
{
  gsize bytes = WW_PREVIEW_ROWS * ww_dtype_get_row_bytes (array->header.dtype, array->header.shape[1]);

  opened->member = ww_zip_open_member (opened->npz->zip, array->member, (gsize) array->header.data_offset + bytes,
                                       opening->cancellable, error);
  opened->array.header = array->header;
  opened->array.header.shape[0] = WW_PREVIEW_ROWS;
  opened->all_rows = array->header.shape[0];
  opening->preview->rows = opened->all_rows;
}

/* What scipy.sparse.save_npz writes: none of its arrays is a table by itself. */
static gboolean
is_sparse (const WwNpz *npz)
{
  static const char *const by_rows[] = { "indices", "indptr", "data", "shape", "format" };
  static const char *const by_places[] = { "row", "col", "data", "shape", "format" };
  gsize n_rows = 0, n_places = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (by_rows); i++)
    {
      n_rows += ww_npz_find (npz, by_rows[i]) >= 0;
      n_places += ww_npz_find (npz, by_places[i]) >= 0;
    }

  return n_rows == G_N_ELEMENTS (by_rows) || n_places == G_N_ELEMENTS (by_places);
}

/* The array that is meant, and the text in it. */
static gboolean
choose (Opened *opened, const WwOpening *opening, GError **error)
{
  g_autoptr (GPtrArray) candidates = list_arrays (opened->npz);
  const GError *failure = find_failure (opened->npz, candidates);
  gsize index;

  if (failure != NULL)
    {
      g_propagate_error (error, g_error_copy (failure));
      return FALSE;
    }
  if (is_sparse (opened->npz) && opening->options->member == NULL)
    {
      ww_source_set_error (opened->npz->source, error, WW_SET_ERROR_REFUSED,
                           _("a sparse matrix of SciPy; a whole one is needed. To convert:\n"
                             "  import numpy as np, scipy.sparse\n"
                             "  np.save('out.npy', scipy.sparse.load_npz('in.npz').toarray())"));
      return FALSE;
    }
  if (!ww_choose_with_text (candidates, opening, opened->npz->source, usual_arrays, &index,
                            &opened->array.text, error))
    return FALSE;

  opened->index = index;
  opened->array.header = ww_npz_get (opened->npz, index)->header;
  if (shows_part (ww_npz_get (opened->npz, index), opening))
    open_part (opened, ww_npz_get (opened->npz, index), opening, error);
  else
    opened->member = ww_npz_open_array (opened->npz, index, opening->cancellable, error);
  if (opened->member == NULL)
    return FALSE;
  opened->array.source = opened->member;
  opened->array.member = opened->npz->arrays->len > 1 ? ww_npz_get (opened->npz, index)->name : NULL;
  return ww_npy_check_numbers (opened->member, &opened->array.header, error)
         && ww_array_choose_text (&opened->array, opening, &opened->text, error);
}

static gsize
get_all_rows (const Opened *opened)
{
  return opened->all_rows > 0 ? opened->all_rows : ww_array_get_rows (&opened->array);
}

/* Whether the array at `index` has a value for each row: of the table, of each text, or one list for all
 * texts. *ret_first: where the values of the chosen text begin. */
static gboolean
fits (const Opened *opened, gsize index, gsize *ret_first)
{
  const WwNpyHeader *header = &ww_npz_get (opened->npz, index)->header;
  gsize rows = get_all_rows (opened);
  gboolean is_stack = opened->array.header.n_axes == 3;

  *ret_first = 0;
  if (header->n_axes == 1)
    return header->shape[0] == rows;
  if (header->n_axes != 2 || !is_stack || header->fortran
      || header->shape[0] != opened->array.header.shape[0] || header->shape[1] != rows)
    return FALSE;

  *ret_first = opened->text * rows;
  return TRUE;
}

static gboolean
fail_fit (const Opened *opened, gsize index, GError **error)
{
  const WwNpzArray *other = ww_npz_get (opened->npz, index);
  g_autofree char *shape = ww_npy_header_dup_shape (&other->header);
  g_autofree char *of = ww_npy_header_dup_shape (&opened->array.header);

  ww_source_set_error (opened->npz->source, error, WW_SET_ERROR_SHAPE,
                       other->header.fortran
                         ? _("the array \"%.200s\" has %s values in Fortran order; the rows of the array of %s were"
                             " expected")
                         : _("the array \"%.200s\" has %s values; the rows of the array of %s were expected"),
                       other->name, shape, of);
  return FALSE;
}

/* A text for each row, whatever the array is called, if there is one such array only. */
static int
find_only_text (const Opened *opened)
{
  int found = -1;
  gsize first;

  for (guint i = 0; i < opened->npz->arrays->len; i++)
    {
      const WwNpzArray *array = ww_npz_get (opened->npz, i);

      if (array->failure != NULL || array->header.text_kind == 0 || !fits (opened, i, &first))
        continue;
      if (found >= 0)
        return -1;
      found = (int) i;
    }

  return found;
}

/* Words in a file of their own, in the archive or outside: all of them, or those of the rows that are shown. */
static gboolean
find_list (Opened *opened, const WwOpening *opening, GError **error)
{
  gboolean asked = opening->options->words != NULL || opening->options->without_words;
  gsize rows = get_all_rows (opened);
  WwVocab *all = NULL;

  if (!asked
      && !ww_npz_find_list (opened->npz, opened->index, rows, opening, &all, &opened->list, &opened->duplicates, error))
    return FALSE;
  if (all == NULL
      && !ww_array_find_words (opened->array.file, rows, opening, &all, &opened->list, &opened->duplicates, error))
    return FALSE;
  if (all == NULL)
    ww_array_find_usual_list (opened->array.file, rows, opening, &all, &opened->list, &opened->duplicates);

  if (all != NULL && opened->all_rows > 0)
    {
      opened->vocab = ww_vocab_dup_head (all, ww_array_get_rows (&opened->array));
      ww_vocab_free (all);
    }
  else
    opened->vocab = all;
  return TRUE;
}

/* What an array that cannot be chosen is there for. */
static void
mark_used (const WwOpening *opening, gsize index, const char *remark)
{
  WwCandidate *candidate;

  if (opening->preview == NULL || index >= opening->preview->candidates->len)
    return;

  candidate = g_ptr_array_index (opening->preview->candidates, index);
  g_free (candidate->remark);
  candidate->remark = g_strdup (remark);
}

static gboolean
read_words (Opened *opened, const WwOpening *opening, GError **error)
{
  gsize rows = ww_array_get_rows (&opened->array), first;
  gboolean is_stack = opened->array.header.n_axes != 2
                      || (opened->array.member != NULL && g_ascii_strcasecmp (opened->array.member, "X") == 0);
  int index = is_stack ? -1 : find_first_words (opened->npz, usual_words);
  g_autoptr (WwSource) source = NULL;

  if (opening->options->words != NULL || opening->options->without_words)
    return find_list (opened, opening, error);
  if (index < 0)
    {
      index = find_first_words (opened->npz, usual_tokens);
      if (index < 0)
        index = find_only_text (opened);
      opened->is_context = index >= 0
                           && (is_stack || is_one_of (ww_npz_get (opened->npz, (gsize) index)->name, usual_tokens));
    }
  if (index < 0)
    return opened->array.header.n_axes != 2 || find_list (opened, opening, error);

  source = ww_npz_open_array (opened->npz, (gsize) index, opening->cancellable, error);
  if (source == NULL)
    return FALSE;
  if (!fits (opened, (gsize) index, &first))
    return fail_fit (opened, (gsize) index, error);
  opened->vocab = ww_npy_read_words (source, &ww_npz_get (opened->npz, (gsize) index)->header, first, rows,
                                     opened->is_context, &opened->duplicates, error);
  opened->list = g_strdup (ww_npz_get (opened->npz, (gsize) index)->name);
  ww_opening_note_words (opening, _("the array \"%s\" of the same archive"), opened->list);
  ww_opening_note_guess (opening, _("\"%s\" has the words of the rows, by its name or its kind."), opened->list);
  mark_used (opening, (gsize) index, _("used as the words"));
  return opened->vocab != NULL;
}

/* Rows, and the words of rows, that the mask leaves. */
static gboolean
apply_mask (Opened *opened, gsize index, const WwOpening *opening, WwTable *table, GError **error)
{
  const WwNpyHeader *header = &ww_npz_get (opened->npz, index)->header;
  g_autoptr (WwSource) source = ww_npz_open_array (opened->npz, index, opening->cancellable, error);
  gsize texts = opened->array.header.n_axes == 3 ? opened->array.header.shape[0] : 1;
  g_autofree guint8 *keeps = NULL;
  WwMask mask;

  if (source == NULL)
    return FALSE;
  if (!ww_mask_fits (header, texts, get_all_rows (opened)))
    return fail_fit (opened, index, error);
  /* Said of all rows, before some are gone. */
  if (opened->vocab != NULL && !ww_array_check_list (&opened->array, table->rows, opened->vocab, opened->list, error))
    return FALSE;

  mask = ww_mask_place (header, opened->text, source);
  if (!ww_mask_apply (&mask, opened->text, table, opening, &keeps, error))
    return FALSE;

  ww_mask_keep_words (&opened->vocab, keeps);
  mark_used (opening, index, _("used as the mask"));
  return TRUE;
}

static WwSet *
make_set (Opened *opened, const WwOpening *opening, GError **error)
{
  g_autoptr (WwTable) table = ww_array_make_table (&opened->array, opened->text);
  gsize rows = table->rows;
  int index = opened->all_rows > 0 ? -1 : find_first (opened->npz, ww_usual_masks);
  WwSet *set;

  if (index >= 0 && !apply_mask (opened, (gsize) index, opening, table, error))
    return NULL;
  if (opened->is_context)
    {
      WwVocab *labels = g_steal_pointer (&opened->vocab);

      opened->array.is_context = TRUE;
      set = ww_array_make_set (&opened->array, g_steal_pointer (&table), NULL, NULL, 0, opening, error);
      if (set != NULL)
        ww_table_set_take_labels (set, labels);
      else
        ww_vocab_free (labels);
    }
  else
    set = ww_array_make_set (&opened->array, g_steal_pointer (&table), g_steal_pointer (&opened->vocab),
                             opened->list, opened->duplicates, opening, error);

  if (set != NULL && index >= 0)
    ww_set_add_warning (set, _("The mask of the archive keeps %zu of %zu rows"), ww_set_get_n_entries (set), rows);
  return set;
}

/* What lies in the archive besides its arrays may be what its owner had in mind. */
static void
name_unused (const Opened *opened, WwSet *set, const WwOpening *opening)
{
  g_autofree char *unused = ww_npz_dup_unused (opened->npz, opened->list);

  if (unused == NULL)
    return;

  ww_set_add_warning (set, _("Not used of the archive: %s"), unused);
  ww_opening_note_guess (opening, _("Not used of the archive: %s."), unused);
}

/* A table in text out of the same archive is for another reader. */
static gboolean
asks_for_other (const WwProbe *probe)
{
  return probe->options->member != NULL && ww_npz_is_other_member (probe->source, probe->options->member);
}

/* By the first member, or wherever its name stands in the directory at the end. */
static gboolean
recognises (const WwProbe *probe)
{
  guint64 size;
  gsize length;
  g_autofree guint8 *tail = NULL;

  if (probe->source == NULL || probe->head_length < 4 || memcmp (probe->head, "PK\3\4", 4) != 0)
    return FALSE;
  if (memmem (probe->head, probe->head_length, ".npy", 4) != NULL)
    return !asks_for_other (probe);

  size = ww_source_get_size (probe->source);
  length = (gsize) MIN (size, WW_PROBE_BYTES);
  tail = g_malloc (length);
  return ww_source_read (probe->source, size - length, tail, length, NULL)
         && memmem (tail, length, ".npy", 4) != NULL && !asks_for_other (probe);
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  Opened opened = { NULL };
  WwSet *set = NULL;

  opened.array.file = probe->file;
  opened.array.whole = probe->source;
  opened.array.format = "NumPy archive";
  ww_opening_note (opening, _("A NumPy archive, by the names in its directory."));
  opened.npz = ww_npz_open (probe->source, opening->cancellable, error);
  if (opened.npz != NULL && choose (&opened, opening, error) && read_words (&opened, opening, error))
    set = make_set (&opened, opening, error);
  if (set != NULL)
    name_unused (&opened, set, opening);

  opened_clear (&opened);
  return set;
}

const WwReader ww_npz_reader = { recognises, open_probe, WW_TAKES_MEMBER | WW_TAKES_WORDS };
