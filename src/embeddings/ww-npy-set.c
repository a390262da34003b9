/* A .npy file as an embedding set: a table of word vectors if a list of words lies beside it, else a
 * ready context. */
#include <string.h>

#include "ww-npy-private.h"
#include "ww-table-set.h"
#include "ww-word-list.h"

/* Smaller tables are looked through for NaN at opening time; of larger ones, rows are checked when
 * they are used, so that opening does not wait for the disk. */
#define MAX_CHECKED_BYTES (16 * 1024 * 1024)

static gboolean
check_values (const WwTable *table, GError **error)
{
  g_autoptr (WwMatrix) matrix = NULL;

  if (table->rows * table->cols * ww_dtype_get_size (table->dtype) > MAX_CHECKED_BYTES)
    return TRUE;

  matrix = ww_table_read_all (table, error);
  return matrix != NULL;
}

static gboolean
check_axes (WwSource *source, const WwNpyHeader *header, GError **error)
{
  g_autofree char *shape = ww_npy_header_dup_shape (header);

  if (header->n_axes == 3)
    ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                         "an array of %s, which is %" G_GSIZE_FORMAT " contexts; one context (rows x"
                         " dimensions) is read. To take the first:\n"
                         "  import numpy as np; a = np.load('in.npy')\n"
                         "  np.save('out.npy', a[0])", shape, header->shape[0]);
  else if (header->n_axes == 0 || header->n_axes > 3)
    ww_source_set_error (source, error, WW_SET_ERROR_SHAPE,
                         "an array with %u axes (%s); two are needed: rows and dimensions",
                         header->n_axes, shape);
  else if (header->shape[header->n_axes - 1] > WW_MAX_DIMS)
    ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                         "an array of %s; at most %d dimensions are accepted", shape, WW_MAX_DIMS);
  else
    return TRUE;

  return FALSE;
}

static WwTable *
make_table (WwSource *source, const WwNpyHeader *header)
{
  WwTable *table = g_new0 (WwTable, 1);

  table->source = ww_source_ref (source);
  table->offset = header->data_offset;
  table->dtype = header->dtype;
  table->big_endian = header->big_endian;
  table->fortran = header->fortran;
  table->rows = header->n_axes == 2 ? header->shape[0] : 1;
  table->cols = header->shape[header->n_axes - 1];
  return table;
}

static gboolean
check_fit (WwSource *source, const WwTable *table, const WwVocab *vocab, const char *list,
           GError **error)
{
  if (vocab == NULL && table->rows > WW_MAX_ROWS)
    ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                         "%" G_GSIZE_FORMAT " rows without a list of words; a context has at most %d"
                         " rows. If this is a table of word vectors, put its words, one a line, in a"
                         " file of the same name that ends in .txt", table->rows, WW_MAX_ROWS);
  else if (vocab != NULL && ww_vocab_get_size (vocab) != table->rows)
    ww_source_set_error (source, error, WW_SET_ERROR_SHAPE,
                         "the array has %" G_GSIZE_FORMAT " rows, but the list of words %s has %"
                         G_GSIZE_FORMAT " words; they must be as many", table->rows, list,
                         ww_vocab_get_size (vocab));
  else
    return TRUE;

  return FALSE;
}

static gboolean
recognises (const WwProbe *probe)
{
  return probe->source != NULL && probe->head_length >= 6
         && memcmp (probe->head, "\x93NUMPY", 6) == 0;
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  g_autofree char *name = g_file_get_basename (probe->file);
  g_autofree char *list = NULL;
  g_autoptr (WwVocab) vocab = NULL;
  g_autoptr (WwTable) table = NULL;
  WwNpyHeader header;
  gsize duplicates = 0;
  WwSet *set;

  if (!ww_npy_read_header (probe->source, &header, error)
      || !check_axes (probe->source, &header, error))
    return NULL;
  table = make_table (probe->source, &header);
  if (header.n_axes == 2
      && !ww_word_list_find (probe->file, table->rows, &vocab, &list, &duplicates, error))
    return NULL;
  if (!check_fit (probe->source, table, vocab, list, error) || !check_values (table, error))
    return NULL;

  set = ww_table_set_new (name, vocab != NULL ? "NumPy table with a word list" : "NumPy context",
                          probe->source, g_steal_pointer (&vocab), g_steal_pointer (&table));
  if (header.n_axes == 1)
    ww_set_add_warning (set, "The array has one axis only; it is taken as a context of one row");
  if (duplicates > 0)
    ww_set_add_warning (set, "%" G_GSIZE_FORMAT " words are in the list more than once; the first"
                        " of each is used", duplicates);
  return set;
}

const WwReader ww_npy_reader = { recognises, open_probe };
