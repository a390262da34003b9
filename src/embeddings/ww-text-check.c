#include "ww-text-check.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-set.h"

/* Longer texts are a mistake (a whole corpus), and would keep the tokeniser busy for seconds. */
#define MAX_TEXT_BYTES (16 * 1024 * 1024)

gboolean
ww_text_check (const char *text, GError **error)
{
  gsize length = strlen (text);
  const char *end;

  if (length > MAX_TEXT_BYTES)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_TEXT,
                   _("The text has %zu bytes; at most %d are accepted"), length,
                   MAX_TEXT_BYTES);
      return FALSE;
    }
  if (!g_utf8_validate (text, (gssize) length, &end))
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_TEXT,
                   _("The text is no UTF-8: byte %zu is 0x%02x"),
                   (gsize) (end - text), (guint) (guchar) *end);
      return FALSE;
    }

  return TRUE;
}

gboolean
ww_text_check_known (const WwTokens *tokens, const char *text, GError **error)
{
  for (gsize i = 0; i < tokens->n; i++)
    if (tokens->tokens[i].has_row && !tokens->tokens[i].unknown
        && (!tokens->tokens[i].special || tokens->tokens[i].end > tokens->tokens[i].start))
      return TRUE;

  for (; g_unichar_isspace (g_utf8_get_char (text)); text = g_utf8_next_char (text))
    ;
  if (*text == '\0')
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS, _("The text is empty"));
  else
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS,
                 _("The set knows none of the words of the text"));
  return FALSE;
}
