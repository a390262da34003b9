#include "ww-wordpiece.h"

#include <string.h>

#include "ww-tokens-private.h"
#include "ww-whole-words.h"
#include "ww-wordpiece-classes.h"

#define MAX_WORD_CHARACTERS 100
/* Canonical decomposition never yields more characters from one. */
#define MAX_DECOMPOSITION 18

#define NO_ID G_MAXUINT32

struct _WwWordPiece
{
  const WwVocab *vocab;
  WwWordPieceFlags flags; /* the strings are owned */
  gsize prefix_length;
  guint32 unknown;
  WwAdded *added;
  WwTokenFrame frame;
  WwWholeWords *wholes; /* never split; id: in the vocabulary, or NO_ID */
};

/* One character of the word at hand, after cleaning: where it begins in the word's bytes, and which
 * bytes of the source text it came from. */
typedef struct
{
  gsize at;
  gsize start, end;
} Character;

typedef struct
{
  const WwWordPiece *wordpiece;
  const char *text;
  GArray *tokens;     /* WwToken */
  GString *word;      /* room for the prefix and then the word, so that a continuation is a slice of it */
  GArray *characters; /* Character */
  gboolean collecting; /* `word` takes a whole stretch of the text, with a space where a word ends */
} Run;

WwWordPiece *
ww_wordpiece_new (const WwVocab *vocab, WwWordPieceFlags flags)
{
  const char *unknown = flags.unknown != NULL ? flags.unknown : "[UNK]";
  WwWordPiece *wordpiece;
  guint32 id;

  if (!ww_vocab_lookup (vocab, unknown, strlen (unknown), &id))
    return NULL;

  wordpiece = g_new0 (WwWordPiece, 1);
  wordpiece->vocab = vocab;
  wordpiece->flags = flags;
  wordpiece->flags.unknown = NULL;
  wordpiece->flags.prefix = g_strdup (flags.prefix != NULL ? flags.prefix : "##");
  wordpiece->prefix_length = strlen (wordpiece->flags.prefix);
  if (flags.n_pieces == 0)
    wordpiece->flags.n_pieces = ww_vocab_get_size (vocab);
  if (flags.most_characters == 0)
    wordpiece->flags.most_characters = MAX_WORD_CHARACTERS;
  wordpiece->unknown = id;
  wordpiece->added = ww_added_new ();
  ww_token_frame_init (&wordpiece->frame);
  wordpiece->wholes = ww_whole_words_new ();
  return wordpiece;
}

void
ww_wordpiece_free (WwWordPiece *wordpiece)
{
  if (wordpiece == NULL)
    return;

  g_free ((char *) wordpiece->flags.prefix);
  ww_added_free (wordpiece->added);
  ww_token_frame_clear (&wordpiece->frame);
  ww_whole_words_free (wordpiece->wholes);
  g_free (wordpiece);
}

gboolean
ww_wordpiece_add_usual (WwWordPiece *wordpiece)
{
  static const char *const names[] = { "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      WwAddedToken token = { .special = TRUE };

      if (!ww_vocab_lookup (wordpiece->vocab, names[i], strlen (names[i]), &token.id))
        continue;
      if (!ww_added_add (wordpiece->added, names[i], &token))
        return FALSE;
      if (i == 2)
        g_array_append_val (wordpiece->frame.before, token.id);
      if (i == 3)
        g_array_append_val (wordpiece->frame.behind, token.id);
    }

  return TRUE;
}

gboolean
ww_wordpiece_add_never_split (WwWordPiece *wordpiece, const char *text)
{
  guint32 id = NO_ID;

  ww_vocab_lookup (wordpiece->vocab, text, strlen (text), &id);
  return ww_whole_words_add (wordpiece->wholes, text, id, 0);
}

void
ww_wordpiece_set_frame (WwWordPiece *wordpiece, const WwTokenFrame *frame)
{
  ww_token_frame_copy (frame, &wordpiece->frame, wordpiece->added);
}

gboolean
ww_wordpiece_is_lower_casing (const WwWordPiece *wordpiece)
{
  return wordpiece->flags.lower_case;
}

gboolean
ww_wordpiece_has_normalised (const WwWordPiece *wordpiece)
{
  return ww_added_has (wordpiece->added, TRUE);
}

