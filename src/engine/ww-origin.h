/* Where a set came from: enough to open it again, or another context of the same file. */
#pragma once

#include "ww-set-open.h"

G_BEGIN_DECLS

typedef struct
{
  GFile *file;            /* NULL: a built-in sample */
  char *name;             /* of the sample; NULL: the default one */
  char *member;           /* as in WwOpenOptions; NULL: found by looking */
  GFile *words;           /* the list of the rows' words; NULL: found by looking */
  char *column;           /* of that list, as in WwOpenOptions; NULL: found by looking */
  gboolean without_words; /* the rows are a ready context, whatever lies beside */
  WwReading reading;
} WwOrigin;

/* With what of `options` says how the file is taken; NULL: all by looking. */
WwOrigin *ww_origin_new (GFile *file, const WwOpenOptions *options);
WwOrigin *ww_origin_new_builtin (const char *name);
WwOrigin *ww_origin_copy (const WwOrigin *origin);
void ww_origin_free (WwOrigin *origin); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwOrigin, ww_origin_free)

/* The options to open it with; they borrow from it. */
WwOpenOptions ww_origin_get_options (const WwOrigin *origin);
/* What people call it: the file's name; NULL for a sample. */
char *ww_origin_dup_name (const WwOrigin *origin);
/* The list of words, or NULL: found by looking, or none at all. Another list has other columns: which one is
 * forgotten. */
void ww_origin_set_words (WwOrigin *origin, GFile *words, gboolean none);
void ww_origin_set_column (WwOrigin *origin, guint column); /* from 1 */
/* A member names an array (or a file), a text in it, or both. `array` NULL: found by looking; `text` from 1,
 * 0: the only one. */
void ww_origin_set_member (WwOrigin *origin, const char *array, gsize text);
void ww_origin_split_member (const WwOrigin *origin, char **ret_array, gsize *ret_text);

/* A set keeps its origin, so that undo brings both back. Before the set is handed out. */
void ww_origin_attach (const WwOrigin *origin, WwSet *set);
const WwOrigin *ww_origin_of_set (WwSet *set); /* NULL: `set` is NULL, or has none */

G_END_DECLS
