#include "ww-cli-context.h"
#include "ww-cli-options.h"
#include "ww-cli-output.h"
#include "ww-cli.h"

static gboolean
run (const WwCliCommand *command, int argc, char **argv, GError **error)
{
  g_auto (WwCliContextOptions) context_options = { 0 };
  g_auto (WwCliContext) context = { 0 };
  g_autofree char *output = NULL;
  g_autofree GOptionEntry *context_entries
    = ww_cli_context_options_get_entries (&context_options, WW_CLI_CONTEXT_FULL);
  const GOptionEntry entries[] = {
    { "output", 0, 0, G_OPTION_ARG_FILENAME, &output, "Where the n x d rows go; - for standard output",
      "X.npy" },
    { NULL },
  };
  const GOptionEntry *const tables[] = { context_entries, entries, NULL };

  if (!ww_cli_parse (command, tables, argc, argv, NULL, error)
      || !ww_cli_context_options_answer_list (&context_options, FALSE, error) || !ww_cli_require ("--output", output, error)
      || !ww_cli_context_options_check (&context_options, FALSE, error)
      || !ww_cli_check_output ("--output", output, error)
      || !ww_cli_context_load (&context_options, &context, error))
    return FALSE;

  return ww_cli_save (output, context.x, error);
}

const WwCliCommand ww_cli_context_command = {
  .name = "context",
  .summary = "Write the context itself, n x d",
  .help = "One row a token: cut to --dims, then normalised.\n"
          "\n"
          "Example:\n"
          "  wordsway-cli context --text \"I love her much\" --output X.npy",
  .run = run,
};
