/* One tensor of a file, with whatever words there are for its rows, as an embedding set. */
#pragma once

#include "ww-mask.h"
#include "ww-table.h"

G_BEGIN_DECLS

typedef struct
{
  GFile *file;
  WwSource *source;
  const char *format; /* "safetensors" */
  const char *tensor; /* its name */
  gboolean is_vocabulary; /* its name says that each row belongs to a piece of a vocabulary */
  const WwMask *mask;     /* which rows count; NULL: all. Not for a vocabulary, whose rows are no text */
} WwTensorPlace;

/* Names that embedding tables usually have, NULL-terminated, the surest first. */
extern const char *const ww_usual_tables[];

/* Takes the table, which becomes a ready context, a table with the words found beside the file, or, for a
 * vocabulary without words, a table whose words are the numbers of its rows. `vocab` (taken; may be NULL):
 * words from inside the file, as many as rows or fewer. */
WwSet *ww_tensor_set_new (const WwTensorPlace *place, WwTable *table, WwVocab *vocab,
                          const WwOpening *opening, GError **error);

G_END_DECLS
