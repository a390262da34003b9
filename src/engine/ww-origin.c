#include "ww-origin.h"

#include <string.h>

#define KEY "ww-origin"

WwOrigin *
ww_origin_new (GFile *file, const WwOpenOptions *options)
{
  WwOrigin *origin = g_new0 (WwOrigin, 1);

  origin->file = g_object_ref (file);
  if (options == NULL)
    return origin;

  origin->member = g_strdup (options->member);
  origin->words = options->words != NULL ? g_object_ref (options->words) : NULL;
  origin->column = g_strdup (options->column);
  origin->without_words = options->without_words;
  origin->reading = options->reading;
  return origin;
}

WwOrigin *
ww_origin_new_builtin (const char *name)
{
  WwOrigin *origin = g_new0 (WwOrigin, 1);

  origin->name = g_strdup (name);
  return origin;
}

WwOrigin *
ww_origin_copy (const WwOrigin *origin)
{
  const WwOpenOptions options = ww_origin_get_options (origin);

  return origin->file != NULL ? ww_origin_new (origin->file, &options)
                              : ww_origin_new_builtin (origin->name);
}

WwOpenOptions
ww_origin_get_options (const WwOrigin *origin)
{
  return (WwOpenOptions) { .member = origin->member,
                           .words = origin->words,
                           .column = origin->column,
                           .without_words = origin->without_words,
                           .reading = origin->reading };
}

char *
ww_origin_dup_name (const WwOrigin *origin)
{
  g_autofree char *base = origin->file != NULL ? g_file_get_basename (origin->file) : NULL;

  return base != NULL ? g_filename_display_name (base) : NULL;
}

void
ww_origin_free (WwOrigin *origin)
{
  if (origin == NULL)
    return;

  g_clear_object (&origin->file);
  g_clear_object (&origin->words);
  g_free (origin->name);
  g_free (origin->member);
  g_free (origin->column);
  g_free (origin);
}

void
ww_origin_set_words (WwOrigin *origin, GFile *words, gboolean none)
{
  g_set_object (&origin->words, words);
  origin->without_words = none;
  g_clear_pointer (&origin->column, g_free);
}

void
ww_origin_set_column (WwOrigin *origin, guint column)
{
  g_free (origin->column);
  origin->column = g_strdup_printf ("%u", column);
}

void
ww_origin_set_member (WwOrigin *origin, const char *array, gsize text)
{
  char *member = NULL;

  if (text > 0 && array != NULL)
    member = g_strdup_printf ("%s:%" G_GSIZE_FORMAT, array, text);
  else if (text > 0)
    member = g_strdup_printf ("%" G_GSIZE_FORMAT, text);
  else
    member = g_strdup (array);

  g_free (origin->member);
  origin->member = member;
}

void
ww_origin_split_member (const WwOrigin *origin, char **ret_array, gsize *ret_text)
{
  const char *colon = origin->member != NULL ? strrchr (origin->member, ':') : NULL;
  const char *number = colon != NULL ? colon + 1 : origin->member;
  guint64 text;

  *ret_array = NULL;
  *ret_text = 0;
  if (origin->member == NULL)
    return;

  if (g_ascii_string_to_unsigned (number, 10, 1, G_MAXUINT32, &text, NULL))
    *ret_text = (gsize) text;
  if (*ret_text == 0)
    *ret_array = g_strdup (origin->member);
  else if (colon != NULL)
    *ret_array = g_strndup (origin->member, (gsize) (colon - origin->member));
}

static void
free_origin (gpointer origin)
{
  ww_origin_free (origin);
}

void
ww_origin_attach (const WwOrigin *origin, WwSet *set)
{
  g_object_set_data_full (G_OBJECT (set), KEY, ww_origin_copy (origin), free_origin);
}

const WwOrigin *
ww_origin_of_set (WwSet *set)
{
  return set != NULL ? g_object_get_data (G_OBJECT (set), KEY) : NULL;
}
