#include "ww-word-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-set.h"

/* More are read over, but not named, and fewer are looked into by oneself. */
#define MAX_COLUMNS 1000
#define MAX_LOOKED_INTO 20

void
ww_word_table_clear (WwWordTable *table)
{
  g_clear_pointer (&table->titles, g_ptr_array_unref);
}

const char *
ww_word_table_get (const char *line, gsize line_length, gsize column, gsize *ret_length)
{
  const char *end = line + line_length, *tab;

  for (; column > 0; column--)
    {
      tab = memchr (line, '\t', (gsize) (end - line));
      if (tab == NULL)
        return NULL;
      line = tab + 1;
    }

  tab = memchr (line, '\t', (gsize) (end - line));
  *ret_length = (gsize) ((tab != NULL ? tab : end) - line);
  return line;
}

static gsize
count_lines (const char *text, const char *end)
{
  gsize lines = 0;

  for (const char *at = text; at < end; lines++)
    ww_line_get_length (at, end, &at);

  return lines;
}

/* Counting tells where the number of words is known; where it is not, the rule of the Embedding Projector: a table of
 * several columns has a header, a single column has none. */
static gboolean
has_header (const char *text, const char *end, gsize rows, gsize columns)
{
  return rows > 0 ? count_lines (text, end) == rows + 1 : columns > 1;
}

static void
read_titles (WwWordTable *table, const char *line, gsize length)
{
  const char *title;
  gsize title_length;

  table->titles = g_ptr_array_new_with_free_func (g_free);
  while (table->titles->len < MAX_COLUMNS
         && (title = ww_word_table_get (line, length, table->titles->len, &title_length)) != NULL)
    g_ptr_array_add (table->titles, g_utf8_make_valid (title, (gssize) title_length));
}

/* Numbers stand for the titles that are not there. */
static void
number_titles (WwWordTable *table)
{
  for (guint i = 0; i < table->titles->len; i++)
    {
      g_free (table->titles->pdata[i]);
      table->titles->pdata[i] = g_strdup_printf ("%u", i + 1);
    }
}

static gboolean
is_number (const char *value, gsize length)
{
  gsize digits = 0;

  for (gsize i = 0; i < length; i++)
    {
      if (strchr ("+-.0123456789eE", value[i]) == NULL || value[i] == '\0')
        return FALSE;
      digits += (gsize) g_ascii_isdigit (value[i]);
    }

  return digits > 0;
}

static gboolean
holds_numbers (const WwWordTable *table, const char *at, const char *end, gsize column)
{
  for (gboolean skip = table->header; at < end; skip = FALSE)
    {
      const char *line = at, *value;
      gsize length = ww_line_get_length (at, end, &at), value_length = 0;

      value = ww_word_table_get (line, length, column, &value_length);
      if (!skip && (value == NULL || !is_number (value, value_length)))
        return FALSE;
    }

  return TRUE;
}

static gboolean
find_title (const WwWordTable *table, const char *title, gsize *ret_column)
{
  for (guint i = 0; i < table->titles->len; i++)
    if (g_ascii_strcasecmp (table->titles->pdata[i], title) == 0)
      {
        *ret_column = i;
        return TRUE;
      }

  return FALSE;
}

static gboolean
find_asked (WwSource *source, WwWordTable *table, const char *asked, GError **error)
{
  g_autoptr (GString) list = NULL;
  guint64 number;

  table->reason = WW_COLUMN_ASKED;
  if (g_ascii_string_to_unsigned (asked, 10, 1, table->titles->len, &number, NULL))
    {
      table->column = (gsize) number - 1;
      return TRUE;
    }
  if (find_title (table, asked, &table->column))
    return TRUE;

  list = g_string_new (NULL);
  for (guint i = 0; i < MIN (table->titles->len, 12); i++)
    g_string_append_printf (list, "%s\"%.80s\"", i > 0 ? ", " : "", (const char *) table->titles->pdata[i]);
  ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                       _("has no column \"%.200s\"; there is %s (a column can also be chosen by its number, from 1)"),
                       asked, list->str);
  return FALSE;
}

/* An id in front of the words is no word. */
static void
guess (WwWordTable *table, const char *text, const char *end)
{
  static const char *const usual[] = { "word", "words", "token", "tokens", "label", "labels", "text", "name" };

  table->reason = WW_COLUMN_TITLED;
  for (gsize i = 0; table->header && i < G_N_ELEMENTS (usual); i++)
    if (find_title (table, usual[i], &table->column))
      return;

  table->reason = WW_COLUMN_TEXT;
  for (table->column = 0; table->column < MIN (table->titles->len, MAX_LOOKED_INTO); table->column++)
    if (!holds_numbers (table, text, end, table->column))
      return;

  table->reason = WW_COLUMN_FIRST;
  table->column = 0;
}

gboolean
ww_word_table_find (WwSource *source, const char *text, gsize length, gsize rows, const char *asked,
                    WwWordTable *ret_table, GError **error)
{
  g_auto (WwWordTable) table = { FALSE };
  const char *end = text + length, *next;

  read_titles (&table, text, ww_line_get_length (text, end, &next));
  table.header = has_header (text, end, rows, table.titles->len);
  if (!table.header)
    number_titles (&table);

  if (asked != NULL && !find_asked (source, &table, asked, error))
    return FALSE;
  if (asked == NULL && table.titles->len > 1)
    guess (&table, text, end);

  *ret_table = table;
  table.titles = NULL;
  return TRUE;
}
