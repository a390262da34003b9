#include "ww-token-limits.h"

#include <glib/gi18n-lib.h>

void
ww_token_limits_add (GArray *limits, const char *file, json_t *value)
{
  json_int_t number = json_integer_value (value);
  WwTokenLimit limit = { file, (gsize) number };

  if (number > 0)
    g_array_append_val (limits, limit);
}

char *
ww_token_limits_list (const GArray *limits, gsize most)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; limits != NULL && i < limits->len; i++)
    {
      const WwTokenLimit *limit = &g_array_index (limits, WwTokenLimit, i);

      if (limit->tokens >= most)
        continue;
      g_string_append (list, list->len > 0 ? ", " : "");
      g_string_append_printf (list, g_dngettext (GETTEXT_PACKAGE, "%lu token (%s)", "%lu tokens (%s)", limit->tokens),
                              (gulong) limit->tokens, limit->file);
    }

  return list->len > 0 ? g_string_free (g_steal_pointer (&list), FALSE) : NULL;
}