/* A piece as a person reads it. */
static char *
dup_display (const WwWordPiece *wordpiece, const char *text)
{
  gsize length = wordpiece->prefix_length;

  return g_strdup (g_str_has_prefix (text, wordpiece->flags.prefix) && text[length] != '\0' ? text + length : text);
}

void
ww_wordpiece_fill_token (const WwWordPiece *wordpiece, guint32 id, WwToken *ret_token)
{
  const char *text = ww_vocab_get (wordpiece->vocab, id);
  WwToken token = { 0 };

  token.id = id;
  token.text = g_strdup (text);
  token.display = dup_display (wordpiece, text);
  token.unknown = id == wordpiece->unknown;
  token.special = !token.unknown && ww_added_is_special (wordpiece->added, id);
  token.has_row = TRUE;
  *ret_token = token;
}

static void
add_token (Run *run, guint32 id, gsize start, gsize end)
{
  WwToken token;

  ww_wordpiece_fill_token (run->wordpiece, id, &token);
  token.start = start;
  token.end = end;
  if (token.unknown && end > start)
    {
      /* A person wants to see which word is unknown, not that some word is. */
      g_free (token.display);
      token.display = g_strndup (run->text + start, end - start);
    }
  g_array_append_val (run->tokens, token);
}

/* Length in characters of the longest piece that begins at character `from`; 0: there is none. */
static guint
find_piece (Run *run, guint from, guint32 *ret_id)
{
  const Character *characters = (const Character *) (gpointer) run->characters->data;
  guint n = run->characters->len;
  gsize lent = from > 0 ? run->wordpiece->prefix_length : 0;
  char *start = run->word->str + characters[from].at - lent;
  char saved[WW_WORDPIECE_MAX_PREFIX];
  guint length = 0;

  /* The bytes in front are lent to the mark of a continuation; the room in front of the first character makes
   * sure that there are enough. */
  memcpy (saved, start, lent);
  memcpy (start, run->wordpiece->flags.prefix, lent);
  for (guint to = n; to > from && length == 0; to--)
    {
      const char *end = run->word->str + (to < n ? characters[to].at : run->word->len);

      if (ww_vocab_lookup (run->wordpiece->vocab, start, (gsize) (end - start), ret_id)
          && *ret_id < run->wordpiece->flags.n_pieces)
        length = to - from;
    }
  memcpy (start, saved, lent);

  return length;
}

static gboolean
add_pieces (Run *run)
{
  const Character *characters = (const Character *) (gpointer) run->characters->data;
  guint n = run->characters->len;
  guint first = run->tokens->len;
  guint length;

  if (n > run->wordpiece->flags.most_characters)
    return FALSE;

  for (guint from = 0; from < n; from += length)
    {
      guint32 id;

      length = find_piece (run, from, &id);
      if (length == 0)
        {
          g_array_set_size (run->tokens, first);
          return FALSE;
        }
      add_token (run, id, characters[from].start, characters[from + length - 1].end);
    }

  return TRUE;
}

static void
add_character (Run *run, gunichar c, gsize start, gsize end)
{
  const Character character = { run->word->len, start, end };

  g_string_append_unichar (run->word, c);
  g_array_append_val (run->characters, character);
}

/* Ends the word at hand, if there is one; the place is where in the source it does. */
static void
flush (Run *run, gsize at)
{
  const Character *characters = (const Character *) (gpointer) run->characters->data;
  guint n = run->characters->len;

  if (run->collecting)
    {
      add_character (run, ' ', at, at);
      return;
    }
  if (n > 0 && !add_pieces (run))
    add_token (run, run->wordpiece->unknown, characters[0].start, characters[n - 1].end);

  g_string_truncate (run->word, run->wordpiece->prefix_length);
  g_array_set_size (run->characters, 0);
}

static void
append_character (Run *run, gunichar c, gsize start, gsize end)
{
  gboolean alone = !run->collecting && ww_wordpiece_is_punctuation (c);

  if (alone)
    flush (run, start);
  add_character (run, c, start, end);
  if (alone)
    flush (run, end);
}

static void
append_lowered (Run *run, gunichar c, gsize start, gsize end)
{
  if (!run->wordpiece->flags.lower_case)
    append_character (run, c, start, end);
  else if (c == 0x130) /* the only capital whose small form is two characters: i and a dot */
    {
      append_character (run, 'i', start, end);
      append_character (run, 0x307, start, end);
    }
  else
    append_character (run, g_unichar_tolower (c), start, end);
}

