#include "ww-wordpiece.h"

#include <string.h>

#include "ww-tokens-private.h"
#include "ww-whole-words.h"

/* Longer words are unknown as a whole, as the reference implementation has it. */
#define MAX_WORD_CHARACTERS 100
/* Canonical decomposition never yields more characters from one. */
#define MAX_DECOMPOSITION 18

#define NO_ID G_MAXUINT32

enum
{
  SPECIAL_PAD,
  SPECIAL_UNK,
  SPECIAL_CLS,
  SPECIAL_SEP,
  SPECIAL_MASK,
  N_SPECIAL
};

static const char *const special_names[N_SPECIAL] = { "[PAD]", "[UNK]", "[CLS]", "[SEP]",
                                                      "[MASK]" };

struct _WwWordPiece
{
  const WwVocab *vocab;
  WwWordPieceFlags flags;
  gboolean has_special[N_SPECIAL];
  guint32 special[N_SPECIAL];
  WwWholeWords *wholes; /* id: in the vocabulary, or NO_ID; flags: only between white space */
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
  GString *word;      /* "##" and then the word, so that a continuation is a slice of it */
  GArray *characters; /* Character */
} Run;

WwWordPiece *
ww_wordpiece_new (const WwVocab *vocab, WwWordPieceFlags flags)
{
  WwWordPiece *wordpiece = g_new0 (WwWordPiece, 1);

  wordpiece->vocab = vocab;
  wordpiece->flags = flags;
  wordpiece->wholes = ww_whole_words_new ();
  for (int i = 0; i < N_SPECIAL; i++)
    {
      wordpiece->has_special[i] = ww_vocab_lookup (vocab, special_names[i], strlen (special_names[i]),
                                                   &wordpiece->special[i]);
      ww_wordpiece_add_whole (wordpiece, special_names[i], FALSE);
    }

  if (!wordpiece->has_special[SPECIAL_UNK])
    g_clear_pointer (&wordpiece, ww_wordpiece_free);
  return wordpiece;
}

void
ww_wordpiece_free (WwWordPiece *wordpiece)
{
  if (wordpiece == NULL)
    return;

  ww_whole_words_free (wordpiece->wholes);
  g_free (wordpiece);
}

gboolean
ww_wordpiece_add_whole (WwWordPiece *wordpiece, const char *text, gboolean between_spaces)
{
  guint32 id = NO_ID;

  if (!ww_vocab_lookup (wordpiece->vocab, text, strlen (text), &id) && !between_spaces)
    return TRUE;

  return ww_whole_words_add (wordpiece->wholes, text, id, between_spaces);
}

static gboolean
is_special_id (const WwWordPiece *wordpiece, guint32 id)
{
  for (int i = 0; i < N_SPECIAL; i++)
    if (wordpiece->has_special[i] && wordpiece->special[i] == id)
      return TRUE;

  return FALSE;
}

void
ww_wordpiece_fill_token (const WwWordPiece *wordpiece, guint32 id, WwToken *ret_token)
{
  const char *text = ww_vocab_get (wordpiece->vocab, id);
  WwToken token = { 0 };

  token.id = id;
  token.text = g_strdup (text);
  token.display = ww_tokens_dup_display (text);
  token.unknown = id == wordpiece->special[SPECIAL_UNK];
  token.special = !token.unknown && is_special_id (wordpiece, id);
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
  char *start = run->word->str + characters[from].at;
  char saved[2];
  guint length = 0;

  /* The two bytes in front are lent to the mark of a continuation; in front of the first
   * character there are two spare ones. */
  if (from > 0)
    {
      memcpy (saved, start - 2, 2);
      memcpy (start - 2, "##", 2);
    }
  for (guint to = n; to > from && length == 0; to--)
    {
      const char *end = run->word->str + (to < n ? characters[to].at : run->word->len);
      const char *begin = from > 0 ? start - 2 : start;

      if (ww_vocab_lookup (run->wordpiece->vocab, begin, (gsize) (end - begin), ret_id))
        length = to - from;
    }
  if (from > 0)
    memcpy (start - 2, saved, 2);

  return length;
}

