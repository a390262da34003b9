/* Joining of neighbouring pieces, the pair with the least rank first and of equals the leftmost: what byte-pair
 * encoding does by a list of rules, and SentencePiece by the scores of its pieces. Takes n log n steps for n pieces.
 * Sennrich et al., ACL 2016; Kudo & Richardson, EMNLP 2018. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WW_JOIN_NOTHING G_MAXUINT32

/* A piece; pieces are a list in both directions. */
typedef struct
{
  guint32 id; /* the caller's */
  guint32 previous, next; /* WW_JOIN_NOTHING at the ends */
  guint32 start, end; /* bytes, the caller's; they must not be empty where pieces may be joined */
  gboolean gone; /* joined to the one before it */
} WwJoinPiece;

/* Whether two neighbours can be joined, with what rank, and into what. */
typedef gboolean (*WwJoinFunc) (const WwJoinPiece *left, const WwJoinPiece *right, gpointer user_data,
                                guint32 *ret_rank, guint32 *ret_id);

typedef struct
{
  WwJoinFunc func;
  gpointer user_data;
  GArray *pieces; /* WwJoinPiece */
  GArray *heap;
} WwJoin;

void ww_join_init (WwJoin *join, WwJoinFunc func, gpointer user_data);
void ww_join_clear (WwJoin *join);

/* Begins anew. */
void ww_join_reset (WwJoin *join);
/* At most WW_JOIN_NOTHING - 1 of them. */
void ww_join_add (WwJoin *join, guint32 id, guint32 start, guint32 end);
/* Joins until nothing can be joined; what is left begins with pieces[0] and follows `next`. */
void ww_join_run (WwJoin *join);

G_END_DECLS
