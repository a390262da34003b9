#include "ww-word-marks.h"

#include <string.h>

#include "ww-bpe-bytes.h"

#define LOWER_BLOCK "\342\226\201" /* U+2581 */
#define N_LOOKED_AT 4096

void
ww_word_marks_write (WwWordMarks marks, const char *word, gsize length, gboolean begins, GString *to)
{
  g_string_truncate (to, 0);
  if (marks != WW_WORD_MARKS_BYTES)
    {
      if (marks == WW_WORD_MARKS_SPACE && begins)
        g_string_append (to, LOWER_BLOCK);
      g_string_append_len (to, word, (gssize) length);
      return;
    }

  if (begins)
    g_string_append_unichar (to, ww_bpe_byte_to_char (' '));
  for (gsize i = 0; i < length; i++)
    g_string_append_unichar (to, ww_bpe_byte_to_char ((guint8) word[i]));
}

char *
ww_words_dup_display (const char *word, WwWordMarks marks)
{
  if (*word == '\0')
    return g_strdup ("\u2205");
  if (marks == WW_WORD_MARKS_BYTES)
    return ww_bpe_dup_display (word);
  if (marks == WW_WORD_MARKS_SPACE && g_str_has_prefix (word, LOWER_BLOCK) && word[strlen (LOWER_BLOCK)] != '\0')
    return g_strdup (word + strlen (LOWER_BLOCK));

  return g_strdup (word);
}

WwWordMarks
ww_words_guess_marks (const WwVocab *vocab)
{
  gsize n = MIN (ww_vocab_get_size (vocab), N_LOOKED_AT), blocks = 0, spaces = 0;

  for (gsize i = 0; i < n; i++)
    {
      const char *word = ww_vocab_get (vocab, i);

      blocks += g_str_has_prefix (word, LOWER_BLOCK);
      spaces += g_str_has_prefix (word, "\304\240"); /* U+0120, a space */
    }

  if (MAX (blocks, spaces) * 20 < n || n == 0)
    return WW_WORD_MARKS_NONE;
  return blocks >= spaces ? WW_WORD_MARKS_SPACE : WW_WORD_MARKS_BYTES;
}
