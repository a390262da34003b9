/* Which tokens of a text count: one value for each, 1 or 0. */
#pragma once

#include "ww-choice.h"
#include "ww-npy-private.h"

G_BEGIN_DECLS

typedef struct
{
  WwSource *source; /* referenced by the caller */
  WwDtype dtype;
  gboolean big_endian;
  guint64 offset; /* of the value of the first token */
  guint64 step;   /* bytes to the value of the next */
} WwMask;

/* What masks are called among the arrays of one file, NULL-terminated. */
extern const char *const ww_usual_masks[];

/* Leaves the rows of `table`, which is text `text` (from 0), that count, and notes it. *ret_keeps: a byte for each row
 * that there was, 0 where it is gone; free with g_free; `ret_keeps` may be NULL. WW_SET_ERROR_NUMBER for a value that
 * is neither 0 nor 1, _EMPTY where no row is left, _READ, _TOO_LARGE. */
gboolean ww_mask_apply (const WwMask *mask, gsize text, WwTable *table, const WwOpening *opening, guint8 **ret_keeps,
                        GError **error);

/* The file with the mask of `array` (a .npy file of `texts` x `rows` x dimensions) beside it: STEM.mask.npy and the
 * like, or mask.npy and attention_mask.npy, which must have as many values to be taken. *ret_source stays NULL where
 * there is none; else *ret_mask is that of text `text`. WW_SET_ERROR_SHAPE for a mask by the file's own name that does
 * not fit, and the errors of a .npy file. */
gboolean ww_mask_find (GFile *array, gsize texts, gsize rows, gsize text, WwSource **ret_source, WwMask *ret_mask,
                       GError **error);
/* Whether a file is a mask by its name. */
gboolean ww_mask_is_name (const char *name);

G_END_DECLS
