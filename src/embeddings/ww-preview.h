/* What is in a file, before it is opened: format, shape, the first rows, what else it holds, and what
 * was guessed. Costs little whatever the size of the file. */
#pragma once

#include "ww-set-open.h"

G_BEGIN_DECLS

/* One array of a file with several: a tensor, a member of an archive, a text of several. */
typedef struct
{
  char *id;        /* for WwOpenOptions.member */
  char *shape;     /* "50257 x 768"; "" where it is not known */
  char *type;      /* "float16"; "" where it is not known */
  gboolean usable;
  char *remark;    /* why it is not usable, or what it is for; "" for nothing */
} WwCandidate;

#define WW_PREVIEW_ROWS 8
#define WW_PREVIEW_MAX_CANDIDATES 1000

typedef struct
{
  char *name;
  char *inside;     /* of a folder: which file or folder in it is shown; NULL: it is none, or none is shown */
  char *format;     /* "GloVe text, gzip"; NULL until a choice is made */
  char *guess;      /* sentences, one a line: what was recognised, by what, and what was chosen why */
  gboolean guessed; /* some of that may be meant otherwise; FALSE: the file leaves no doubt */
  gsize rows;       /* 0: not known without reading all */
  gsize dims;
  char *type;       /* of the values: "float32", "text"; NULL as above */
  char *words_from; /* "in the file", "beside it, in words.txt"; NULL: there are none */
  gboolean needs_choice; /* nothing tells which candidate, text or list is meant, or the list beside it does not fit:
                          * what is shown is only suggested, and has to be chosen before the file can be opened */
  GPtrArray *candidates; /* WwCandidate, the first WW_PREVIEW_MAX_CANDIDATES; empty: one array only */
  int chosen;       /* index of the candidate shown, or suggested where a choice is needed; -1: none */
  WwReading reading; /* of a file of text: the one shown; WW_READING_GUESSED: this is no such file */
  guint readings;   /* 1 << WwReading of all in which it can be read, for WwOpenOptions.reading */
  gsize n_texts;    /* contexts in the array that is shown; 1 where there is only one */
  gsize text;       /* which of them is shown, from 0 */
  gboolean takes_list; /* its words may come from a list in another file */
  char *list_name;  /* of the list whose words are shown, or suggested; NULL: there is none */
  GPtrArray *lists; /* names of such files beside it (char *) */
  int list;         /* index of that list among them; -1: it is none of them */
  GPtrArray *columns; /* titles of the columns of that list (char *), numbers from 1 where it has none; empty: it has
                       * one column, or there is no list */
  int column;       /* index of the one whose words are shown; WwOpenOptions.column takes its number, from 1 */
  GPtrArray *words; /* of the rows shown (char *); numbers where the rows have no words */
  WwMatrix *values; /* the first rows, at most WW_PREVIEW_ROWS; NULL: see `problem` */
  char *remarks;    /* what opening would say besides, one a line, as far as the rows shown tell; NULL: nothing */
  char *problem;    /* what opening would fail with, e.g. a NaN among the rows shown; NULL: none seen */
} WwPreview;

/* One of which nothing is known yet, for who opens with a reader that fills it. */
WwPreview *ww_preview_new (void);
void ww_preview_free (WwPreview *preview); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwPreview, ww_preview_free)

/* Errors as ww_set_open_full, except WW_SET_ERROR_AMBIGUOUS, which is a preview that needs a choice.
 * Blocks for some milliseconds: meant for a worker thread. */
WwPreview *ww_set_preview (GFile *file, const WwOpenOptions *options, GCancellable *cancellable,
                           GError **error);

G_END_DECLS
