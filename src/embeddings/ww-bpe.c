#include "ww-bpe.h"

#include <string.h>

#include "ww-bpe-bytes.h"
#include "ww-join.h"
#include "ww-tokens-private.h"

#define FIRST_SLOTS 1024
#define MAX_PART_BYTES (1 << 20)
#define NO_ID G_MAXUINT32
/* Parts of a text that are remembered with their pieces: the words of a language come again and again. */
#define MAX_KNOWN_PARTS 65536
#define MAX_KNOWN_BYTES 32

/* One rule, in a table by the ids of its two parts. */
typedef struct
{
  guint32 left, right;
  guint32 rank; /* from 1 on; 0: a free slot */
  guint32 joined;
} Merge;

struct _WwBpe
{
  const WwVocab *vocab;
  WwBpeOptions options;
  guint32 byte_ids[256]; /* NO_ID: the vocabulary lacks it */
  Merge *merges;
  gsize n_slots; /* a power of two, at least twice the rules */
  gsize n_merges;
  WwAdded *added;
  WwTokenFrame frame;
  guint32 unknown; /* NO_ID: there is none */
};

static gboolean
lookup_byte (const WwVocab *vocab, guint8 byte, guint32 *ret_id)
{
  char piece[6];
  int length = g_unichar_to_utf8 (ww_bpe_byte_to_char (byte), piece);

  return ww_vocab_lookup (vocab, piece, (gsize) length, ret_id);
}

WwBpe *
ww_bpe_new (const WwVocab *vocab, WwBpeOptions options)
{
  WwBpe *bpe = g_new0 (WwBpe, 1);

  bpe->vocab = vocab;
  bpe->options = options;
  bpe->n_slots = FIRST_SLOTS;
  bpe->merges = g_new0 (Merge, FIRST_SLOTS);
  bpe->added = ww_added_new ();
  ww_token_frame_init (&bpe->frame);
  bpe->unknown = NO_ID;
  for (guint byte = 0; byte < 256; byte++)
    if (!lookup_byte (vocab, (guint8) byte, &bpe->byte_ids[byte]))
      bpe->byte_ids[byte] = NO_ID;

  return bpe;
}

void
ww_bpe_free (WwBpe *bpe)
{
  if (bpe == NULL)
    return;

  g_free (bpe->merges);
  ww_added_free (bpe->added);
  ww_token_frame_clear (&bpe->frame);
  g_free (bpe);
}

static gsize
find_slot (const Merge *merges, gsize n_slots, guint32 left, guint32 right)
{
  guint64 hash = ((guint64) left << 32 | right) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  gsize slot = (gsize) (hash >> 32) & (n_slots - 1);

  while (merges[slot].rank != 0 && (merges[slot].left != left || merges[slot].right != right))
    slot = (slot + 1) & (n_slots - 1);
  return slot;
}

static gboolean
grow_merges (WwBpe *bpe)
{
  gsize n_slots = bpe->n_slots * 2;
  Merge *merges = g_try_new0 (Merge, n_slots);

  if (merges == NULL)
    return FALSE;

  for (gsize i = 0; i < bpe->n_slots; i++)
    if (bpe->merges[i].rank != 0)
      merges[find_slot (merges, n_slots, bpe->merges[i].left, bpe->merges[i].right)] = bpe->merges[i];
  g_free (bpe->merges);
  bpe->merges = merges;
  bpe->n_slots = n_slots;
  return TRUE;
}

static gboolean
lookup_joined (const WwVocab *vocab, const char *left, gsize left_length, const char *right,
               gsize right_length, guint32 *ret_id)
{
  g_autofree char *joined = g_malloc (left_length + right_length + 1);

  memcpy (joined, left, left_length);
  memcpy (joined + left_length, right, right_length);
  return ww_vocab_lookup (vocab, joined, left_length + right_length, ret_id);
}

WwBpeResult
ww_bpe_add_merge (WwBpe *bpe, const char *left, gsize left_length, const char *right, gsize right_length)
{
  Merge merge;
  Merge *slot;

  if (!ww_vocab_lookup (bpe->vocab, left, left_length, &merge.left))
    return WW_BPE_NO_LEFT;
  if (!ww_vocab_lookup (bpe->vocab, right, right_length, &merge.right))
    return WW_BPE_NO_RIGHT;
  if (!lookup_joined (bpe->vocab, left, left_length, right, right_length, &merge.joined))
    return WW_BPE_NO_JOINED;
  if ((bpe->n_merges + 1) * 2 > bpe->n_slots && !grow_merges (bpe))
    return WW_BPE_FULL;

  slot = &bpe->merges[find_slot (bpe->merges, bpe->n_slots, merge.left, merge.right)];
  merge.rank = (guint32) ++bpe->n_merges;
  if (slot->rank == 0)
    *slot = merge;
  return WW_BPE_ADDED;
}

