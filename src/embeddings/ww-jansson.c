#include "ww-jansson.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "ww-set.h"

/* Whole numbers that no integer holds, as the 10^30 with which tokenizer_config.json says "no limit", become real ones
 * of the same length, so that positions in messages stay: 12345678901234567890 is 1234567890123456e004. NULL: there is
 * none. */
static char *
dup_with_reals (const char *text, gsize length)
{
  const gsize most_digits = strlen (G_STRINGIFY (9223372036854775807));
  g_autofree char *copy = NULL;
  gboolean inside = FALSE; /* of a string */
  gsize digits;

  for (gsize i = 0; i < length; i += MAX (digits, 1))
    {
      digits = 0;
      if (text[i] == '"')
        inside = !inside;
      else if (inside && text[i] == '\\')
        digits = 2;
      else if (!inside)
        while (i + digits < length && g_ascii_isdigit (text[i + digits]))
          digits++;
      if (digits < most_digits || (i + digits < length && strchr (".eE", text[i + digits]) != NULL)
          || (i > 0 && strchr (".eE+", text[i - 1]) != NULL))
        continue;
      if (copy == NULL)
        copy = g_memdup2 (text, length);
      memcpy (copy + i + digits - strlen ("e004"), "e004", strlen ("e004"));
    }

  return g_steal_pointer (&copy);
}

json_t *
ww_json_parse (WwSource *source, const char *text, gsize length, guint64 offset, GError **error)
{
  json_error_t found;
  json_t *root = json_loadb (text, length, JSON_REJECT_DUPLICATES, &found);

  if (root == NULL && json_error_code (&found) == json_error_numeric_overflow)
    {
      g_autofree char *changed = dup_with_reals (text, length);

      root = changed != NULL ? json_loadb (changed, length, JSON_REJECT_DUPLICATES, &found) : NULL;
    }
  if (root != NULL)
    return root;

  if (offset == 0)
    ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                         _("line %d, column %d: no valid JSON: %s"), found.line, found.column,
                         found.text);
  else
    ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                         _("byte %" PRIu64 ": no valid JSON: %s"),
                         offset + (guint64) MAX (found.position, 0), found.text);
  return NULL;
}

json_t *
ww_json_load (WwSource *source, gsize limit, GError **error)
{
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  g_autofree char *text = NULL;
  gsize length;

  text = ww_source_read_all (source, limit, &length, error);
  if (text == NULL)
    return NULL;
  if (length == 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_EMPTY,
                           _("the file is empty; JSON was expected"));
      return NULL;
    }

  /* A mark of some editors; as spaces it leaves all positions as they are. */
  if (g_str_has_prefix (text, byte_order_mark))
    memset (text, ' ', strlen (byte_order_mark));

  return ww_json_parse (source, text, length, 0, error);
}

gboolean
ww_json_get_size (WwSource *source, json_t *object, const char *key, gsize least, gsize most,
                  gsize *ret_value, GError **error)
{
  json_t *value = json_object_get (object, key);
  json_int_t number;

  if (value == NULL || json_is_null (value))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING, _("the key \"%s\" is missing"), key);
      return FALSE;
    }

  number = json_integer_value (value);
  if (!json_is_integer (value) || number < 0 || (guint64) number < least
      || (guint64) number > most)
    {
      g_autofree char *shown = json_dumps (value, JSON_ENCODE_ANY | JSON_COMPACT);

      ww_source_set_error (source, error, WW_SET_ERROR_NUMBER,
                           _("\"%s\" is %.40s; a whole number from %zu to %zu was expected"),
                           key, shown != NULL ? shown : "?",
                           least, most);
      return FALSE;
    }

  *ret_value = (gsize) number;
  return TRUE;
}

const char *
ww_json_get_string (json_t *object, const char *key)
{
  return json_string_value (json_object_get (object, key));
}

gboolean
ww_json_get_boolean (json_t *object, const char *key, gboolean fallback)
{
  json_t *value = json_object_get (object, key);

  return json_is_boolean (value) ? json_is_true (value) : fallback;
}
