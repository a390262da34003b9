#include "ww-text-reading.h"

#include <string.h>

#include "ww-decimal.h"

/* Marks a title for translation; the window translates it. */
#define N_(text) (text)

/* So many lines are compared with each other; all others are only looked at. */
#define MAX_COMPARED 10000

static const struct
{
  const char *id, *title;
} readings[WW_N_READINGS] = {
  [WW_READING_GUESSED] = { "guessed", N_ ("Found by looking") },
  [WW_READING_GLOVE] = { "glove", N_ ("Word and numbers") },
  [WW_READING_WORD2VEC] = { "word2vec", N_ ("Header, word and numbers") },
  [WW_READING_TENSORS] = { "tensors", N_ ("Only numbers") },
};

const char *
ww_reading_get_id (WwReading reading)
{
  g_return_val_if_fail (reading < WW_N_READINGS, NULL);

  return readings[reading].id;
}

const char *
ww_reading_get_title (WwReading reading)
{
  g_return_val_if_fail (reading < WW_N_READINGS, NULL);

  return readings[reading].title;
}

gboolean
ww_reading_from_id (const char *id, WwReading *ret_reading)
{
  for (guint i = WW_READING_GUESSED + 1; i < WW_N_READINGS; i++)
    if (g_strcmp0 (readings[i].id, id) == 0)
      {
        *ret_reading = (WwReading) i;
        return TRUE;
      }

  return FALSE;
}

typedef struct
{
  const WwTextLayout *layout;
  WwTextFacts facts;
  GHashTable *labels; /* first fields seen */
} Scan;

/* "0", "17": what a word that is a number looks like, and an index. */
static gboolean
is_label (const char *start, const char *end)
{
  for (const char *at = start; at < end; at++)
    if (!g_ascii_isdigit (*at))
      return FALSE;

  return end > start;
}

static gboolean
has_fraction (const char *start, const char *end)
{
  for (const char *at = start; at < end; at++)
    if (*at == '.' || *at == 'e' || *at == 'E')
      return TRUE;

  return FALSE;
}

static void
look_at_first (Scan *scan, const char *start, const char *end)
{
  if (!scan->facts.first_is_label || scan->facts.n_lines > MAX_COMPARED)
    return;

  scan->facts.first_is_label = is_label (start, end)
                               && g_hash_table_add (scan->labels, g_strndup (start, (gsize) (end - start)));
}

/* FALSE at the first field that is no number. */
static gboolean
look_at_line (Scan *scan, const char *start, const char *end)
{
  const char *at = start;

  scan->facts.n_lines++;
  while (at < end)
    {
      const char *stop = at;

      while (stop < end && !ww_text_layout_separates (scan->layout, *stop))
        stop++;
      if (stop > at && !ww_decimal_is_number (at, stop))
        return FALSE;
      if (stop > at && at == start)
        look_at_first (scan, at, stop);
      else if (!scan->facts.has_fractions)
        scan->facts.has_fractions = has_fraction (at, stop);
      at = stop < end ? stop + 1 : end;
    }

  return TRUE;
}

WwTextFacts
ww_text_facts_find (const WwTextLayout *layout, const char *text, gsize length, gboolean complete)
{
  g_autoptr (GHashTable) labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Scan scan = { layout, { 0, TRUE, TRUE, FALSE }, labels };
  const char *at = text, *end = text + length, *newline;

  for (gsize line = 1; at < end && scan.facts.all_numbers; line++)
    {
      const char *stop;
      gboolean may_be_cut;

      newline = memchr (at, '\n', (gsize) (end - at));
      /* The last line may end in the middle of a number: it cannot prove that there are words. */
      may_be_cut = newline == NULL && scan.facts.n_lines > 0;
      if (may_be_cut && !complete)
        break;
      stop = ww_text_layout_trim_line (at, newline != NULL ? newline : end);
      if (stop > at && !(line == 1 && layout->has_header))
        scan.facts.all_numbers = look_at_line (&scan, at, stop) || may_be_cut;
      at = newline != NULL ? newline + 1 : end;
    }

  scan.facts.all_numbers &= scan.facts.n_lines > 0;
  return scan.facts;
}

WwTextGuess
ww_text_facts_guess (const WwTextFacts *facts, const WwTextLayout *layout, gboolean has_list)
{
  if (!facts->all_numbers)
    return WW_TEXT_WORDS;
  if (has_list || !facts->first_is_label)
    return WW_TEXT_TENSORS;

  /* The Embedding Projector separates by tabs, GloVe and word2vec by spaces. Where all is whole, a table of
   * counts is as likely as words that are numbers. */
  if (layout->tab && !layout->space)
    return facts->has_fractions ? WW_TEXT_MAYBE_TENSORS : WW_TEXT_TENSORS;
  return facts->has_fractions ? WW_TEXT_MAYBE_WORDS : WW_TEXT_UNCLEAR;
}
