/* Where the rows of a context come from: the options --context, --set, --member, --words, --column, --read-as, --unknown,
 * --text, --text-file, --ids, --normalise, --dims, --no-special and --layer, the same for every subcommand. */
#pragma once

#include "ww-provenance.h"
#include "ww-set.h"

G_BEGIN_DECLS

/* What was typed, NULL where it was not; strings are owned. */
typedef struct
{
  char *context, *set, *member, *words, *column, *read_as, *unknown, *text, *text_file, *ids, *normalise, *dims,
    *layer;
  gboolean no_special;
  /* Tokens are wanted, not rows: a text with nothing known in it will do, and a vocabulary without weights. For a
   * subcommand to set before it loads. */
  gboolean any_text;
  gboolean all_parts; /* with any_text: weights may not be damaged, and a vocabulary may be missing */
  gsize n; /* only the first rows; 0: all. For a subcommand to set before it loads */
} WwCliContextOptions;

void ww_cli_context_options_clear (WwCliContextOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwCliContextOptions, ww_cli_context_options_clear)

/* Which of the options a subcommand has. */
typedef enum
{
  /* --set, --member, --words, --column, --read-as, --unknown, --text, --text-file, --ids, --no-special */
  WW_CLI_CONTEXT_TEXT = 1 << 0,
  WW_CLI_CONTEXT_ROWS = 1 << 1, /* --context, --normalise, --layer */
  WW_CLI_CONTEXT_DIMS = 1 << 2, /* --dims */
  WW_CLI_CONTEXT_FULL = WW_CLI_CONTEXT_TEXT | WW_CLI_CONTEXT_ROWS | WW_CLI_CONTEXT_DIMS,
} WwCliContextFlags;

/* Entries that fill `options`; free with g_free once they are parsed. */
GOptionEntry *ww_cli_context_options_get_entries (WwCliContextOptions *options, WwCliContextFlags flags);

/* --set list: prints the names of the built-in samples (with `json` {"sets": [...]}), which is WW_CLI_ERROR_ANSWERED. */
gboolean ww_cli_context_options_answer_list (const WwCliContextOptions *options, gboolean json,
                                             GError **error);

/* The set that the options name. WW_CLI_ERROR_USAGE, and the errors of ww_set_open_argument_full. */
WwSet *ww_cli_context_options_open_set (const WwCliContextOptions *options, GError **error);

/* Contradictions and values that cannot be, found before any file is read. `default_text`: there is
 * a text even where none is given. WW_CLI_ERROR_USAGE. */
gboolean ww_cli_context_options_check (const WwCliContextOptions *options, gboolean default_text, GError **error);

typedef struct
{
  WwSet *set;         /* NULL for --context */
  WwTokens *tokens;   /* NULL for --context */
  int layer;
  WwMatrix *raw;      /* n x d as stored */
  WwMatrix *x;        /* n x d, cut and normalised; NULL after ww_cli_context_load_raw */
  gsize dims;         /* --dims; 0: all */
  WwNormalisation normalisation;
  char *text;         /* NULL: none */
  gsize n_whole;      /* tokens of the text with its special ones; 0: there is no text */
} WwCliContext;

void ww_cli_context_clear (WwCliContext *context);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwCliContext, ww_cli_context_clear)

/* Opens the set (its remarks go to standard error) and turns the text or the ids into tokens, all of
 * them, with a row or without. `default_text` or NULL. Not for --context. */
gboolean ww_cli_context_load_tokens (const WwCliContextOptions *options, const char *default_text,
                                     WwCliContext *ret_context, GError **error);
/* A remark on standard error where files of the tokeniser tell other programs to cut the text. */
void ww_cli_context_note_cut (const WwCliContext *context, int layer);
/* Leaves the tokens that have a row, no more than `layer` has positions for, with a remark on standard error
 * where that leaves some out. */
void ww_cli_context_cut (WwCliContext *context, int layer);
/* The rows as they are stored, with the tokens they belong to. A text longer than the layer has positions for
 * is cut to its first tokens, with a remark on standard error. `default_text` or NULL. */
gboolean ww_cli_context_load_raw (const WwCliContextOptions *options, const char *default_text,
                                  WwCliContext *ret_context, GError **error);
/* The context itself: rows cut and normalised. */
gboolean ww_cli_context_load (const WwCliContextOptions *options, WwCliContext *ret_context, GError **error);

/* SHA-256 of the set, with progress on a terminal, as it reads all of the file. */
const char *ww_cli_set_get_sha256 (WwSet *set, GError **error);

/* The weights file of --weights, with its name in the error. */
WwMatrix *ww_cli_load_matrix (const char *path, GError **error);

/* Fills in where the rows came from: set or file with its SHA-256, text, layer, normalisation. */
gboolean ww_cli_context_describe (const WwCliContext *context, const WwCliContextOptions *options,
                                  WwProvenance *provenance, GError **error);

/* The same with what a question to one map asked of the rows. */
gboolean ww_cli_context_describe_question (const WwCliContext *context, const WwCliContextOptions *options, WwMap map,
                                           gsize token, guint64 seed, WwProvenance *provenance, GError **error);

/* Token positions end at n: WW_CLI_ERROR_USAGE that says so. */
gboolean ww_cli_context_check_token (const WwCliContext *context, gsize token, GError **error);

G_END_DECLS
