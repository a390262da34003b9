#include "ww-scored.h"

#include <string.h>

#include "ww-join.h"
#include "ww-tokens-private.h"
#include "ww-words.h"

#define SPACE_MARK "\u2581"
#define MARK_BYTES 3
#define MAX_STRETCH (1 << 20)
#define NO_ID G_MAXUINT32

struct _WwScored
{
  const WwVocab *vocab;
  gboolean prefix_space;
  gboolean splits_words; /* no piece goes on behind a space, so that words can be looked at one by one */
  guint32 unknown;
  guint32 byte_ids[256];
  guint32 *ranks; /* of each piece: 0 has the highest score, equal scores are equal */
  WwAdded *added;
  WwTokenFrame frame;
};

typedef struct
{
  guint32 id;
  float score;
} Entry;

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *first = a, *second = b;

  return first->score > second->score ? -1 : first->score < second->score;
}

static gboolean
rank_pieces (WwScored *scored, const float *scores)
{
  gsize n = ww_vocab_get_size (scored->vocab);
  g_autofree Entry *entries = g_try_new (Entry, MAX (n, 1));
  guint32 rank = 0;

  scored->ranks = g_try_new (guint32, MAX (n, 1));
  if (entries == NULL || scored->ranks == NULL)
    return FALSE;

  for (gsize i = 0; i < n; i++)
    entries[i] = (Entry) { (guint32) i, scores[i] };
  qsort (entries, n, sizeof *entries, compare_entries);
  for (gsize i = 0; i < n; i++)
    {
      rank += i > 0 && entries[i].score < entries[i - 1].score;
      scored->ranks[entries[i].id] = rank;
    }
  return TRUE;
}

/* "a▁b": a piece in which a space stands behind something else. */
static gboolean
goes_on (const char *piece)
{
  while (g_str_has_prefix (piece, SPACE_MARK))
    piece += MARK_BYTES;
  return strstr (piece, SPACE_MARK) != NULL;
}

static void
look_at_pieces (WwScored *scored)
{
  scored->splits_words = TRUE;
  for (gsize i = 0; i < ww_vocab_get_size (scored->vocab); i++)
    if (goes_on (ww_vocab_get (scored->vocab, i)))
      scored->splits_words = FALSE;

  for (guint byte = 0; byte < 256; byte++)
    {
      char piece[8];
      int length = g_snprintf (piece, sizeof piece, "<0x%02X>", byte);

      if (!ww_vocab_lookup (scored->vocab, piece, (gsize) length, &scored->byte_ids[byte]))
        scored->byte_ids[byte] = scored->unknown;
    }
}

WwScored *
ww_scored_new (const WwVocab *vocab, const WwScoredOptions *options)
{
  g_autoptr (WwScored) scored = g_new0 (WwScored, 1);

  scored->vocab = vocab;
  scored->prefix_space = options->prefix_space;
  scored->unknown = options->unknown != NO_ID ? options->unknown : 0;
  scored->added = ww_added_new ();
  ww_token_frame_init (&scored->frame);
  if (!rank_pieces (scored, options->scores))
    return NULL;

  look_at_pieces (scored);
  return g_steal_pointer (&scored);
}

void
ww_scored_free (WwScored *scored)
{
  if (scored == NULL)
    return;

  g_free (scored->ranks);
  ww_added_free (scored->added);
  ww_token_frame_clear (&scored->frame);
  g_free (scored);
}

gboolean
ww_scored_add_token (WwScored *scored, const WwAddedToken *token)
{
  return ww_added_add (scored->added, ww_vocab_get (scored->vocab, token->id), token);
}

void
ww_scored_set_frame (WwScored *scored, const WwTokenFrame *frame)
{
  ww_token_frame_copy (frame, &scored->frame, scored->added);
}

void
ww_scored_fill_token (const WwScored *scored, guint32 id, WwToken *ret_token)
{
  const char *text = ww_vocab_get (scored->vocab, id);
  WwToken token = { 0 };

  token.id = id;
  token.text = g_strdup (text);
  token.unknown = id == scored->unknown;
  token.special = !token.unknown && ww_added_is_special (scored->added, id);
  token.display = ww_words_dup_display (text, WW_WORD_MARKS_SPACE);
  token.has_row = TRUE;
  *ret_token = token;
}

typedef struct
{
  const WwScored *scored;
  const char *text;
  GArray *tokens; /* WwToken */
  GString *marked; /* the stretch at hand, with marks for spaces */
  WwJoin join;
} Run;

static gboolean
find_pair (const WwJoinPiece *left, const WwJoinPiece *right, gpointer user_data, guint32 *ret_rank, guint32 *ret_id)
{
  const Run *run = user_data;

  if (!ww_vocab_lookup (run->scored->vocab, run->marked->str + left->start, right->end - left->start, ret_id))
    return FALSE;

  *ret_rank = run->scored->ranks[*ret_id];
  return TRUE;
}

