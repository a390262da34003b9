/* How the lines of a text table are built, guessed from the first of them. */
#pragma once

#include "ww-set-open.h"
#include "ww-source.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean space, tab;   /* which bytes separate fields */
  gsize dims;            /* numbers at the end of each line */
  gboolean has_header;   /* "words dimensions" in line 1 */
  gsize declared_words;  /* by the header */
  gboolean wordless;     /* nothing but numbers: the words are in another file, or there are none */
  gboolean doubtful;     /* all fields are numbers, and so the first ones may also be meant the other way */
  gboolean unclear;      /* the same, and nothing tells which way: somebody has to say so */
  guint readings;        /* 1 << WwReading of each way in which it can be read */
} WwTextLayout;

/* What is known before the lines are looked at. */
typedef struct
{
  WwReading reading; /* that was asked for */
  gboolean has_list; /* words for vectors without words were given, or lie beside the file */
} WwTextHints;

/* `text` holds the first lines, without a byte-order mark; the last one is cut unless `complete`.
 * `source` names the file in errors: WW_SET_ERROR_UNKNOWN for what is no table of numbers, _REFUSED
 * for known kinds that come as text, _NUMBER for decimal commas, _SHAPE for a header that does not
 * fit. */
gboolean ww_text_layout_guess (WwSource *source, const char *text, gsize length, gboolean complete,
                               const WwTextHints *hints, WwTextLayout *ret_layout, GError **error);

static inline gboolean
ww_text_layout_separates (const WwTextLayout *layout, char c)
{
  return (c == ' ' && layout->space) || (c == '\t' && layout->tab);
}

/* The end of a field, or of a line, without separators that trail. */
const char *ww_text_layout_trim (const WwTextLayout *layout, const char *start, const char *end);
/* The end of a line without its line break and the spaces and tabs in front of it, whichever of them separates: a line
 * ends with a number, so they can be no part of anything. */
const char *ww_text_layout_trim_line (const char *start, const char *end);
/* Begin of the field that ends at `end`. */
const char *ww_text_layout_field_start (const WwTextLayout *layout, const char *start,
                                        const char *end);

G_END_DECLS
