/* The header of a .npy file, for the readers of this folder. */
#pragma once

#include "ww-table.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

#define WW_NPY_MAX_AXES 8

typedef struct
{
  WwDtype dtype;
  gboolean big_endian;
  gboolean fortran;
  guint n_axes;
  gsize shape[WW_NPY_MAX_AXES];
  gsize n_values;      /* the product of the shape; 1 without axes */
  /* What only ww_npy_read_any_header gives back; `dtype` means nothing then, except for truth. */
  char text_kind;      /* 'U': code points of 4 bytes, 'S': bytes; 0: no text */
  gsize text_length;   /* characters of one value, the last ones NUL where it is shorter */
  gboolean truth;      /* truth values of one byte each, which can be read as WW_DTYPE_U8 */
  char descr[16];      /* the type as the file calls it */
  guint64 data_offset; /* bytes from the start of the file to the first value */
} WwNpyHeader;

/* Reads and checks the header against the size of the source; no value is read. */
gboolean ww_npy_read_header (WwSource *source, WwNpyHeader *ret_header, GError **error);
/* The same where text and truth values are welcome too, and where the source may hold only the
 * beginning of the `size` bytes of the array. */
gboolean ww_npy_read_any_header (WwSource *source, guint64 size, WwNpyHeader *ret_header,
                                 GError **error);
/* Refuses what is no array of numbers, with a recipe. */
gboolean ww_npy_check_numbers (WwSource *source, const WwNpyHeader *header, GError **error);
/* "12 x 8" */
char *ww_npy_header_dup_shape (const WwNpyHeader *header);
/* "float32", "text", "truth values" */
const char *ww_npy_header_get_type_name (const WwNpyHeader *header);

/* An array with two axes, all of it. */
WwMatrix *ww_npy_read_matrix (WwSource *source, GError **error);

/* `count` values of an array of text, from value `first` on, as a list of words. *ret_duplicates: words
 * that came again. WW_SET_ERROR_MALFORMED, _TOO_LARGE, _READ, _SHAPE for an array of no text. */
WwVocab *ww_npy_read_words (WwSource *source, const WwNpyHeader *header, gsize first, gsize count,
                            gboolean may_be_empty, gsize *ret_duplicates, GError **error);

G_END_DECLS