/* A mark that is dropped belongs to the character before it, so that the token covers it in the
 * source text. */
static void
extend_last (Run *run, gsize start, gsize end)
{
  Character *last;

  if (run->characters->len == 0)
    return;

  last = &g_array_index (run->characters, Character, run->characters->len - 1);
  if (last->end == start)
    last->end = end;
}

static void
append_source_character (Run *run, gunichar c, gsize start, gsize end)
{
  gunichar parts[MAX_DECOMPOSITION];
  gsize n;

  if (!run->wordpiece->flags.strip_accents)
    {
      append_lowered (run, c, start, end);
      return;
    }

  n = g_unichar_fully_decompose (c, FALSE, parts, MAX_DECOMPOSITION);
  for (gsize i = 0; i < n; i++)
    if (g_unichar_type (parts[i]) == G_UNICODE_NON_SPACING_MARK)
      extend_last (run, start, end);
    else
      append_lowered (run, parts[i], start, end);
}

static gboolean
stands_between_spaces (const WwWordPiece *wordpiece, const char *text, gsize at, gsize length)
{
  gboolean controls = wordpiece->flags.keep_controls;

  return (at == 0 || ww_wordpiece_is_space (controls, g_utf8_get_char (g_utf8_prev_char (text + at))))
         && (text[at + length] == '\0' || ww_wordpiece_is_space (controls, g_utf8_get_char (text + at + length)));
}

/* A text that stays whole but is no piece itself is spelled with pieces, letter by letter as it is. */
static void
spell_whole (Run *run, gsize at, gsize end)
{
  while (at < end)
    {
      gsize next = (gsize) (g_utf8_next_char (run->text + at) - run->text);

      add_character (run, g_utf8_get_char (run->text + at), at, next);
      at = next;
    }
  flush (run, end);
}

/* A word that is never split, in exactly its own letters. */
static gboolean
take_whole (Run *run, gsize at, gsize end, gsize *ret_length)
{
  gsize length, limit = end - at + 1;
  guint flags;
  guint32 id;

  while (ww_whole_words_find (run->wordpiece->wholes, run->text + at, limit, &length, &id, &flags))
    {
      limit = length;
      if (!stands_between_spaces (run->wordpiece, run->text, at, length))
        continue;

      flush (run, at);
      if (id != NO_ID)
        add_token (run, id, at, at + length);
      else
        spell_whole (run, at, at + length);
      *ret_length = length;
      return TRUE;
    }

  return FALSE;
}

static void
take_character (Run *run, gunichar c, gsize start, gsize end)
{
  const WwWordPieceFlags *flags = &run->wordpiece->flags;
  gboolean chinese = flags->split_chinese && ww_wordpiece_is_chinese (c);

  if (ww_wordpiece_is_space (run->wordpiece->flags.keep_controls, c))
    {
      if (run->collecting && flags->keep_controls)
        add_character (run, c, start, end);
      else
        flush (run, start);
      return;
    }
  if (!flags->keep_controls && ww_wordpiece_is_dropped (c))
    return;

  if (chinese)
    flush (run, start);
  append_source_character (run, c, start, end);
  if (chinese)
    flush (run, end);
}

/* What most texts consist of goes a short way that ends in the same. */
static gboolean
take_plain_letter (Run *run, gsize at)
{
  char c = run->text[at];
  const Character character = { run->word->len, at, at + 1 };

  /* A letter may carry marks behind it, but those are characters of their own. */
  if (!g_ascii_isalnum (c))
    return FALSE;

  g_string_append_c (run->word, run->wordpiece->flags.lower_case ? g_ascii_tolower (c) : c);
  g_array_append_val (run->characters, character);
  return TRUE;
}

/* The bytes of the source from `at` to `end`. */
static void
take_bytes (Run *run, gsize at, gsize end)
{
  while (at < end)
    {
      gsize length = 1;

      if (run->wordpiece->wholes->begins[(guint8) run->text[at]] ? !take_whole (run, at, end, &length)
                                                                 : !take_plain_letter (run, at))
        {
          length = (gsize) (g_utf8_next_char (run->text + at) - (run->text + at));
          take_character (run, g_utf8_get_char (run->text + at), at, at + length);
        }
      at += length;
    }
  if (!run->collecting)
    flush (run, end);
}

