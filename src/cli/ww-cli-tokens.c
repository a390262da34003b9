#include <string.h>

#include "ww-cli-context.h"
#include "ww-cli.h"
#include "ww-json.h"

/* A row of random numbers is none of the set's rows. */
static gboolean
has_id (const WwToken *token)
{
  return token->has_row && token->id != WW_TOKEN_RANDOM_ROW;
}

static void
print_json (const WwTokens *tokens)
{
  g_autoptr (WwJson) json = ww_json_new ();
  g_autofree char *line = NULL;

  ww_json_begin_object (json, NULL);
  ww_json_begin_array (json, "ids");
  for (gsize i = 0; i < tokens->n; i++)
    if (has_id (&tokens->tokens[i]))
      ww_json_add_integer (json, NULL, tokens->tokens[i].id);
    else
      ww_json_add_null (json, NULL);
  ww_json_end_array (json);
  ww_json_begin_array (json, "tokens");
  for (gsize i = 0; i < tokens->n; i++)
    ww_json_add_string (json, NULL, tokens->tokens[i].text);
  ww_json_end_array (json);
  ww_json_begin_array (json, "unknown");
  for (gsize i = 0; i < tokens->n; i++)
    if (tokens->tokens[i].unknown)
      ww_json_add_integer (json, NULL, i);
  ww_json_end_array (json);
  ww_json_end_object (json);

  line = ww_json_to_line (json);
  ww_cli_print ("%s", line);
}

static const char *
get_remark (const WwToken *token)
{
  if (!token->has_row)
    return "  unknown, no row";
  if (!has_id (token))
    return "  unknown, random row";
  if (token->unknown)
    return "  unknown";
  if (token->special)
    return "  special";

  return "";
}

/* Position from 0, id, token and what is to be said about it. */
static void
print_table (const WwTokens *tokens)
{
  for (gsize i = 0; i < tokens->n; i++)
    {
      const WwToken *token = &tokens->tokens[i];
      g_autofree char *id = has_id (token) ? g_strdup_printf ("%u", token->id) : g_strdup ("-");

      ww_cli_print ("%6" G_GSIZE_FORMAT "  %8s  %s%s\n", i, id, token->text, get_remark (token));
    }
}

static gboolean
run (const WwCliCommand *command, int argc, char **argv, GError **error)
{
  g_auto (WwCliContextOptions) context_options = { 0 };
  g_auto (WwCliContext) context = { 0 };
  gboolean json = FALSE;
  g_autofree GOptionEntry *context_entries
    = ww_cli_context_options_get_entries (&context_options, WW_CLI_CONTEXT_TEXT);
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object on one line", NULL },
    { NULL },
  };
  const GOptionEntry *const tables[] = { context_entries, entries, NULL };

  /* Which words are unknown is what is asked here, and all of them may be. */
  context_options.any_text = TRUE;
  if (!ww_cli_parse (command, tables, argc, argv, NULL, error)
      || !ww_cli_context_options_answer_list (&context_options, json, error)
      || !ww_cli_context_options_check (&context_options, FALSE, error)
      || !ww_cli_context_load_tokens (&context_options, NULL, &context, error))
    return FALSE;
  ww_cli_context_note_cut (&context, ww_set_get_default_layer (context.set));

  if (json)
    print_json (context.tokens);
  else
    print_table (context.tokens);
  return TRUE;
}

const WwCliCommand ww_cli_tokens_command = {
  .name = "tokens",
  .summary = "Show the tokens of a text and which are unknown",
  .help = "With the special tokens that the set's tokeniser adds around a text. Positions count\n"
          "from 0. The set may be a vocabulary without weights: a folder with tokenizer.json, vocab.txt, or\n"
          "vocab.json and merges.txt, or one of these files.\n"
          "\n"
          "Example:\n"
          "  wordsway-cli tokens --text \"I love her much\" --json",
  .run = run,
};