gboolean
ww_bpe_add_token (WwBpe *bpe, const WwAddedToken *token)
{
  return ww_added_add (bpe->added, ww_vocab_get (bpe->vocab, token->id), token);
}

void
ww_bpe_set_unknown (WwBpe *bpe, guint32 id)
{
  bpe->unknown = id;
}

void
ww_bpe_set_frame (WwBpe *bpe, const WwTokenFrame *frame)
{
  ww_token_frame_copy (frame, &bpe->frame, bpe->added);
}

gboolean
ww_bpe_is_usable (const WwBpe *bpe, guint8 *ret_byte)
{
  for (guint byte = 0; bpe->unknown == NO_ID && byte < 256; byte++)
    /* No text in UTF-8 holds these bytes, and no C string a zero. */
    if (bpe->byte_ids[byte] == NO_ID && byte != 0 && byte != 0xc0 && byte != 0xc1 && byte < 0xf5)
      {
        *ret_byte = (guint8) byte;
        return FALSE;
      }

  return TRUE;
}

void
ww_bpe_fill_token (const WwBpe *bpe, guint32 id, WwToken *ret_token)
{
  const char *text = ww_vocab_get (bpe->vocab, id);
  WwToken token = { 0 };

  token.id = id;
  token.text = g_strdup (text);
  token.unknown = id == bpe->unknown;
  token.special = !token.unknown && ww_added_is_special (bpe->added, id);
  token.display = token.special || token.unknown ? g_strdup (text) : ww_bpe_dup_display (text);
  token.has_row = TRUE;
  *ret_token = token;
}

/* A piece that a part of a text was cut into. */
typedef struct
{
  guint32 id, end; /* in bytes of the part */
} Piece;

typedef struct
{
  const WwBpe *bpe;
  const char *text;
  GArray *tokens; /* WwToken */
  WwJoin join;
  WwVocab *known;    /* parts that came before, */
  GArray *starts;    /* where their pieces begin (guint), */
  GArray *pieces;    /* and the pieces */
} Run;

static gboolean
find_merge (const WwJoinPiece *left, const WwJoinPiece *right, gpointer user_data, guint32 *ret_rank,
            guint32 *ret_id)
{
  const WwBpe *bpe = user_data;
  const Merge *merge = &bpe->merges[find_slot (bpe->merges, bpe->n_slots, left->id, right->id)];

  *ret_rank = merge->rank;
  *ret_id = merge->joined;
  return merge->rank != 0;
}

static void
run_init (Run *run, const WwBpe *bpe, const char *text)
{
  *run = (Run) { .bpe = bpe, .text = text, .tokens = ww_tokens_array_new (), .known = ww_vocab_new () };
  ww_join_init (&run->join, find_merge, (gpointer) bpe);
  run->starts = g_array_new (FALSE, FALSE, sizeof (guint));
  run->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
}

static void
run_clear (Run *run)
{
  ww_join_clear (&run->join);
  ww_vocab_free (run->known);
  g_array_unref (run->starts);
  g_array_unref (run->pieces);
}

static void
add_byte (Run *run, guint8 byte, guint32 start, guint32 end)
{
  guint32 id = run->bpe->byte_ids[byte];

  ww_join_add (&run->join, id != NO_ID ? id : run->bpe->unknown, start, end);
}

static void
add_token (Run *run, guint32 id, gsize start, gsize end)
{
  WwToken token;

  ww_bpe_fill_token (run->bpe, id, &token);
  token.start = start;
  token.end = end;
  g_array_append_val (run->tokens, token);
}

/* The white space in front of a piece is no part of what it covers in the source, unless it is nothing
 * else; then a person sees which words are glued. */
static void
add_piece (Run *run, guint32 id, gsize start, gsize end)
{
  gsize first = start;

  while (first < end && g_ascii_isspace (run->text[first]))
    first++;
  add_token (run, id, first < end ? first : start, end);
}

/* The pieces of a part from number `first` on, as tokens; the part begins at byte `at`. */
static void
add_pieces (Run *run, gsize at, guint first, guint n)
{
  gsize start = at;

  for (guint i = first; i < first + n; i++)
    {
      const Piece *piece = &g_array_index (run->pieces, Piece, i);

      add_piece (run, piece->id, start, at + piece->end);
      start = at + piece->end;
    }
}

/* Whether the vocabulary has the part as a whole, written with a character for each byte. */
static gboolean
find_part (const WwBpe *bpe, const char *part, gsize length, gboolean behind_space, guint32 *ret_id)
{
  g_autoptr (GString) piece = g_string_sized_new (2 * length + 2);

  if (behind_space)
    g_string_append_unichar (piece, ww_bpe_byte_to_char (' '));
  for (gsize i = 0; i < length; i++)
    g_string_append_unichar (piece, ww_bpe_byte_to_char ((guint8) part[i]));
  return ww_vocab_lookup (bpe->vocab, piece->str, piece->len, ret_id)
         && *ret_id < (bpe->options.n_pieces > 0 ? bpe->options.n_pieces : ww_vocab_get_size (bpe->vocab));
}

