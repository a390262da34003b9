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

static gsize
match_contraction (const char *text, gsize length)
{
  static const char *const ends[] = { "s", "t", "re", "ve", "m", "ll", "d" };

  for (gsize i = 0; text[0] == '\'' && i < G_N_ELEMENTS (ends); i++)
    {
      gsize tail = strlen (ends[i]);

      if (length > tail && memcmp (text + 1, ends[i], tail) == 0)
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

gsize
ww_bpe_split (const char *text, gsize length, gboolean behind_space)
{
  gsize start = !behind_space && text[0] == ' ' && length > 1 ? 1 : 0;
  gsize contraction = behind_space ? 0 : match_contraction (text, length);
  gsize next;
  Class class;

  if (contraction > 0)
    return contraction;

  class = classify_at (text, start, &next);
  if (class != CLASS_SPACE)
    return find_end (text, length, next, class);

  return split_space (text, length, behind_space);
}
