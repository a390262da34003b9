#include "ww-json.h"

#include <math.h>

#include "ww-number.h"

struct _WwJson
{
  GString *text;
  guint depth;
  gboolean first; /* the next value opens its object or array: no comma before it */
};

WwJson *
ww_json_new (void)
{
  WwJson *json = g_new0 (WwJson, 1);

  json->text = g_string_new (NULL);
  json->first = TRUE;
  return json;
}

void
ww_json_free (WwJson *json)
{
  if (json == NULL)
    return;

  g_string_free (json->text, TRUE);
  g_free (json);
}

/* Appends `value` between quotes. Control characters are escaped by number, as is U+007F, which some
 * terminals act upon; everything else is UTF-8 as it stands. */
static void
append_quoted (GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  g_string_append_c (text, '"');
  for (const char *c = valid; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_printf (text, "\\%c", *c);
      else if (*c == '\n')
        g_string_append (text, "\\n");
      else if (*c == '\t')
        g_string_append (text, "\\t");
      else if ((guchar) *c < 0x20 || *c == 0x7f)
        g_string_append_printf (text, "\\u%04x", (guint) (guchar) *c);
      else
        g_string_append_c (text, *c);
    }
  g_string_append_c (text, '"');
}

/* What stands before a value: a comma unless it is the first, and its name. */
static void
begin_value (WwJson *json, const char *name)
{
  if (!json->first)
    g_string_append (json->text, ", ");
  json->first = FALSE;

  if (name != NULL)
    {
      append_quoted (json->text, name);
      g_string_append (json->text, ": ");
    }
}

static void
begin_group (WwJson *json, const char *name, char bracket)
{
  begin_value (json, name);
  g_string_append_c (json->text, bracket);
  json->first = TRUE;
  json->depth++;
}

static void
end_group (WwJson *json, char bracket)
{
  g_return_if_fail (json->depth > 0);

  g_string_append_c (json->text, bracket);
  json->first = FALSE;
  json->depth--;
}

void
ww_json_begin_object (WwJson *json, const char *name)
{
  begin_group (json, name, '{');
}

void
ww_json_end_object (WwJson *json)
{
  end_group (json, '}');
}

void
ww_json_begin_array (WwJson *json, const char *name)
{
  begin_group (json, name, '[');
}

void
ww_json_end_array (WwJson *json)
{
  end_group (json, ']');
}

void
ww_json_add_string (WwJson *json, const char *name, const char *value)
{
  begin_value (json, name);
  if (value == NULL)
    g_string_append (json->text, "null");
  else
    append_quoted (json->text, value);
}

void
ww_json_add_number (WwJson *json, const char *name, double value)
{
  char buffer[WW_NUMBER_BUFFER_SIZE];

  begin_value (json, name);
  g_string_append (json->text, isfinite (value) ? ww_number_format (buffer, value) : "null");
}

void
ww_json_add_integer (WwJson *json, const char *name, guint64 value)
{
  begin_value (json, name);
  g_string_append_printf (json->text, "%" G_GUINT64_FORMAT, value);
}

void
ww_json_add_boolean (WwJson *json, const char *name, gboolean value)
{
  begin_value (json, name);
  g_string_append (json->text, value ? "true" : "false");
}

void
ww_json_add_null (WwJson *json, const char *name)
{
  begin_value (json, name);
  g_string_append (json->text, "null");
}

void
ww_json_add_numbers (WwJson *json, const char *name, const double *values, gsize n)
{
  ww_json_begin_array (json, name);
  for (gsize i = 0; i < n; i++)
    ww_json_add_number (json, NULL, values[i]);
  ww_json_end_array (json);
}

void
ww_json_add_integers (WwJson *json, const char *name, const gsize *values, gsize n)
{
  ww_json_begin_array (json, name);
  for (gsize i = 0; i < n; i++)
    ww_json_add_integer (json, NULL, values[i]);
  ww_json_end_array (json);
}

char *
ww_json_to_line (WwJson *json)
{
  g_return_val_if_fail (json->depth == 0, NULL);

  char *line = g_strdup_printf ("%s\n", json->text->str);

  g_string_truncate (json->text, 0);
  json->first = TRUE;
  return line;
}
