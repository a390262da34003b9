#include "ww-bpe.h"

#include <string.h>

#include "ww-bpe-bytes.h"
#include "ww-bpe-split.h"
#include "ww-tokens-private.h"
#include "ww-whole-words.h"

#define FIRST_SLOTS 1024
#define MAX_PART_BYTES (1 << 20)
#define NO_ID WW_BPE_NOTHING
#define NO_SYMBOL G_MAXUINT32

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
  gboolean prefix_space;
  guint32 byte_ids[256]; /* NO_ID: the vocabulary lacks it */
  Merge *merges;
  gsize n_slots; /* a power of two, at least twice the rules */
  gsize n_merges;
  WwWholeWords *added;      /* flags: whether it takes the white space in front of it along */
  GHashTable *specials;     /* their ids, as far as they are special */
  guint32 unknown, first, last; /* NO_ID: there is none */
};

static gboolean
lookup_byte (const WwVocab *vocab, guint8 byte, guint32 *ret_id)
{
  char piece[6];
  int length = g_unichar_to_utf8 (ww_bpe_byte_to_char (byte), piece);

  return ww_vocab_lookup (vocab, piece, (gsize) length, ret_id);
}

WwBpe *
ww_bpe_new (const WwVocab *vocab, gboolean prefix_space)
{
  WwBpe *bpe = g_new0 (WwBpe, 1);

  bpe->vocab = vocab;
  bpe->prefix_space = prefix_space;
  bpe->n_slots = FIRST_SLOTS;
  bpe->merges = g_new0 (Merge, FIRST_SLOTS);
  bpe->added = ww_whole_words_new ();
  bpe->specials = g_hash_table_new (NULL, NULL);
  bpe->unknown = bpe->first = bpe->last = NO_ID;
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
  ww_whole_words_free (bpe->added);
  g_hash_table_unref (bpe->specials);
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

gsize
ww_bpe_get_n_merges (const WwBpe *bpe)
{
  return bpe->n_merges;
}

gboolean
ww_bpe_add_token (WwBpe *bpe, const WwBpeAdded *added)
{
  if (added->special)
    g_hash_table_add (bpe->specials, GUINT_TO_POINTER (added->id));
  return ww_whole_words_add (bpe->added, ww_vocab_get (bpe->vocab, added->id), added->id, added->strip_left);
}

void
ww_bpe_set_unknown (WwBpe *bpe, guint32 id)
{
  bpe->unknown = id;
}

void
ww_bpe_set_frame (WwBpe *bpe, guint32 first, guint32 last)
{
  bpe->first = first;
  bpe->last = last;
  g_hash_table_add (bpe->specials, GUINT_TO_POINTER (first));
  g_hash_table_add (bpe->specials, GUINT_TO_POINTER (last));
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
  token.special = !token.unknown && g_hash_table_contains (bpe->specials, GUINT_TO_POINTER (id));
  token.display = token.special || token.unknown ? g_strdup (text) : ww_bpe_dup_display (text);
  token.has_row = TRUE;
  *ret_token = token;
}

/* A piece of the part at hand; pieces are a list in both directions. A piece that was joined to the one
 * before it has the id NO_ID. */
typedef struct
{
  guint32 id;
  guint32 previous, next;
  guint32 start, end; /* bytes of the part */
} Symbol;

/* A pair that may be joined; it is stale when either piece has changed since. */
typedef struct
{
  guint32 rank, symbol; /* of the left piece */
  guint32 joined, end;  /* where the right piece ended */
} Pair;

typedef struct
{
  const WwBpe *bpe;
  const char *text;
  GArray *tokens;  /* WwToken */
  GArray *symbols; /* Symbol */
  GArray *heap;    /* Pair; the first is the one to join next */
} Run;

static gboolean
comes_before (const Pair *a, const Pair *b)
{
  return a->rank != b->rank ? a->rank < b->rank : a->symbol < b->symbol;
}

static void
push_pair (Run *run, const Pair *pair)
{
  Pair *heap;
  guint at = run->heap->len;

  g_array_append_val (run->heap, *pair);
  heap = (Pair *) (gpointer) run->heap->data;
  while (at > 0 && comes_before (pair, &heap[(at - 1) / 2]))
    {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
  heap[at] = *pair;
}

static Pair
pop_pair (Run *run)
{
  Pair *heap = (Pair *) (gpointer) run->heap->data;
  Pair top = heap[0], moved = heap[run->heap->len - 1];
  guint n = run->heap->len - 1, at = 0;

  g_array_set_size (run->heap, n);
  for (guint child = 1; child < n; child = 2 * at + 1)
    {
      if (child + 1 < n && comes_before (&heap[child + 1], &heap[child]))
        child++;
      if (!comes_before (&heap[child], &moved))
        break;
      heap[at] = heap[child];
      at = child;
    }
  if (n > 0)
    heap[at] = moved;
  return top;
}

/* Notes that the piece and the one behind it can be joined, if they can. */
static void
consider (Run *run, guint32 left)
{
  const Symbol *symbols = (const Symbol *) (gpointer) run->symbols->data;
  guint32 right = left != NO_SYMBOL ? symbols[left].next : NO_SYMBOL;
  const WwBpe *bpe = run->bpe;
  const Merge *merge;

  if (right == NO_SYMBOL)
    return;

  merge = &bpe->merges[find_slot (bpe->merges, bpe->n_slots, symbols[left].id, symbols[right].id)];
  if (merge->rank != 0)
    {
      const Pair pair = { merge->rank, left, merge->joined, symbols[right].end };

      push_pair (run, &pair);
    }
}

/* Whether nothing has happened to the two pieces since the pair was noted: a piece only ever grows or goes,
 * so its bounds tell. */
static gboolean
is_fresh (const Run *run, const Pair *pair)
{
  const Symbol *symbols = (const Symbol *) (gpointer) run->symbols->data;
  const Symbol *left = &symbols[pair->symbol];
  const Merge *merge;

  if (left->id == NO_ID || left->next == NO_SYMBOL || symbols[left->next].end != pair->end)
    return FALSE;

  merge = &run->bpe->merges[find_slot (run->bpe->merges, run->bpe->n_slots, left->id, symbols[left->next].id)];
  return merge->rank == pair->rank;
}

static void
join (Run *run, const Pair *pair)
{
  Symbol *symbols = (Symbol *) (gpointer) run->symbols->data;
  Symbol *left = &symbols[pair->symbol], *right = &symbols[left->next];

  left->id = pair->joined;
  left->end = right->end;
  left->next = right->next;
  right->id = NO_ID;
  if (left->next != NO_SYMBOL)
    symbols[left->next].previous = pair->symbol;
  consider (run, left->previous);
  consider (run, pair->symbol);
}

static void
add_byte (Run *run, guint8 byte, guint32 start, guint32 end)
{
  guint32 index = run->symbols->len;
  guint32 id = run->bpe->byte_ids[byte];
  const Symbol symbol = { id != NO_ID ? id : run->bpe->unknown, index > 0 ? index - 1 : NO_SYMBOL, NO_SYMBOL,
                          start, end };

  if (index > 0)
    g_array_index (run->symbols, Symbol, index - 1).next = index;
  g_array_append_val (run->symbols, symbol);
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
add_piece (Run *run, gsize at, const Symbol *symbol)
{
  gsize start = at + symbol->start, end = at + symbol->end, first = start;

  while (first < end && g_ascii_isspace (run->text[first]))
    first++;
  add_token (run, symbol->id, first < end ? first : start, end);
}

/* One part of the cut text, `length` bytes at `at`; `behind_space`: with a space in front that the source
 * does not have. */
static void
take_part (Run *run, gsize at, gsize length, gboolean behind_space)
{
  const Symbol *symbols;

  g_array_set_size (run->symbols, 0);
  g_array_set_size (run->heap, 0);
  if (behind_space)
    add_byte (run, ' ', 0, 0);
  for (gsize i = 0; i < length; i++)
    add_byte (run, (guint8) run->text[at + i], (guint32) i, (guint32) i + 1);

  for (guint i = 0; i + 1 < run->symbols->len; i++)
    consider (run, i);
  while (run->heap->len > 0)
    {
      Pair pair = pop_pair (run);

      if (is_fresh (run, &pair))
        join (run, &pair);
    }

  symbols = (const Symbol *) (gpointer) run->symbols->data;
  for (guint32 i = 0; i != NO_SYMBOL; i = symbols[i].next)
    add_piece (run, at, &symbols[i]);
}

/* The last place up to `at` where a character begins. */
static gsize
find_character (const char *text, gsize at)
{
  while (at > 0 && ((guint8) text[at] & 0xc0) == 0x80)
    at--;
  return at;
}

/* A stretch of the text between two added tokens. */
static void
take_stretch (Run *run, gsize at, gsize end)
{
  gboolean behind_space = run->bpe->prefix_space && at < end && run->text[at] != ' ';

  while (at < end)
    {
      gsize length = ww_bpe_split (run->text + at, end - at, behind_space);

      /* Megabytes without a space are no language; their memory stays bounded. */
      if (length > MAX_PART_BYTES)
        length = find_character (run->text + at, MAX_PART_BYTES);
      take_part (run, at, length, behind_space);
      at += length;
      behind_space = FALSE;
    }
}

static gsize
strip_end (const char *text, gsize from, gsize end)
{
  while (end > from)
    {
      const char *before = g_utf8_prev_char (text + end);

      if (!g_unichar_isspace (g_utf8_get_char (before)))
        break;
      end = (gsize) (before - text);
    }

  return end;
}

static void
take_text (Run *run)
{
  gsize from = 0, at = 0;

  while (run->text[at] != '\0')
    {
      gsize length;
      guint32 id;
      guint strip_left;

      if (!run->bpe->added->begins[(guint8) run->text[at]]
          || !ww_whole_words_find (run->bpe->added, run->text + at, G_MAXSIZE, &length, &id, &strip_left))
        {
          at++;
          continue;
        }
      take_stretch (run, from, strip_left ? strip_end (run->text, from, at) : at);
      add_token (run, id, at, at + length);
      at += length;
      from = at;
    }
  take_stretch (run, from, at);
}

WwTokens *
ww_bpe_tokenise (const WwBpe *bpe, const char *text, gboolean special)
{
  Run run = { bpe, text, ww_tokens_array_new (), g_array_new (FALSE, FALSE, sizeof (Symbol)),
              g_array_new (FALSE, FALSE, sizeof (Pair)) };

  if (special && bpe->first != NO_ID)
    add_token (&run, bpe->first, 0, 0);
  take_text (&run);
  if (special && bpe->last != NO_ID)
    add_token (&run, bpe->last, 0, 0);

  g_array_unref (run.symbols);
  g_array_unref (run.heap);
  ww_tokens_array_mark_continuations (run.tokens);
  return ww_tokens_new_take (run.tokens);
}
