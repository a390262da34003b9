#include "ww-whole-words.h"

#include <string.h>

#include "ww-vocab.h"

typedef struct
{
  guint32 id;
  guint flags;
} Entry;

struct _WwWholeWords
{
  WwVocab *texts;
  GArray *entries; /* Entry, by the number of the text */
  gboolean begins[256];                               /* whether one begins with this byte */
  gboolean has_length[WW_WHOLE_WORD_MAX_BYTES + 1];
  gsize lengths[WW_WHOLE_WORD_MAX_BYTES], n_lengths; /* that occur, longest first */
};

WwWholeWords *
ww_whole_words_new (void)
{
  WwWholeWords *words = g_new0 (WwWholeWords, 1);

  words->texts = ww_vocab_new ();
  words->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  return words;
}

void
ww_whole_words_free (WwWholeWords *words)
{
  if (words == NULL)
    return;

  ww_vocab_free (words->texts);
  g_array_unref (words->entries);
  g_free (words);
}

static void
note_length (WwWholeWords *words, gsize length)
{
  if (words->has_length[length])
    return;

  words->has_length[length] = TRUE;
  words->n_lengths = 0;
  for (gsize other = WW_WHOLE_WORD_MAX_BYTES; other > 0; other--)
    if (words->has_length[other])
      words->lengths[words->n_lengths++] = other;
}

gboolean
ww_whole_words_add (WwWholeWords *words, const char *text, guint32 id, guint flags)
{
  const Entry entry = { id, flags };
  gsize length = strlen (text);
  guint32 index;

  if (length == 0 || length > WW_WHOLE_WORD_MAX_BYTES)
    return TRUE;
  if (ww_vocab_lookup (words->texts, text, length, &index))
    {
      g_array_index (words->entries, Entry, index) = entry;
      return TRUE;
    }
  if (ww_vocab_append (words->texts, text, length) == WW_VOCAB_FULL)
    return FALSE;

  g_array_append_val (words->entries, entry);
  words->begins[(guint8) text[0]] = TRUE;
  note_length (words, length);
  return TRUE;
}

gboolean
ww_whole_words_find (const WwWholeWords *words, const char *text, gsize limit, gsize *ret_length,
                     guint32 *ret_id, guint *ret_flags)
{
  gsize available;

  if (!words->begins[(guint8) *text])
    return FALSE;

  available = strnlen (text, WW_WHOLE_WORD_MAX_BYTES);
  for (gsize i = 0; i < words->n_lengths; i++)
    {
      gsize length = words->lengths[i];
      guint32 index;

      if (length < limit && length <= available && ww_vocab_lookup (words->texts, text, length, &index))
        {
          const Entry *entry = &g_array_index (words->entries, Entry, index);

          *ret_length = length;
          *ret_id = entry->id;
          *ret_flags = entry->flags;
          return TRUE;
        }
    }

  return FALSE;
}
