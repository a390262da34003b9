/* Whether lines of nothing but numbers begin with a word that is a number, or are vectors without words. */
#pragma once

#include "ww-set-open.h"
#include "ww-text-layout.h"

G_BEGIN_DECLS

/* What the lines have in common. Blank lines, and a last line that may be cut, do not count. */
typedef struct
{
  gsize n_lines;
  gboolean all_numbers;    /* every field of every line; the rest holds only where this does */
  gboolean first_is_label; /* the first fields are digits alone, and no two are the same: they may be words */
  gboolean has_fractions;  /* a field behind the first has a dot or an exponent */
} WwTextFacts;

/* `layout` says what separates fields, and whether line 1 is a header. A table with words in letters is done
 * with at its first line. */
WwTextFacts ww_text_facts_find (const WwTextLayout *layout, const char *text, gsize length, gboolean complete);

typedef enum
{
  WW_TEXT_WORDS,         /* the first field of each line is its word */
  WW_TEXT_MAYBE_WORDS,   /* the same, but it may be meant otherwise */
  WW_TEXT_TENSORS,       /* there are no words */
  WW_TEXT_MAYBE_TENSORS, /* the same, but it may be meant otherwise */
  WW_TEXT_UNCLEAR,       /* as likely the one as the other */
} WwTextGuess;

/* `has_list`: words for vectors without words were given, or lie beside the file. */
WwTextGuess ww_text_facts_guess (const WwTextFacts *facts, const WwTextLayout *layout, gboolean has_list);

G_END_DECLS
