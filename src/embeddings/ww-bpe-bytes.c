#include "ww-bpe-bytes.h"

#define FIRST_SUBSTITUTE 0x100

static gboolean
is_printable (guint byte)
{
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
}

gunichar
ww_bpe_byte_to_char (guint8 byte)
{
  gunichar substitute = FIRST_SUBSTITUTE;

  if (is_printable (byte))
    return byte;

  for (guint other = 0; other < byte; other++)
    substitute += !is_printable (other);
  return substitute;
}

/* -1: no byte. */
static int
char_to_byte (gunichar c)
{
  /* The bytes without a printable character, in the order of their substitutes. */
  guint rest;

  if (c < FIRST_SUBSTITUTE)
    return is_printable (c) ? (int) c : -1;

  rest = c - FIRST_SUBSTITUTE;
  if (rest < 0x21)
    return (int) rest;
  if (rest < 0x21 + 0x22)
    return (int) (rest - 0x21 + 0x7f);
  return rest == 0x21 + 0x22 ? 0xad : -1;
}

gboolean
ww_bpe_decode (const char *piece, GString *ret_bytes)
{
  for (const char *at = piece; *at != '\0'; at = g_utf8_next_char (at))
    {
      int byte = char_to_byte (g_utf8_get_char (at));

      if (byte < 0)
        return FALSE;
      g_string_append_c (ret_bytes, (char) byte);
    }

  return TRUE;
}

static void
append_sign (GString *display, gunichar c)
{
  if (c == ' ')
    g_string_append (display, "\u2423");
  else if (c == '\n')
    g_string_append (display, "\u23ce");
  else if (c == '\t')
    g_string_append (display, "\u21e5");
  else if (g_unichar_iscntrl (c) || g_unichar_isspace (c))
    g_string_append_printf (display, "\\u%04x", c);
  else
    g_string_append_unichar (display, c);
}

char *
ww_bpe_dup_display (const char *piece)
{
  g_autoptr (GString) bytes = g_string_new (NULL);
  GString *display;
  gsize at = 0;

  if (!ww_bpe_decode (piece, bytes) || bytes->len == 0)
    return g_strdup (piece);

  display = g_string_sized_new (bytes->len);
  if (bytes->str[0] == ' ' && bytes->len > 1 && !g_ascii_isspace (bytes->str[1]))
    at = 1;
  while (at < bytes->len)
    {
      gunichar c = g_utf8_get_char_validated (bytes->str + at, (gssize) (bytes->len - at));

      if (bytes->str[at] == '\0' || c == (gunichar) -1 || c == (gunichar) -2)
        {
          g_string_append_printf (display, "\\x%02X", (guint) (guint8) bytes->str[at]);
          at++;
          continue;
        }
      append_sign (display, c);
      at += (gsize) (g_utf8_next_char (bytes->str + at) - (bytes->str + at));
    }

  return g_string_free (display, FALSE);
}
