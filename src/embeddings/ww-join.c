#include "ww-join.h"

/* A pair that may be joined; it is stale when either piece has changed since. */
typedef struct
{
  guint32 rank, piece; /* the left one */
  guint32 joined;
  guint32 middle, end; /* where the left and the right piece ended */
} Pair;

void
ww_join_init (WwJoin *join, WwJoinFunc func, gpointer user_data)
{
  join->func = func;
  join->user_data = user_data;
  join->pieces = g_array_new (FALSE, FALSE, sizeof (WwJoinPiece));
  join->heap = g_array_new (FALSE, FALSE, sizeof (Pair));
}

void
ww_join_clear (WwJoin *join)
{
  g_array_unref (join->pieces);
  g_array_unref (join->heap);
}

void
ww_join_reset (WwJoin *join)
{
  g_array_set_size (join->pieces, 0);
  g_array_set_size (join->heap, 0);
}

void
ww_join_add (WwJoin *join, guint32 id, guint32 start, guint32 end)
{
  guint32 index = join->pieces->len;
  const WwJoinPiece piece = { id, index > 0 ? index - 1 : WW_JOIN_NOTHING, WW_JOIN_NOTHING, start, end, FALSE };

  if (index > 0)
    g_array_index (join->pieces, WwJoinPiece, index - 1).next = index;
  g_array_append_val (join->pieces, piece);
}

static gboolean
comes_before (const Pair *a, const Pair *b)
{
  return a->rank != b->rank ? a->rank < b->rank : a->piece < b->piece;
}

static void
push_pair (WwJoin *join, const Pair *pair)
{
  Pair *heap;
  guint at = join->heap->len;

  g_array_append_val (join->heap, *pair);
  heap = (Pair *) (gpointer) join->heap->data;
  while (at > 0 && comes_before (pair, &heap[(at - 1) / 2]))
    {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
  heap[at] = *pair;
}

static Pair
pop_pair (WwJoin *join)
{
  Pair *heap = (Pair *) (gpointer) join->heap->data;
  Pair top = heap[0], moved = heap[join->heap->len - 1];
  guint n = join->heap->len - 1, at = 0;

  g_array_set_size (join->heap, n);
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
consider (WwJoin *join, guint32 left)
{
  const WwJoinPiece *pieces = (const WwJoinPiece *) (gpointer) join->pieces->data;
  guint32 right = left != WW_JOIN_NOTHING ? pieces[left].next : WW_JOIN_NOTHING;
  Pair pair = { .piece = left };

  if (right == WW_JOIN_NOTHING
      || !join->func (&pieces[left], &pieces[right], join->user_data, &pair.rank, &pair.joined))
    return;

  pair.middle = pieces[left].end;
  pair.end = pieces[right].end;
  push_pair (join, &pair);
}

/* Whether nothing has happened to the two pieces since the pair was noted: a piece only ever grows or goes,
 * so its bounds tell. */
static gboolean
is_fresh (const WwJoin *join, const Pair *pair)
{
  const WwJoinPiece *pieces = (const WwJoinPiece *) (gpointer) join->pieces->data;
  const WwJoinPiece *left = &pieces[pair->piece];

  return !left->gone && left->next != WW_JOIN_NOTHING && left->end == pair->middle
         && pieces[left->next].end == pair->end;
}

static void
join_pair (WwJoin *join, const Pair *pair)
{
  WwJoinPiece *pieces = (WwJoinPiece *) (gpointer) join->pieces->data;
  WwJoinPiece *left = &pieces[pair->piece], *right = &pieces[left->next];

  left->id = pair->joined;
  left->end = right->end;
  left->next = right->next;
  right->gone = TRUE;
  if (left->next != WW_JOIN_NOTHING)
    pieces[left->next].previous = pair->piece;
  consider (join, left->previous);
  consider (join, pair->piece);
}

void
ww_join_run (WwJoin *join)
{
  for (guint32 i = 0; i + 1 < join->pieces->len; i++)
    consider (join, i);
  while (join->heap->len > 0)
    {
      Pair pair = pop_pair (join);

      if (is_fresh (join, &pair))
        join_pair (join, &pair);
    }
}
