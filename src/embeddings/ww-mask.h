/* Which tokens of a text count: one value for each, 1 or 0. */
#pragma once

#include "ww-choice.h"
#include "ww-npy-private.h"
#include "ww-vocab.h"

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

/* Whether an array has a value for each token of each text, or for each row of all texts. */
gboolean ww_mask_fits (const WwNpyHeader *header, gsize texts, gsize rows);
/* The mask of text `text` in an array that fits, of which `source` is the file, from the magic on. */
WwMask ww_mask_place (const WwNpyHeader *header, gsize text, WwSource *source);

/* The words of the rows that are left, in place of those of all rows. *vocab NULL: there are none. */
void ww_mask_keep_words (WwVocab **vocab, const guint8 *keeps);

/* Where the mask of an array is, in a file of its own; set it to all zero before. */
typedef struct
{
  WwSource *source; /* NULL: there is none */
  WwMask mask;
  char *unfit;      /* the name of a file that is called mask.npy or so, but has not one value for each row; or NULL */
} WwFoundMask;
void ww_found_mask_clear (WwFoundMask *found);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwFoundMask, ww_found_mask_clear)

/* The file with the mask of `array` (a .npy file of `texts` x `rows` x dimensions; 1 x `rows` where it has two axes)
 * beside it: STEM.mask.npy and the like, or mask.npy and attention_mask.npy, which must have as many values to be taken.
 * What is found is the mask of text `text`. WW_SET_ERROR_SHAPE for a mask by the file's own name that does not fit, and
 * the errors of a .npy file. */
gboolean ww_mask_find (GFile *array, gsize texts, gsize rows, gsize text, WwFoundMask *ret_found, GError **error);
/* Whether a file is a mask by its name. */
gboolean ww_mask_is_name (const char *name);

G_END_DECLS
