/* Text as it is measured and shown. One small typesetting rule: where `typeset` is set, "^" and the
 * number after it ("n^-0.50", "10^{a+b}") become a superscript. Sizes are in points at 1 user unit =
 * 1 pt; hinting is off, so a text takes the same room on every surface. */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

/* Superscripts: how large, and how far up, as parts of the text's size. */
#define WW_TEXT_RAISED_SIZE 0.7
#define WW_TEXT_RAISED_BY 0.38

typedef struct
{
  const char *family;
  double size;
  gboolean bold;
} WwFont;

typedef struct
{
  double width;
  double ascent, descent; /* of the font, above and below the baseline */
} WwTextExtents;

typedef struct
{
  char *text;
  gboolean raised;
} WwTextRun;

/* The pieces of `text`: array of WwTextRun, at least one. */
GArray *ww_text_split (const char *text, gboolean typeset);
void ww_text_measure (const WwFont *font, const char *text, gboolean typeset,
                      WwTextExtents *ret_extents);
/* Height of a digit, for centring a label on a line. */
double ww_text_digit_height (const WwFont *font);
/* The baseline of the text starts at the current origin. */
void ww_text_show (cairo_t *cr, const WwFont *font, const char *text, gboolean typeset);
/* A copy of `text` that is at most `width` wide, its end replaced by an ellipsis where needed; empty
 * if not even that fits. */
char *ww_text_fit (const WwFont *font, const char *text, gboolean typeset, double width);
/* The lines of `text` broken at spaces to `width`, each fitted: GPtrArray of char *. */
GPtrArray *ww_text_wrap (const WwFont *font, const char *text, gboolean typeset, double width,
                         guint max_lines);
/* The family that `family` stands for on this machine ("Sans" may be "DejaVu Sans"). */
char *ww_text_resolve_family (const char *family);

G_END_DECLS
