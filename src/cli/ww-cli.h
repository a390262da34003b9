/* What every subcommand of wordsway-cli shares: how it is described, how its command line is taken
 * apart, how it speaks. Data goes to standard output or to the file named, everything else to
 * standard error. */
#pragma once

#include <gio/gio.h>

#include "ww-types.h"

G_BEGIN_DECLS

#define WW_CLI_ERROR (ww_cli_error_quark ())
GQuark ww_cli_error_quark (void);

typedef enum
{
  WW_CLI_ERROR_USAGE,    /* the command line is wrong: exit status 2 */
  WW_CLI_ERROR_FAILED,   /* the work cannot be done: exit status 1, as for errors of every other domain */
  WW_CLI_ERROR_ANSWERED, /* no failure: a question such as --help is answered and there is no work */
} WwCliError;

typedef struct _WwCliCommand WwCliCommand;
struct _WwCliCommand
{
  const char *name;
  const char *arguments; /* of the usage line, behind the options; NULL: none */
  const char *summary;   /* one line */
  const char *help;      /* what it does and examples that work on the built-in sample */
  /* argv[0] is the command's name. TRUE: the work is done. */
  gboolean (*run) (const WwCliCommand *command, int argc, char **argv, GError **error);
};

extern const WwCliCommand ww_cli_features_command;
extern const WwCliCommand ww_cli_attention_command;
extern const WwCliCommand ww_cli_ws_command;
extern const WwCliCommand ww_cli_nudge_command;
extern const WwCliCommand ww_cli_curve_command;
extern const WwCliCommand ww_cli_swap_command;
extern const WwCliCommand ww_cli_context_command;
extern const WwCliCommand ww_cli_tokens_command;
extern const WwCliCommand ww_cli_info_command;

/* Takes the options in `tables` (NULL-terminated, each ended by an empty entry) out of `argv`, and
 * --help and --version with them. `ret_argument`: the one argument beside the options, or NULL; NULL
 * where the command takes none. WW_CLI_ERROR_USAGE, WW_CLI_ERROR_ANSWERED. */
gboolean ww_cli_parse (const WwCliCommand *command, const GOptionEntry *const *tables, int argc, char **argv,
                       char **ret_argument, GError **error);

/* Appends to standard output, in UTF-8 whatever the locale. */
void ww_cli_print (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* One line on standard error. */
void ww_cli_message (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* WW_CLI_ERROR_FAILED where something printed did not arrive (a full disk). */
gboolean ww_cli_flush (GError **error);

/* Raised by Ctrl-C; a second Ctrl-C ends the program where it stands. */
WwCancel *ww_cli_get_cancel (void);
/* The same for what takes one of these; it lasts as long as the program. */
GCancellable *ww_cli_get_cancellable (void);
/* TRUE with WW_CLI_ERROR_FAILED once it was pressed. */
gboolean ww_cli_is_cancelled (GError **error);

G_END_DECLS