static gboolean
add_pieces (Run *run)
{
  const Character *characters = (const Character *) (gpointer) run->characters->data;
  guint n = run->characters->len;
  guint first = run->tokens->len;
  guint length;

  if (n > MAX_WORD_CHARACTERS)
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

/* Ends the word at hand, if there is one. */
static void
flush (Run *run)
{
  const Character *characters = (const Character *) (gpointer) run->characters->data;
  guint n = run->characters->len;

  if (n > 0 && !add_pieces (run))
    add_token (run, run->wordpiece->special[SPECIAL_UNK], characters[0].start,
               characters[n - 1].end);

  g_string_truncate (run->word, 2);
  g_array_set_size (run->characters, 0);
}

static gboolean
is_space (gunichar c)
{
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
    return TRUE;

  switch (g_unichar_type (c))
    {
    case G_UNICODE_SPACE_SEPARATOR:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
      return TRUE;
    default:
      return FALSE;
    }
}

/* What the cleaning drops without a trace: controls, invisible formatting, private use, characters
 * that no Unicode version known here assigns, and the replacement character. */
static gboolean
is_dropped (gunichar c)
{
  if (c == 0xfffd)
    return TRUE;

  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_UNASSIGNED:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Every visible ASCII character that is no letter or digit counts, even where Unicode calls it a
 * symbol ($, +, ~). */
static gboolean
is_punctuation (gunichar c)
{
  return c < 128 ? g_ascii_ispunct ((char) c) : g_unichar_ispunct (c)
                   && g_unichar_type (c) != G_UNICODE_CURRENCY_SYMBOL
                   && g_unichar_type (c) != G_UNICODE_MODIFIER_SYMBOL
                   && g_unichar_type (c) != G_UNICODE_MATH_SYMBOL
                   && g_unichar_type (c) != G_UNICODE_OTHER_SYMBOL;
}

/* The blocks of CJK ideographs; Hangul, kana and others are written with spaces or left to the
 * pieces. */
static gboolean
is_chinese (gunichar c)
{
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf)
         || (c >= 0x20000 && c <= 0x2a6df) || (c >= 0x2a700 && c <= 0x2b73f)
         || (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b820 && c <= 0x2ceaf)
         || (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

static void
append_character (Run *run, gunichar c, gsize start, gsize end)
{
  Character character = { run->word->len, start, end };

  if (is_punctuation (c))
    {
      flush (run);
      character.at = run->word->len;
    }
  g_string_append_unichar (run->word, c);
  g_array_append_val (run->characters, character);
  if (is_punctuation (c))
    flush (run);
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
stands_between_spaces (const char *text, gsize at, gsize length)
{
  return (at == 0 || is_space (g_utf8_get_char (g_utf8_prev_char (text + at))))
         && (text[at + length] == '\0' || is_space (g_utf8_get_char (text + at + length)));
}

/* A text that stays whole but is no piece itself is spelled with pieces, letter by letter as it is. */
static void
spell_whole (Run *run, gsize at, gsize end)
{
  while (at < end)
    {
      const char *c = run->text + at;
      const Character character = { run->word->len, at, at + (gsize) (g_utf8_next_char (c) - c) };

      g_string_append_unichar (run->word, g_utf8_get_char (c));
      g_array_append_val (run->characters, character);
      at = character.end;
    }
  flush (run);
}

/* A special or added token typed by the user, in exactly its own letters. */
static gboolean
take_whole (Run *run, gsize at, gsize *ret_length)
{
  gsize length, limit = G_MAXSIZE;
  guint between_spaces;
  guint32 id;

  while (ww_whole_words_find (run->wordpiece->wholes, run->text + at, limit, &length, &id, &between_spaces))
    {
      limit = length;
      if (between_spaces && !stands_between_spaces (run->text, at, length))
        continue;

      flush (run);
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
  gboolean chinese = run->wordpiece->flags.split_chinese && is_chinese (c);

  if (is_space (c))
    {
      flush (run);
      return;
    }
  if (is_dropped (c))
    return;

  if (chinese)
    flush (run);
  append_source_character (run, c, start, end);
  if (chinese)
    flush (run);
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

WwTokens *
ww_wordpiece_tokenise (const WwWordPiece *wordpiece, const char *text, gboolean special)
{
  Run run = { wordpiece, text, ww_tokens_array_new (), g_string_new ("##"),
              g_array_new (FALSE, FALSE, sizeof (Character)) };
  gsize at = 0;

  if (special && wordpiece->has_special[SPECIAL_CLS])
    add_token (&run, wordpiece->special[SPECIAL_CLS], 0, 0);

  while (text[at] != '\0')
    {
      gsize length = 1;

      if (wordpiece->wholes->begins[(guint8) text[at]] ? !take_whole (&run, at, &length)
                                                       : !take_plain_letter (&run, at))
        {
          length = (gsize) (g_utf8_next_char (text + at) - (text + at));
          take_character (&run, g_utf8_get_char (text + at), at, at + length);
        }
      at += length;
    }
  flush (&run);

  if (special && wordpiece->has_special[SPECIAL_SEP])
    add_token (&run, wordpiece->special[SPECIAL_SEP], 0, 0);

  g_string_free (run.word, TRUE);
  g_array_unref (run.characters);
  ww_tokens_array_mark_continuations (run.tokens);
  return ww_tokens_new_take (run.tokens);
}
