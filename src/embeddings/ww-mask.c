#include "ww-mask.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-folder-names.h"
#include "ww-set.h"

static const char *const endings[] = { ".mask.npy", "_mask.npy", "_attention_mask.npy" };
static const char *const names[] = { "mask.npy", "attention_mask.npy" };
const char *const ww_usual_masks[] = { "mask", "attention_mask", NULL };

gboolean
ww_mask_is_name (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]))
      return TRUE;

  return g_str_equal (name, names[0]);
}

/* ret_keeps[r]: whether row r counts. */
static gboolean
read_values (const WwMask *mask, gsize rows, guint8 *ret_keeps, GError **error)
{
  gsize size = ww_dtype_get_size (mask->dtype);
  guint8 raw[8];
  double value;

  g_return_val_if_fail (size > 0 && size <= sizeof raw, FALSE);

  for (gsize r = 0; r < rows; r++)
    {
      if (!ww_source_read (mask->source, mask->offset + (guint64) r * mask->step, raw, size, error))
        return FALSE;
      ww_dtype_decode (mask->dtype, mask->big_endian, raw, 1, &value);
      /* No comparison is true of NaN. */
      if (!(value >= 0 && value <= 0) && !(value >= 1 && value <= 1))
        {
          ww_source_set_error (mask->source, error, WW_SET_ERROR_NUMBER,
                               _("the mask has the value %g for token %zu (counted from 0); 1, which keeps a token, or"
                                 " 0 was expected"), value, r);
          return FALSE;
        }
      ret_keeps[r] = value > 0;
    }

  return TRUE;
}

/* Only the rows whose byte in `keeps` is not 0. FALSE: none is left. */
static gboolean
keep_rows (WwTable *table, const guint8 *keeps)
{
  gsize size = ww_dtype_get_size (table->dtype), kept = 0;
  guint64 bytes = ww_dtype_get_row_bytes (table->dtype, table->cols);
  guint64 *starts = g_new (guint64, table->rows);

  for (gsize r = 0; r < table->rows; r++)
    if (keeps[r] != 0)
      starts[kept++] = table->row_starts != NULL ? table->row_starts[r]
                       : table->fortran          ? table->offset + (guint64) r * size
                                                 : table->offset + (guint64) r * bytes;
  if (table->fortran)
    table->col_step = (guint64) table->rows * size;
  table->fortran = FALSE;
  g_free (table->row_starts);
  table->row_starts = starts;
  table->rows = kept;
  return kept > 0;
}

gboolean
ww_mask_apply (const WwMask *mask, gsize text, WwTable *table, const WwOpening *opening, guint8 **ret_keeps,
               GError **error)
{
  gsize rows = table->rows;
  g_autofree guint8 *keeps = g_try_malloc0 (MAX (rows, 1));

  if (keeps == NULL)
    {
      ww_source_set_error (mask->source, error, WW_SET_ERROR_TOO_LARGE, _("not enough memory for the mask"));
      return FALSE;
    }
  if (!read_values (mask, rows, keeps, error))
    return FALSE;
  if (!keep_rows (table, keeps))
    {
      ww_source_set_error (mask->source, error, WW_SET_ERROR_EMPTY, _("the mask leaves no row of text %zu"), text + 1);
      return FALSE;
    }

  ww_opening_note_guess (opening, _("The mask keeps %zu of %zu rows."), table->rows, rows);
  if (ret_keeps != NULL)
    *ret_keeps = g_steal_pointer (&keeps);
  return TRUE;
}

void
ww_mask_keep_words (WwVocab **vocab, const guint8 *keeps)
{
  WwVocab *kept;

  if (*vocab == NULL)
    return;

  kept = ww_vocab_new ();
  for (gsize r = 0; r < ww_vocab_get_size (*vocab); r++)
    if (keeps[r] != 0)
      ww_vocab_append (kept, ww_vocab_get (*vocab, r), strlen (ww_vocab_get (*vocab, r)));
  ww_vocab_free (*vocab);
  *vocab = kept;
}

void
ww_found_mask_clear (WwFoundMask *found)
{
  g_clear_pointer (&found->source, ww_source_unref);
  g_clear_pointer (&found->unfit, g_free);
}

gboolean
ww_mask_fits (const WwNpyHeader *header, gsize texts, gsize rows)
{
  if (header->text_kind != 0)
    return FALSE;

  return (header->n_axes == 2 && header->shape[0] == texts && header->shape[1] == rows)
         || (header->n_axes == 1 && header->shape[0] == rows);
}

/* The value of a text's first token, and the way to the next, in either storage order. */
WwMask
ww_mask_place (const WwNpyHeader *header, gsize text, WwSource *source)
{
  gsize size = ww_dtype_get_size (header->dtype), first = 0, step = 1;

  if (header->n_axes == 2)
    {
      first = header->fortran ? text : text * header->shape[1];
      step = header->fortran ? header->shape[0] : 1;
    }

  return (WwMask) { source, header->dtype, header->big_endian, header->data_offset + (guint64) first * size,
                    (guint64) step * size };
}

static void
set_shape_error (WwSource *source, const WwNpyHeader *header, gsize texts, gsize rows, GError **error)
{
  g_autofree char *shape = ww_npy_header_dup_shape (header);

  if (texts == 1)
    ww_source_set_error (source, error, WW_SET_ERROR_SHAPE,
                         _("by its name this is the mask of the array beside it, but it is %s; %zu values were expected,"
                           " one for each row"), shape, rows);
  else
    ww_source_set_error (source, error, WW_SET_ERROR_SHAPE,
                         _("by its name this is the mask of the array beside it, but it is %s; %zu texts x %zu tokens"
                           " were expected"), shape, texts, rows);
}

/* `is_own`: its name says that it belongs to the array, so that it has to fit. */
static gboolean
try_file (GFile *file, gboolean is_own, gsize texts, gsize rows, gsize text, WwFoundMask *found, GError **error)
{
  g_autoptr (WwSource) source = NULL;
  WwNpyHeader header;

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR)
    return TRUE;
  source = ww_source_open (file, is_own ? error : NULL);
  if (source == NULL || !ww_npy_read_any_header (source, ww_source_get_size (source), &header, is_own ? error : NULL))
    return !is_own;
  if (ww_mask_fits (&header, texts, rows))
    {
      found->mask = ww_mask_place (&header, text, source);
      found->source = g_steal_pointer (&source);
      return TRUE;
    }
  if (is_own)
    {
      set_shape_error (source, &header, texts, rows, error);
      return FALSE;
    }

  g_free (found->unfit);
  found->unfit = g_file_get_basename (file);
  return TRUE;
}

gboolean
ww_mask_find (GFile *array, gsize texts, gsize rows, gsize text, WwFoundMask *ret_found, GError **error)
{
  g_autoptr (GFile) folder = g_file_get_parent (array);
  g_autofree char *base = g_file_get_basename (array);

  for (gsize i = 0; folder != NULL && ret_found->source == NULL && i < G_N_ELEMENTS (endings) + G_N_ELEMENTS (names); i++)
    {
      gboolean is_own = i < G_N_ELEMENTS (endings);
      g_autofree char *name = is_own ? ww_name_replace_ending (base, endings[i])
                                     : g_strdup (names[i - G_N_ELEMENTS (endings)]);
      g_autoptr (GFile) file = g_file_get_child (folder, name);

      if (!g_file_equal (file, array) && !try_file (file, is_own, texts, rows, text, ret_found, error))
        return FALSE;
    }

  return TRUE;
}
