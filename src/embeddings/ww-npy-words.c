/* Arrays of text as lists of words. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-npy-private.h"
#include "ww-set.h"

/* Longer words are a mistake, and would be kept in memory. */
#define MAX_WORD_CHARACTERS 65536

/* A whole sentence with the number of the word, counted from 1, in its place. */
#define FAIL(source, error, sentence, number) \
  (ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED, sentence, (number) + 1), FALSE)

/* One value as UTF-8. */
static gboolean
decode (WwSource *source, const WwNpyHeader *header, const guint8 *raw, gsize number, GString *word,
        GError **error)
{
  g_string_truncate (word, 0);
  if (header->text_kind == 'S')
    {
      g_string_append_len (word, (const char *) raw,
                           (gssize) strnlen ((const char *) raw, header->text_length));
      return g_utf8_validate_len (word->str, word->len, NULL)
             || FAIL (source, error, _("word %zu is no UTF-8 text"), number);
    }

  for (gsize i = 0; i < header->text_length; i++)
    {
      guint32 code;

      memcpy (&code, raw + 4 * i, sizeof code);
      code = header->big_endian ? GUINT32_FROM_BE (code) : GUINT32_FROM_LE (code);
      if (code == 0)
        break;
      if (!g_unichar_validate (code))
        return FAIL (source, error, _("word %zu holds a number that is no character"), number);
      g_string_append_unichar (word, code);
    }

  return TRUE;
}

static gboolean
append (WwSource *source, WwVocab *vocab, const GString *word, gsize number, gboolean may_be_empty,
        gsize *duplicates, GError **error)
{
  WwVocabResult result;

  if (word->len == 0 && !may_be_empty)
    return FAIL (source, error, _("word %zu is empty"), number);
  if (memchr (word->str, '\0', word->len) != NULL)
    return FAIL (source, error, _("word %zu holds a NUL"), number);

  result = ww_vocab_append (vocab, word->str, word->len);
  *duplicates += result == WW_VOCAB_DUPLICATE;
  if (result != WW_VOCAB_FULL)
    return TRUE;

  ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                       _("no memory for word %zu"), number + 1);
  return FALSE;
}

WwVocab *
ww_npy_read_words (WwSource *source, const WwNpyHeader *header, gsize first, gsize count,
                   gboolean may_be_empty, gsize *ret_duplicates, GError **error)
{
  g_autoptr (WwVocab) vocab = ww_vocab_new ();
  g_autoptr (GString) word = g_string_new (NULL);
  gsize bytes = header->text_length * (header->text_kind == 'U' ? 4 : 1), duplicates = 0;
  g_autofree guint8 *raw = NULL;

  if (header->text_kind == 0 || header->text_length > MAX_WORD_CHARACTERS)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_SHAPE,
                           _("an array of %s (type '%s'); words of at most %d characters were expected"),
                           ww_npy_header_get_type_name (header), header->descr, MAX_WORD_CHARACTERS);
      return NULL;
    }

  raw = g_malloc (bytes);
  for (gsize i = 0; i < count; i++)
    if (!ww_source_read (source, header->data_offset + (guint64) (first + i) * bytes, raw, bytes, error)
        || !decode (source, header, raw, i, word, error)
        || !append (source, vocab, word, i, may_be_empty, &duplicates, error))
      return NULL;

  *ret_duplicates = duplicates;
  return g_steal_pointer (&vocab);
}
