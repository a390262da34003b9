#include "ww-words.h"

#include <string.h>

#include "ww-tokens-private.h"
#include "ww-word-marks.h"

/* How many pieces (runs of letters, marks) a word of the table may span, so that a text without
 * white space takes linear time. */
#define MAX_SPAN 16
#define MAX_PIECE_BYTES 64

typedef struct
{
  const WwVocab *vocab;
  WwWordMarks marks;
  const WwWholeWords *spaced; /* NULL: there are none */
  const char *text;
  GArray *tokens;    /* WwToken */
  GArray *ends;      /* gsize: where the pieces of the stretch at hand end, in the text */
  gsize word_start;  /* of the stretch at hand, which white space precedes */
  GString *scratch, *marked;
  gboolean has_unknown;
  guint32 unknown;
} Run;

gboolean
ww_words_find_unknown (const WwVocab *vocab, guint32 *ret_id)
{
  static const char *const names[] = { "<unk>", "[UNK]", "<UNK>" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (ww_vocab_lookup (vocab, names[i], strlen (names[i]), ret_id))
      return TRUE;

  return FALSE;
}

/* Small letters, a capital first, or capitals throughout. */
static char *
recase (const char *word, gsize length, int variant)
{
  g_autofree char *lower = NULL;
  g_autofree char *first = NULL;
  const char *rest;

  if (variant == 2)
    return g_utf8_strup (word, (gssize) length);

  lower = g_utf8_strdown (word, (gssize) length);
  if (variant == 0 || *lower == '\0')
    return g_steal_pointer (&lower);

  rest = g_utf8_next_char (lower);
  first = g_utf8_strup (lower, rest - lower);
  return g_strconcat (first, rest, NULL);
}

static gboolean
look_up_spelled (const WwVocab *vocab, const char *word, gsize length, guint32 *ret_id)
{
  if (ww_vocab_lookup (vocab, word, length, ret_id))
    return TRUE;

  for (int variant = 0; variant < 3; variant++)
    {
      g_autofree char *other = recase (word, length, variant);

      if (ww_vocab_lookup (vocab, other, strlen (other), ret_id))
        return TRUE;
    }

  return FALSE;
}

static gboolean
is_ascii (const char *word, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if ((guchar) word[i] >= 128)
      return FALSE;

  return TRUE;
}

static gboolean
look_up_stretch (Run *run, const char *word, gsize length, gboolean begins, guint32 *ret_id)
{
  if (run->marks == WW_WORD_MARKS_NONE)
    return look_up_spelled (run->vocab, word, length, ret_id);

  ww_word_marks_write (run->marks, word, length, begins, run->marked);
  if (ww_vocab_lookup (run->vocab, run->marked->str, run->marked->len, ret_id))
    return TRUE;

  /* Vocabularies with marks may also hold whole words without. */
  return begins && ww_vocab_lookup (run->vocab, word, length, ret_id);
}

/* As written; then with plain apostrophes for typographic ones and composed accents for combining
 * marks, which is how tables write them. */
static gboolean
look_up (Run *run, gsize start, gsize end, guint32 *ret_id)
{
  const char *word = run->text + start;
  gboolean begins = start == 0 || start == run->word_start;
  g_autofree char *composed = NULL;

  if (look_up_stretch (run, word, end - start, begins, ret_id))
    return TRUE;
  if (is_ascii (word, end - start))
    return FALSE;

  composed = g_utf8_normalize (word, (gssize) (end - start), G_NORMALIZE_NFC);
  g_string_assign (run->scratch, composed);
  g_string_replace (run->scratch, "\u2019", "'", 0);
  return look_up_stretch (run, run->scratch->str, run->scratch->len, begins, ret_id);
}

static void
add_known (Run *run, guint32 id, gsize start, gsize end)
{
  const char *word = ww_vocab_get (run->vocab, id);
  WwToken token = { 0 };

  token.id = id;
  token.text = g_strdup (word);
  token.display = ww_words_dup_display (word, run->marks);
  token.unknown = run->has_unknown && id == run->unknown;
  token.has_row = TRUE;
  token.start = start;
  token.end = end;
  g_array_append_val (run->tokens, token);
}

static void
add_unknown (Run *run, gsize start, gsize end)
{
  WwToken token = { 0 };

  token.id = run->unknown;
  token.text = g_strndup (run->text + start, end - start);
  token.display = g_strdup (token.text);
  token.unknown = TRUE;
  token.has_row = run->has_unknown;
  token.start = start;
  token.end = end;
  g_array_append_val (run->tokens, token);
}

/* Scripts written without spaces: each character may end a word. */
static gboolean
stands_alone (gunichar c)
{
  GUnicodeScript script = g_unichar_get_script (c);

  return script == G_UNICODE_SCRIPT_HAN || script == G_UNICODE_SCRIPT_HIRAGANA
         || script == G_UNICODE_SCRIPT_KATAKANA || script == G_UNICODE_SCRIPT_THAI;
}

static gboolean
is_mark (gunichar c)
{
  return g_unichar_ispunct (c);
}

/* The ends of the pieces from `start` to the next white space: runs of letters and digits, and
 * single marks or characters that stand alone. */
static gsize
find_pieces (Run *run, gsize start)
{
  const char *at = run->text + start;
  gboolean in_run = FALSE;

  g_array_set_size (run->ends, 0);
  while (*at != '\0' && !g_unichar_isspace (g_utf8_get_char (at)))
    {
      gunichar c = g_utf8_get_char (at);
      gboolean single = is_mark (c) || stands_alone (c);
      gsize here = (gsize) (at - run->text), end;

      if (in_run && single)
        g_array_append_val (run->ends, here);
      at = g_utf8_next_char (at);
      end = (gsize) (at - run->text);
      if (single)
        g_array_append_val (run->ends, end);
      in_run = !single;
    }
  if (in_run)
    {
      gsize end = (gsize) (at - run->text);

      g_array_append_val (run->ends, end);
    }

  return (gsize) (at - run->text);
}

/* Tables made from newspaper text hold "do" and "n't" in place of "don't". */
static gboolean
split_negation (Run *run, gsize start, guint piece, gsize *ret_end)
{
  const gsize *ends = (const gsize *) (gpointer) run->ends->data;
  gsize end = ends[piece], tail;
  guint32 id, negation;

  if (piece + 2 >= run->ends->len || end - start < 2
      || g_ascii_tolower (run->text[end - 1]) != 'n' || ends[piece + 2] - ends[piece + 1] != 1
      || g_ascii_tolower (run->text[ends[piece + 1]]) != 't')
    return FALSE;

  tail = ends[piece + 2];
  if (!look_up (run, end - 1, tail, &negation) || !look_up (run, start, end - 1, &id))
    return FALSE;

  add_known (run, id, start, end - 1);
  add_known (run, negation, end - 1, tail);
  *ret_end = tail;
  return TRUE;
}

/* The longest known beginning, then the longest known beginning of the rest, and so on; all of the
 * stretch or nothing. */
static gboolean
split_pieces (Run *run, gsize start, gsize end)
{
  guint before = run->tokens->len;

  while (start < end)
    {
      gsize stop = MIN (end, start + MAX_PIECE_BYTES);
      guint32 id = 0;

      while (stop > start && (stop < end && (run->text[stop] & 0xc0) == 0x80))
        stop--;
      while (stop > start && !look_up (run, start, stop, &id))
        do
          stop--;
        while (stop > start && (run->text[stop] & 0xc0) == 0x80);
      if (stop == start)
        {
          g_array_set_size (run->tokens, before);
          return FALSE;
        }
      add_known (run, id, start, stop);
      start = stop;
    }

  return TRUE;
}

/* One token from `start`, which is where piece `piece` begins: the longest stretch that is known,
 * or the piece itself. Gives back where it ends. */
static gsize
take_word (Run *run, gsize start, guint piece)
{
  const gsize *ends = (const gsize *) (gpointer) run->ends->data;
  guint last = MIN (run->ends->len, piece + MAX_SPAN);
  gsize end;
  guint32 id;

  for (guint to = last; to > piece; to--)
    {
      if (to == piece + 1 && split_negation (run, start, piece, &end))
        return end;
      if (look_up (run, start, ends[to - 1], &id))
        {
          add_known (run, id, start, ends[to - 1]);
          return ends[to - 1];
        }
    }

  if (run->marks == WW_WORD_MARKS_NONE || !split_pieces (run, start, ends[piece]))
    add_unknown (run, start, ends[piece]);
  return ends[piece];
}

/* White space beyond the ASCII kind, or any between other characters. */
static gboolean
is_spaced (const char *word, gsize length)
{
  gboolean has_space = FALSE, has_other = FALSE;

  for (const char *at = word; at < word + length; at = g_utf8_next_char (at))
    {
      gunichar c = (guchar) *at < 128 ? (gunichar) *at : g_utf8_get_char (at);
      gboolean is_space = g_unichar_isspace (c);

      has_space |= is_space;
      has_other |= !is_space || c >= 128;
    }

  return has_space && has_other;
}

WwWholeWords *
ww_words_find_spaced (const WwVocab *vocab)
{
  g_autoptr (WwWholeWords) spaced = NULL;
  gsize n = ww_vocab_is_numbers (vocab) ? 0 : ww_vocab_get_size (vocab); /* numbers have no white space */

  for (gsize id = 0; id < n; id++)
    {
      const char *word = ww_vocab_get (vocab, id);
      guint32 first;

      if (!is_spaced (word, strlen (word)))
        continue;
      if (spaced == NULL)
        spaced = ww_whole_words_new ();
      /* Of a word that the table has twice, the first counts. */
      if (ww_vocab_lookup (vocab, word, strlen (word), &first) && first == id)
        ww_whole_words_add (spaced, word, (guint32) id, 0);
    }

  return g_steal_pointer (&spaced);
}

/* Whether a word may end in front of `at`, whose last character is at `last`. */
static gboolean
may_end (const char *last, const char *at)
{
  gunichar before = g_utf8_get_char (last), behind = *at != '\0' ? g_utf8_get_char (at) : ' ';

  return g_unichar_isspace (behind) || is_mark (behind) || stands_alone (behind) || g_unichar_isspace (before)
         || is_mark (before) || stands_alone (before);
}

/* The longest word with white space in it that stands at `start`. Gives back where it ends; `start`: there is none. */
static gsize
take_spaced (Run *run, gsize start)
{
  const char *at = run->text + start;
  gsize limit = G_MAXSIZE, length;
  guint32 id;
  guint flags;

  if (run->spaced == NULL)
    return start;

  while (ww_whole_words_find (run->spaced, at, limit, &length, &id, &flags))
    {
      if (may_end (g_utf8_prev_char (at + length), at + length))
        {
          add_known (run, id, start, start + length);
          return start + length;
        }
      limit = length;
    }
  return start;
}

/* The words from `at` to the next white space, or behind it where one of them goes on there. */
static gsize
take_stretch (Run *run, gsize at)
{
  gsize stop = find_pieces (run, at), behind;
  guint piece = 0;

  run->word_start = at;
  while (at < stop)
    {
      behind = take_spaced (run, at);
      at = behind > at ? behind : take_word (run, at, piece);
      while (piece < run->ends->len && g_array_index (run->ends, gsize, piece) <= at)
        piece++;
    }

  return at;
}

WwTokens *
ww_words_tokenise (const WwVocab *vocab, WwWordMarks marks, const WwWholeWords *spaced, const char *text)
{
  Run run = { vocab, marks, spaced, text, ww_tokens_array_new (), g_array_new (FALSE, FALSE, sizeof (gsize)),
              0, g_string_new (NULL), g_string_new (NULL) };
  gsize at = 0, behind;

  run.has_unknown = ww_words_find_unknown (vocab, &run.unknown);
  while (text[at] != '\0')
    if (!g_unichar_isspace (g_utf8_get_char (text + at)))
      at = take_stretch (&run, at);
    else
      {
        behind = take_spaced (&run, at);
        at = behind > at ? behind : (gsize) (g_utf8_next_char (text + at) - text);
      }

  g_array_unref (run.ends);
  g_string_free (run.scratch, TRUE);
  g_string_free (run.marked, TRUE);
  ww_tokens_array_mark_continuations (run.tokens);
  return ww_tokens_new_take (run.tokens);
}
