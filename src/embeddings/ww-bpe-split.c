#include "ww-bpe-split.h"

#include <string.h>

typedef enum
{
  CLASS_LETTER,
  CLASS_NUMBER,
  CLASS_SPACE,
  CLASS_OTHER,
} Class;

/* White space as Unicode defines it; the controls among it are no separators by their category. */
static gboolean
is_space (gunichar c)
{
  return (c >= 0x09 && c <= 0x0d) || c == 0x20 || c == 0x85 || c == 0xa0 || c == 0x1680
         || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f
         || c == 0x3000;
}

static Class
classify (gunichar c)
{
  if (c < 128)
    return g_ascii_isalpha ((char) c) ? CLASS_LETTER
           : g_ascii_isdigit ((char) c) ? CLASS_NUMBER
           : is_space (c) ? CLASS_SPACE : CLASS_OTHER;

  switch (g_unichar_type (c))
    {
    case G_UNICODE_LOWERCASE_LETTER:
    case G_UNICODE_MODIFIER_LETTER:
    case G_UNICODE_OTHER_LETTER:
    case G_UNICODE_TITLECASE_LETTER:
    case G_UNICODE_UPPERCASE_LETTER:
      return CLASS_LETTER;
    case G_UNICODE_DECIMAL_NUMBER:
    case G_UNICODE_LETTER_NUMBER:
    case G_UNICODE_OTHER_NUMBER:
      return CLASS_NUMBER;
    default:
      return is_space (c) ? CLASS_SPACE : CLASS_OTHER;
    }
}

static Class
classify_at (const char *text, gsize at, gsize *ret_next)
{
  *ret_next = at + (gsize) (g_utf8_next_char (text + at) - (text + at));
  return classify (g_utf8_get_char (text + at));
}

/* The end of the run of one class that begins at `at`. */
static gsize
find_end (const char *text, gsize length, gsize at, Class class)
{
  gsize next;

  while (at < length && classify_at (text, at, &next) == class)
    at = next;
  return at;
}

/* `fold`: in capitals as well. */
static gsize
match_contraction (const char *text, gsize length, gboolean fold)
{
  static const char *const ends[] = { "s", "t", "re", "ve", "m", "ll", "d" };

  for (gsize i = 0; text[0] == '\'' && i < G_N_ELEMENTS (ends); i++)
    {
      gsize tail = strlen (ends[i]);

      if (length > tail && (fold ? g_ascii_strncasecmp : strncmp) (text + 1, ends[i], tail) == 0)
        return 1 + tail;
    }

  return 0;
}

/* All white space up to the end of the text, or all but its last character, which may belong to the word
 * behind it. */
static gsize
split_space (const char *text, gsize length, gboolean behind_space)
{
  gsize end = find_end (text, length, 0, CLASS_SPACE);
  gsize before_last;

  if (end == length)
    return end;

  before_last = (gsize) (g_utf8_prev_char (text + end) - text);
  return before_last > 0 || behind_space ? before_last : end;
}

static gsize
split_gpt2 (const char *text, gsize length, gboolean behind_space)
{
  gsize start = !behind_space && text[0] == ' ' && length > 1 ? 1 : 0;
  gsize contraction = behind_space ? 0 : match_contraction (text, length, FALSE);
  gsize next;
  Class class;

  if (contraction > 0)
    return contraction;

  class = classify_at (text, start, &next);
  if (class != CLASS_SPACE)
    return find_end (text, length, next, class);

  return split_space (text, length, behind_space);
}

static gboolean
is_newline (char c)
{
  return c == '\n' || c == '\r';
}

/* White space up to its last line end; without one, as GPT-2 has it. */
static gsize
split_lines (const char *text, gsize length)
{
  gsize end = find_end (text, length, 0, CLASS_SPACE);

  while (end > 0 && !is_newline (text[end - 1]))
    end--;
  return end > 0 ? end : split_space (text, length, FALSE);
}

/* Words with whatever one character stands in front of them, numbers of at most `digits` digits, and line ends
 * that stay with what is before them. */
static gsize
split_tiktoken (const char *text, gsize length, guint digits)
{
  gsize contraction = match_contraction (text, length, TRUE);
  gsize next, behind, end;
  Class class;

  if (contraction > 0)
    return contraction;

  class = classify_at (text, 0, &next);
  if (class == CLASS_LETTER)
    return find_end (text, length, next, class);
  if (class == CLASS_NUMBER)
    {
      for (guint i = 1; i < digits && next < length && classify_at (text, next, &behind) == CLASS_NUMBER; i++)
        next = behind;
      return next;
    }
  if (!is_newline (text[0]) && next < length && classify_at (text, next, &behind) == CLASS_LETTER)
    return find_end (text, length, behind, CLASS_LETTER);

  end = find_end (text, length, text[0] == ' ' ? 1 : 0, CLASS_OTHER);
  if (class == CLASS_SPACE && end <= next)
    return split_lines (text, length);
  while (end < length && is_newline (text[end]))
    end++;
  return end;
}

gboolean
ww_bpe_cut_from_pattern (const char *pattern, WwBpeCut *ret_cut)
{
  static const struct
  {
    const char *pattern;
    WwBpeCut cut;
  } known[] = {
    { "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", WW_BPE_CUT_GPT2 },
    { "'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", WW_BPE_CUT_GPT2 },
    { "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*"
      "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+", WW_BPE_CUT_LLAMA3 },
    { "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*"
      "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+", WW_BPE_CUT_QWEN2 },
  };

  for (gsize i = 0; pattern != NULL && i < G_N_ELEMENTS (known); i++)
    if (strcmp (pattern, known[i].pattern) == 0)
      {
        *ret_cut = known[i].cut;
        return TRUE;
      }

  return FALSE;
}

gsize
ww_bpe_cut_get_limit (WwBpeCut cut, const char *text, gsize length)
{
  gsize at = 0, next = 0;

  if (cut != WW_BPE_CUT_DIGITS)
    return length;

  while (at < length && classify_at (text, at, &next) != CLASS_NUMBER)
    at = next;
  return at > 0 ? at : next;
}

gsize
ww_bpe_split (WwBpeCut cut, const char *text, gsize length, gboolean behind_space)
{
  switch (cut)
    {
    case WW_BPE_CUT_LLAMA3:
      return split_tiktoken (text, length, 3);
    case WW_BPE_CUT_QWEN2:
      return split_tiktoken (text, length, 1);
    case WW_BPE_CUT_GPT2:
    case WW_BPE_CUT_DIGITS:
    default:
      return split_gpt2 (text, length, behind_space);
    }
}
