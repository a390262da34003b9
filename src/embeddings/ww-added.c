#include "ww-added.h"

#include "ww-whole-words.h"

G_STATIC_ASSERT (WW_ADDED_MAX_BYTES == WW_WHOLE_WORD_MAX_BYTES);

enum
{
  SINGLE_WORD = 1 << 0,
  STRIP_LEFT = 1 << 1,
  STRIP_RIGHT = 1 << 2,
};

struct _WwAdded
{
  WwWholeWords *tables[2]; /* as it is, normalised */
  gboolean has[2];
  GHashTable *specials; /* their ids */
};

WwAdded *
ww_added_new (void)
{
  WwAdded *added = g_new0 (WwAdded, 1);

  added->tables[0] = ww_whole_words_new ();
  added->tables[1] = ww_whole_words_new ();
  added->specials = g_hash_table_new (NULL, NULL);
  return added;
}

void
ww_added_free (WwAdded *added)
{
  if (added == NULL)
    return;

  ww_whole_words_free (added->tables[0]);
  ww_whole_words_free (added->tables[1]);
  g_hash_table_unref (added->specials);
  g_free (added);
}

static void
mark_special (WwAdded *added, guint32 id)
{
  g_hash_table_add (added->specials, GUINT_TO_POINTER (id));
}

gboolean
ww_added_add (WwAdded *added, const char *text, const WwAddedToken *token)
{
  guint flags = (token->single_word ? SINGLE_WORD : 0) | (token->strip_left ? STRIP_LEFT : 0)
                | (token->strip_right ? STRIP_RIGHT : 0);
  gboolean normalised = token->normalised != FALSE;

  if (token->special)
    mark_special (added, token->id);
  added->has[normalised] = added->has[normalised] || *text != '\0';
  return ww_whole_words_add (added->tables[normalised], text, token->id, flags);
}

gboolean
ww_added_is_special (const WwAdded *added, guint32 id)
{
  return g_hash_table_contains (added->specials, GUINT_TO_POINTER (id));
}

gboolean
ww_added_has (const WwAdded *added, gboolean normalised)
{
  return added->has[normalised != FALSE];
}

/* Letters, marks, digits and what joins words, as the class \w of regular expressions. */
static gboolean
is_of_word (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_SPACING_MARK:
    case G_UNICODE_ENCLOSING_MARK:
    case G_UNICODE_NON_SPACING_MARK:
    case G_UNICODE_CONNECT_PUNCTUATION:
    case G_UNICODE_LETTER_NUMBER:
    case G_UNICODE_DECIMAL_NUMBER:
      return TRUE;
    default:
      return g_unichar_isalpha (c);
    }
}

/* The class \s of regular expressions has two controls more than GLib's. */
static gboolean
is_space (gunichar c)
{
  return g_unichar_isspace (c) || c == 0x0b || c == 0x85;
}

static gboolean
is_single (const char *text, gsize begin, gsize end, const WwAddedMatch *match)
{
  return (match->at == begin || !is_of_word (g_utf8_get_char (g_utf8_prev_char (text + match->at))))
         && (match->end == end || !is_of_word (g_utf8_get_char (text + match->end)));
}

static gsize
strip_left (const char *text, gsize from, gsize end)
{
  while (end > from)
    {
      const char *before = g_utf8_prev_char (text + end);

      if (!is_space (g_utf8_get_char (before)))
        break;
      end = (gsize) (before - text);
    }

  return end;
}

static gsize
strip_right (const char *text, gsize at, gsize end)
{
  while (at < end && is_space (g_utf8_get_char (text + at)))
    at = (gsize) (g_utf8_next_char (text + at) - text);

  return at;
}

gboolean
ww_added_find (const WwAdded *added, gboolean normalised, const char *text, gsize begin, gsize from, gsize end,
               WwAddedMatch *ret_match)
{
  const WwWholeWords *table = added->tables[normalised != FALSE];
  gsize at = from, length;
  guint flags;

  while (at < end)
    {
      WwAddedMatch match = { .at = at };

      if (!table->begins[(guint8) text[at]]
          || !ww_whole_words_find (table, text + at, end - at + 1, &length, &match.id, &flags))
        {
          at++;
          continue;
        }
      at = match.end = at + length;
      /* What is found inside of a word hides what begins in it, as the reference implementation has it. */
      if ((flags & SINGLE_WORD) != 0 && !is_single (text, begin, end, &match))
        continue;

      match.from = (flags & STRIP_LEFT) != 0 ? strip_left (text, from, match.at) : match.at;
      match.behind = (flags & STRIP_RIGHT) != 0 ? strip_right (text, match.end, end) : match.end;
      *ret_match = match;
      return TRUE;
    }

  return FALSE;
}

void
ww_token_frame_init (WwTokenFrame *frame)
{
  frame->before = g_array_new (FALSE, FALSE, sizeof (guint32));
  frame->behind = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
ww_token_frame_clear (WwTokenFrame *frame)
{
  g_clear_pointer (&frame->before, g_array_unref);
  g_clear_pointer (&frame->behind, g_array_unref);
}

static void
copy_ids (const GArray *from, GArray *to, WwAdded *added)
{
  g_array_set_size (to, 0);
  for (guint i = 0; i < from->len; i++)
    {
      mark_special (added, g_array_index (from, guint32, i));
      g_array_append_val (to, g_array_index (from, guint32, i));
    }
}

void
ww_token_frame_copy (const WwTokenFrame *from, WwTokenFrame *to, WwAdded *added)
{
  copy_ids (from->before, to->before, added);
  copy_ids (from->behind, to->behind, added);
}
