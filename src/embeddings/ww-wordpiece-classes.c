#include "ww-wordpiece-classes.h"

/* Where nothing is cleaned, other controls separate words as well. */
gboolean
ww_wordpiece_is_space (gboolean keep_controls, gunichar c)
{
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
    return TRUE;
  if (c == 0x0b || c == 0x0c || c == 0x85)
    return keep_controls;

  switch (g_unichar_type (c))
    {
    case G_UNICODE_SPACE_SEPARATOR:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
      return TRUE;
    default:
      return FALSE;
    }
}

/* What the cleaning drops without a trace: controls, invisible formatting, private use, characters
 * that no Unicode version known here assigns, and the replacement character. */
gboolean
ww_wordpiece_is_dropped (gunichar c)
{
  if (c == 0xfffd)
    return TRUE;

  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_UNASSIGNED:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Every visible ASCII character that is no letter or digit counts, even where Unicode calls it a
 * symbol ($, +, ~). */
gboolean
ww_wordpiece_is_punctuation (gunichar c)
{
  return c < 128 ? g_ascii_ispunct ((char) c) : g_unichar_ispunct (c)
                   && g_unichar_type (c) != G_UNICODE_CURRENCY_SYMBOL
                   && g_unichar_type (c) != G_UNICODE_MODIFIER_SYMBOL
                   && g_unichar_type (c) != G_UNICODE_MATH_SYMBOL
                   && g_unichar_type (c) != G_UNICODE_OTHER_SYMBOL;
}

/* The blocks of CJK ideographs; Hangul, kana and others are written with spaces or left to the
 * pieces. */
gboolean
ww_wordpiece_is_chinese (gunichar c)
{
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf)
         || (c >= 0x20000 && c <= 0x2a6df) || (c >= 0x2a700 && c <= 0x2b73f)
         || (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b820 && c <= 0x2ceaf)
         || (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}