/* Appends the pieces of `length` bytes at `at`. */
static void
cut_part (Run *run, gsize at, gsize length, gboolean behind_space)
{
  const WwJoinPiece *pieces;
  Piece whole = { NO_ID, (guint32) length };

  if (run->bpe->options.ignore_merges && find_part (run->bpe, run->text + at, length, behind_space, &whole.id))
    {
      g_array_append_val (run->pieces, whole);
      return;
    }

  ww_join_reset (&run->join);
  if (behind_space)
    add_byte (run, ' ', 0, 0);
  for (gsize i = 0; i < length; i++)
    add_byte (run, (guint8) run->text[at + i], (guint32) i, (guint32) i + 1);
  ww_join_run (&run->join);

  pieces = (const WwJoinPiece *) (gpointer) run->join.pieces->data;
  for (guint32 i = 0; i != WW_JOIN_NOTHING; i = pieces[i].next)
    {
      const Piece piece = { pieces[i].id, pieces[i].end };

      g_array_append_val (run->pieces, piece);
    }
}

/* One part of the cut text, `length` bytes at `at`; `behind_space`: with a space in front that the source
 * does not have. */
static void
take_part (Run *run, gsize at, gsize length, gboolean behind_space)
{
  gboolean keep = !behind_space && length <= MAX_KNOWN_BYTES;
  guint first = run->pieces->len, n, index;

  if (keep && ww_vocab_lookup (run->known, run->text + at, length, &index))
    {
      first = g_array_index (run->starts, guint, index);
      n = (index + 1 < run->starts->len ? g_array_index (run->starts, guint, index + 1) : run->pieces->len) - first;
      add_pieces (run, at, first, n);
      return;
    }

  cut_part (run, at, length, behind_space);
  add_pieces (run, at, first, run->pieces->len - first);
  if (keep && run->starts->len < MAX_KNOWN_PARTS
      && ww_vocab_append (run->known, run->text + at, length) != WW_VOCAB_FULL)
    g_array_append_val (run->starts, first);
  else
    g_array_set_size (run->pieces, first);
}

/* The last place up to `at` where a character begins. */
static gsize
find_character (const char *text, gsize at)
{
  while (at > 0 && ((guint8) text[at] & 0xc0) == 0x80)
    at--;
  return at;
}

/* Bytes that no added token is in. */
static void
take_bytes (Run *run, gsize at, gsize end)
{
  WwBpeCut cut = run->bpe->options.cut;
  gboolean behind_space = run->bpe->options.prefix_space && at < end && run->text[at] != ' ';
  gsize limit = at;

  while (at < end)
    {
      gsize length;

      if (at >= limit)
        limit = at + ww_bpe_cut_get_limit (cut, run->text + at, end - at);
      length = ww_bpe_split (cut, run->text + at, limit - at, behind_space);
      /* Megabytes without a space are no language; their memory stays bounded. */
      if (length > MAX_PART_BYTES)
        length = find_character (run->text + at, MAX_PART_BYTES);
      take_part (run, at, length, behind_space);
      at += length;
      behind_space = FALSE;
    }
}

/* Tokens of the second kind stand in what is left by those of the first; nothing else is made of the text here. */
static void
take_stretch (Run *run, gsize from, gsize end, gboolean normalised)
{
  WwAddedMatch match;
  gsize begin = from;

  while (ww_added_has (run->bpe->added, normalised)
         && ww_added_find (run->bpe->added, normalised, run->text, begin, from, end, &match))
    {
      if (normalised)
        take_bytes (run, from, match.from);
      else
        take_stretch (run, from, match.from, TRUE);
      add_token (run, match.id, match.at, match.end);
      from = match.behind;
    }

  if (normalised)
    take_bytes (run, from, end);
  else
    take_stretch (run, from, end, TRUE);
}

static void
add_frame (Run *run, const GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    add_token (run, g_array_index (ids, guint32, i), 0, 0);
}

WwTokens *
ww_bpe_tokenise (const WwBpe *bpe, const char *text, gboolean special)
{
  Run run;

  run_init (&run, bpe, text);
  if (special)
    add_frame (&run, bpe->frame.before);
  take_stretch (&run, 0, strlen (text), FALSE);
  if (special)
    add_frame (&run, bpe->frame.behind);

  run_clear (&run);
  ww_tokens_array_mark_continuations (run.tokens);
  return ww_tokens_new_take (run.tokens);
}
