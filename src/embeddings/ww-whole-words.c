#include "ww-whole-words.h"

#include <string.h>

#include "ww-vocab.h"

typedef struct
{
  guint32 id;
  guint flags;
} Entry;

typedef struct
{
  WwWholeWords words; /* first, so that the public pointer is the private one */
  WwVocab *texts;
  GArray *entries; /* Entry, by the number of the text */
  gboolean has_length[WW_WHOLE_WORD_MAX_BYTES + 1];
  gsize lengths[WW_WHOLE_WORD_MAX_BYTES], n_lengths; /* that occur, longest first */
} Table;

WwWholeWords *
ww_whole_words_new (void)
{
  Table *table = g_new0 (Table, 1);

  table->texts = ww_vocab_new ();
  table->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  return &table->words;
}

void
ww_whole_words_free (WwWholeWords *words)
{
  Table *table = (Table *) words;

  if (table == NULL)
    return;

  ww_vocab_free (table->texts);
  g_array_unref (table->entries);
  g_free (table);
}

static void
note_length (Table *table, gsize length)
{
  if (table->has_length[length])
    return;

  table->has_length[length] = TRUE;
  table->n_lengths = 0;
  for (gsize other = WW_WHOLE_WORD_MAX_BYTES; other > 0; other--)
    if (table->has_length[other])
      table->lengths[table->n_lengths++] = other;
}

gboolean
ww_whole_words_add (WwWholeWords *words, const char *text, guint32 id, guint flags)
{
  Table *table = (Table *) words;
  const Entry entry = { id, flags };
  gsize length = strlen (text);
  guint32 index;

  if (length == 0 || length > WW_WHOLE_WORD_MAX_BYTES)
    return TRUE;
  if (ww_vocab_lookup (table->texts, text, length, &index))
    {
      g_array_index (table->entries, Entry, index) = entry;
      return TRUE;
    }
  if (ww_vocab_append (table->texts, text, length) == WW_VOCAB_FULL)
    return FALSE;

  g_array_append_val (table->entries, entry);
  words->begins[(guint8) text[0]] = TRUE;
  note_length (table, length);
  return TRUE;
}

gboolean
ww_whole_words_find (const WwWholeWords *words, const char *text, gsize limit, gsize *ret_length,
                     guint32 *ret_id, guint *ret_flags)
{
  const Table *table = (const Table *) words;
  gsize available;

  if (!words->begins[(guint8) *text])
    return FALSE;

  available = strnlen (text, WW_WHOLE_WORD_MAX_BYTES);
  for (gsize i = 0; i < table->n_lengths; i++)
    {
      gsize length = table->lengths[i];
      guint32 index;

      if (length < limit && length <= available && ww_vocab_lookup (table->texts, text, length, &index))
        {
          const Entry *entry = &g_array_index (table->entries, Entry, index);

          *ret_length = length;
          *ret_id = entry->id;
          *ret_flags = entry->flags;
          return TRUE;
        }
    }

  return FALSE;
}