static void
add_token (Run *run, guint32 id, gsize start, gsize end)
{
  WwToken token;

  ww_scored_fill_token (run->scored, id, &token);
  token.start = start;
  token.end = end;
  g_array_append_val (run->tokens, token);
}

/* A piece that stands for the bytes of the source from `start` to `end`; a space in front is none of what a person
 * sees. */
static void
add_piece (Run *run, const WwJoinPiece *piece, gsize start, gsize end)
{
  gsize first = start;

  if (piece->id == NO_ID)
    {
      for (guint32 i = piece->start; i < piece->end; i++)
        add_token (run, run->scored->byte_ids[(guint8) run->marked->str[i]], start, end);
      return;
    }

  while (first < end && run->text[first] == ' ')
    first++;
  add_token (run, piece->id, first < end ? first : start, end);
}

/* Where in the source the marked text up to byte `end` ends; `*at` is where byte `from` begins. A mark that a source
 * holds itself is three bytes there. */
static gsize
advance (const Run *run, gsize at, guint32 from, guint32 end)
{
  while (from < end)
    {
      gsize bytes = (gsize) (g_utf8_next_char (run->marked->str + from) - (run->marked->str + from));

      at += run->text[at] == ' ' ? 1 : bytes;
      from += (guint32) bytes;
    }

  return at;
}

/* Bytes `at` to `end` of the source; `behind_space`: with a space in front that it does not have. */
static void
take_word (Run *run, gsize at, gsize end, gboolean behind_space)
{
  const WwJoinPiece *pieces;

  ww_join_reset (&run->join);
  g_string_assign (run->marked, behind_space ? SPACE_MARK : "");
  for (gsize i = at; i < end; i++)
    if (run->text[i] == ' ')
      g_string_append (run->marked, SPACE_MARK);
    else
      g_string_append_c (run->marked, run->text[i]);

  for (gsize from = 0, next; from < run->marked->len; from = next)
    {
      guint32 id = NO_ID;

      next = (gsize) (g_utf8_next_char (run->marked->str + from) - run->marked->str);
      ww_vocab_lookup (run->scored->vocab, run->marked->str + from, next - from, &id);
      ww_join_add (&run->join, id, (guint32) from, (guint32) next);
    }
  ww_join_run (&run->join);

  pieces = (const WwJoinPiece *) (gpointer) run->join.pieces->data;
  for (guint32 i = 0; i != WW_JOIN_NOTHING; i = pieces[i].next)
    {
      guint32 from = pieces[i].start == 0 && behind_space ? MARK_BYTES : pieces[i].start;
      gsize behind = advance (run, at, from, pieces[i].end);

      add_piece (run, &pieces[i], at, behind);
      at = behind;
    }
}

/* Where the word that begins at `at` ends: spaces, and what is not one behind them. */
static gsize
find_word_end (const Run *run, gsize at, gsize end)
{
  gsize limit = MIN (end, at + MAX_STRETCH);

  if (run->scored->splits_words)
    {
      gsize word = at;

      while (word < limit && run->text[word] == ' ')
        word++;
      while (word < limit && run->text[word] != ' ')
        word++;
      limit = word;
    }
  while (limit < end && ((guint8) run->text[limit] & 0xc0) == 0x80)
    limit--; /* megabytes without a space are no language; their memory stays bounded */
  return limit;
}

static void
take_stretch (Run *run, gsize at, gsize end)
{
  gboolean behind_space = run->scored->prefix_space;

  while (at < end)
    {
      gsize stop = find_word_end (run, at, end);

      take_word (run, at, stop, behind_space);
      behind_space = FALSE;
      at = stop;
    }
}

static void
add_frame (Run *run, const GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    add_token (run, g_array_index (ids, guint32, i), 0, 0);
}

static void
take_text (Run *run)
{
  gsize length = strlen (run->text), from = 0;
  WwAddedMatch match;

  while (ww_added_find (run->scored->added, FALSE, run->text, 0, from, length, &match))
    {
      take_stretch (run, from, match.from);
      add_token (run, match.id, match.at, match.end);
      from = match.behind;
    }
  take_stretch (run, from, length);
}

WwTokens *
ww_scored_tokenise (const WwScored *scored, const char *text, gboolean special)
{
  Run run = { scored, text, ww_tokens_array_new (), g_string_new (NULL) };

  ww_join_init (&run.join, find_pair, &run);
  if (special)
    add_frame (&run, scored->frame.before);
  take_text (&run);
  if (special)
    add_frame (&run, scored->frame.behind);

  ww_join_clear (&run.join);
  g_string_free (run.marked, TRUE);
  ww_tokens_array_mark_continuations (run.tokens);
  return ww_tokens_new_take (run.tokens);
}
