/* A .npy file as an embedding set: a table of word vectors if a list of words lies beside it, else a
 * ready context, or one of several. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-array-set.h"
#include "ww-mask.h"

static gboolean
recognises (const WwProbe *probe)
{
  return probe->source != NULL && probe->head_length >= 6
         && memcmp (probe->head, "\x93NUMPY", 6) == 0;
}

/* Of a single array, a member can only be one of its texts. */
static gboolean
parse_member (const WwProbe *probe, const WwOpening *opening, gsize *ret_text, GError **error)
{
  const char *member = opening->options->member;
  g_autofree char *name = NULL;

  if (member == NULL || (ww_member_split (member, &name, ret_text) && name == NULL))
    return TRUE;

  ww_source_set_error (probe->source, error, WW_SET_ERROR_MISSING,
                       _("a single array has no member \"%.200s\"; the number of a text, from 1, can be chosen"
                         " where it has three axes"), member);
  return FALSE;
}

/* Finds the mask beside the file, and leaves the rows that it keeps, and their words. */
static gboolean
apply_mask (const WwArray *array, gsize text, const WwOpening *opening, WwTable *table, WwVocab **vocab, const char *list,
            WwFoundMask *found, GError **error)
{
  gsize texts = array->header.n_axes == 3 ? array->header.shape[0] : 1;
  g_autofree guint8 *keeps = NULL;

  if (array->header.n_axes < 2)
    return TRUE;
  if (!ww_mask_find (array->file, texts, table->rows, text, found, error))
    return FALSE;
  if (found->source == NULL)
    return TRUE;
  /* Said of all rows, before some are gone. */
  if (*vocab != NULL && !ww_array_check_list (array, table->rows, *vocab, list, error))
    return FALSE;
  if (!ww_mask_apply (&found->mask, text, table, opening, &keeps, error))
    return FALSE;

  ww_mask_keep_words (vocab, keeps);
  return TRUE;
}

static void
warn_of_mask (WwSet *set, const WwFoundMask *found, gsize rows)
{
  g_autofree char *name = found->source != NULL ? g_path_get_basename (ww_source_get_name (found->source)) : NULL;

  if (name != NULL)
    ww_set_add_warning (set, _("The mask in %s keeps %zu of %zu rows"), name, ww_set_get_n_entries (set), rows);
  else if (found->unfit != NULL)
    ww_set_add_warning (set, _("%s beside it has not one value for each row, so that no mask is applied"), found->unfit);
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  g_autofree char *list = NULL;
  g_autoptr (WwVocab) vocab = NULL;
  WwArray array = { probe->file, probe->source, probe->source, { 0 }, "NumPy" };
  g_auto (WwFoundMask) mask = { NULL };
  g_autoptr (WwTable) table = NULL;
  gsize text = 0, rows, duplicates = 0;
  WwSet *set;

  if (!ww_npy_read_header (probe->source, &array.header, error)
      || !parse_member (probe, opening, &array.text, error))
    return NULL;
  ww_opening_note (opening, _("A NumPy array, by its first bytes."));
  if (!ww_array_choose_text (&array, opening, &text, error)
      || !ww_array_check_list_option (&array, opening, error))
    return NULL;
  if (array.header.n_axes == 2
      && !ww_array_find_words (probe->file, array.header.shape[0], opening, &vocab, &list,
                               &duplicates, error))
    return NULL;
  if (array.header.n_axes == 2 && vocab == NULL)
    ww_array_find_usual_list (probe->file, array.header.shape[0], opening, &vocab, &list, &duplicates);
  if (vocab == NULL && ww_array_get_rows (&array) <= WW_MAX_ROWS)
    ww_opening_note (opening, _("Its rows are taken as the tokens of a ready context."));

  table = ww_array_make_table (&array, text);
  rows = table->rows;
  if (!apply_mask (&array, text, opening, table, &vocab, list, &mask, error))
    return NULL;
  set = ww_array_make_set (&array, g_steal_pointer (&table), g_steal_pointer (&vocab), list, duplicates, opening,
                           error);
  if (set != NULL)
    warn_of_mask (set, &mask, rows);
  return set;
}

const WwReader ww_npy_reader = { recognises, open_probe, WW_TAKES_MEMBER | WW_TAKES_WORDS };
