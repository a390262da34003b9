#include "ww-word-marks.h"

#include <string.h>

#define LOWER_BLOCK "\342\226\201" /* U+2581 */
#define N_LOOKED_AT 4096

/* Byte-level BPE writes each byte as one character that can be seen: the visible ones of Latin-1 as
 * themselves, the 68 others, in their order, as U+0100 and on. */
static gunichar
character_of_byte (guint8 byte)
{
  if (byte > 0x20 && byte < 0x7f)
    return byte;
  if (byte > 0xa0 && byte != 0xad)
    return byte;
  if (byte <= 0x20)
    return 0x100u + byte;
  return byte == 0xad ? 0x100u + 67 : 0x100u + 33 + (byte - 0x7fu);
}

/* The byte that a character stands for, or -1. */
static int
byte_of_character (gunichar c)
{
  if (c < 0x100)
    return character_of_byte ((guint8) c) == c ? (int) c : -1;
  if (c <= 0x100 + 0x20)
    return (int) (c - 0x100);
  if (c < 0x100 + 67)
    return (int) (c - 0x100 - 33 + 0x7f);
  return c == 0x100 + 67 ? 0xad : -1;
}

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
    g_string_append_unichar (to, character_of_byte (' '));
  for (gsize i = 0; i < length; i++)
    g_string_append_unichar (to, character_of_byte ((guint8) word[i]));
}

static char *
dup_bytes (const char *word)
{
  g_autoptr (GString) bytes = g_string_new (NULL);

  for (const char *at = word; *at != '\0'; at = g_utf8_next_char (at))
    {
      int byte = byte_of_character (g_utf8_get_char (at));

      if (byte < 0)
        return g_strdup (word); /* a special entry, which is no text in bytes */
      g_string_append_c (bytes, (char) byte);
    }

  return g_utf8_make_valid (bytes->str, (gssize) bytes->len);
}

char *
ww_words_dup_display (const char *word, WwWordMarks marks)
{
  g_autofree char *shown = NULL;

  if (marks == WW_WORD_MARKS_NONE || !g_utf8_validate (word, -1, NULL))
    return g_strdup (word);

  shown = marks == WW_WORD_MARKS_BYTES ? dup_bytes (word) : g_strdup (word);
  if (g_str_has_prefix (shown, LOWER_BLOCK) && shown[3] != '\0')
    return g_strdup (shown + 3);
  if (shown[0] == ' ' && shown[1] != '\0')
    return g_strdup (shown + 1);

  return *shown != '\0' && strspn (shown, " \t\r\n") < strlen (shown) ? g_steal_pointer (&shown)
                                                                      : g_strdup (word);
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