/* What the tokeniser makes of the bytes before it looks for words: the text, and a character of the source for
 * each of its own. */
static void
collect (Run *run, gsize at, gsize end, GString **ret_text, GArray **ret_characters)
{
  Run inner = *run;

  inner.word = *ret_text = g_string_new (NULL);
  inner.characters = *ret_characters = g_array_new (FALSE, FALSE, sizeof (Character));
  inner.collecting = TRUE;
  take_bytes (&inner, at, end);
}

/* The characters of a collected stretch up to byte `end` of it, from number `*index` on. */
static void
take_collected (Run *run, const GString *text, const GArray *characters, gsize end, guint *index)
{
  for (; *index < characters->len && g_array_index (characters, Character, *index).at < end; ++*index)
    {
      const Character *from = &g_array_index (characters, Character, *index);
      gunichar c = g_utf8_get_char (text->str + from->at);

      if (ww_wordpiece_is_space (run->wordpiece->flags.keep_controls, c))
        flush (run, from->start);
      else
        append_character (run, c, from->start, from->end);
    }
  flush (run, 0);
}

/* A stretch without tokens of the first kind. Those of the second stand in what the tokeniser makes of it. */
static void
take_stretch (Run *run, gsize at, gsize end)
{
  g_autoptr (GArray) characters = NULL;
  WwAddedMatch match = { 0 };
  GString *text;
  guint index = 0;

  if (!ww_added_has (run->wordpiece->added, TRUE))
    {
      take_bytes (run, at, end);
      return;
    }

  collect (run, at, end, &text, &characters);
  while (ww_added_find (run->wordpiece->added, TRUE, text->str, 0, match.behind, text->len, &match))
    {
      const Character *first, *last;

      take_collected (run, text, characters, match.from, &index);
      while (g_array_index (characters, Character, index).at < match.at)
        index++;
      first = last = &g_array_index (characters, Character, index);
      for (; index < characters->len && g_array_index (characters, Character, index).at < match.behind; index++)
        if (g_array_index (characters, Character, index).at < match.end)
          last = &g_array_index (characters, Character, index);
      add_token (run, match.id, first->start, last->end);
    }
  take_collected (run, text, characters, text->len, &index);
  g_string_free (text, TRUE);
}

static void
take_text (Run *run)
{
  gsize length = strlen (run->text);
  WwAddedMatch match = { 0 };
  gsize from = 0;

  while (ww_added_find (run->wordpiece->added, FALSE, run->text, 0, from, length, &match))
    {
      take_stretch (run, from, match.from);
      add_token (run, match.id, match.at, match.end);
      from = match.behind;
    }
  take_stretch (run, from, length);
}

static void
add_frame (Run *run, const GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    add_token (run, g_array_index (ids, guint32, i), 0, 0);
}

static void
run_init (Run *run, const WwWordPiece *wordpiece, const char *text)
{
  *run = (Run) { wordpiece, text, ww_tokens_array_new (), g_string_new (wordpiece->flags.prefix),
                 g_array_new (FALSE, FALSE, sizeof (Character)) };
}

static void
run_clear (Run *run)
{
  g_string_free (run->word, TRUE);
  g_array_unref (run->characters);
}

gboolean
ww_wordpiece_add_token (WwWordPiece *wordpiece, const char *text, const WwAddedToken *token)
{
  g_autoptr (GArray) characters = NULL;
  GString *normal;
  gboolean added;
  Run run;

  if (!token->normalised)
    return ww_added_add (wordpiece->added, text, token);

  run_init (&run, wordpiece, text);
  collect (&run, 0, strlen (text), &normal, &characters);
  added = ww_added_add (wordpiece->added, normal->str, token);
  g_string_free (normal, TRUE);
  g_array_unref (run.tokens);
  run_clear (&run);
  return added;
}

WwTokens *
ww_wordpiece_tokenise (const WwWordPiece *wordpiece, const char *text, gboolean special)
{
  Run run;

  run_init (&run, wordpiece, text);
  if (special)
    add_frame (&run, wordpiece->frame.before);
  take_text (&run);
  if (special)
    add_frame (&run, wordpiece->frame.behind);

  run_clear (&run);
  ww_tokens_array_mark_continuations (run.tokens);
  return ww_tokens_new_take (run.tokens);
}
