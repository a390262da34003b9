#include <string.h>

#include "ww-cli-context.h"
#include "ww-cli-options.h"
#include "ww-cli.h"
#include "ww-json.h"

static const char *
get_kind_name (WwSetKind kind)
{
  switch (kind)
    {
    case WW_SET_KIND_CHECKPOINT:
      return "checkpoint";
    case WW_SET_KIND_WORDS:
      return "words";
    case WW_SET_KIND_CONTEXT:
    default:
      return "context";
    }
}

static void
add_layers (WwJson *json, WwSet *set)
{
  g_autoptr (GArray) layers = ww_set_get_layers (set);

  ww_json_begin_array (json, "layers");
  for (guint i = 0; i < layers->len; i++)
    {
      int layer = g_array_index (layers, int, i);
      g_autofree char *name = layer == WW_LAYER_WORD ? g_strdup ("word") : g_strdup_printf ("%d", layer);

      ww_json_add_string (json, NULL, name);
    }
  ww_json_end_array (json);
}

static void
print_json (WwSet *set, const char *sha256, const char *list_sha256)
{
  g_autoptr (WwJson) json = ww_json_new ();
  g_auto (GStrv) facts = ww_set_describe (set);
  g_autofree char *line = NULL;

  ww_json_begin_object (json, NULL);
  ww_json_add_string (json, "name", ww_set_get_name (set));
  ww_json_add_string (json, "kind", get_kind_name (ww_set_get_kind (set)));
  ww_json_add_string (json, "format", ww_set_get_format (set));
  ww_json_add_integer (json, "entries", ww_set_get_n_entries (set));
  ww_json_add_integer (json, "dims", ww_set_get_dims (set));
  add_layers (json, set);
  ww_json_add_integer (json, "attention_layers", ww_set_get_attention_layers (set));
  ww_json_add_integer (json, "attention_heads", ww_set_get_attention_heads (set));
  ww_json_add_string (json, "sha256", sha256);
  if (ww_set_get_config_sha256 (set) != NULL)
    ww_json_add_string (json, "config_sha256", ww_set_get_config_sha256 (set));
  if (list_sha256 != NULL)
    ww_json_add_string (json, "words_sha256", list_sha256);
  ww_json_add_string (json, "warnings", ww_set_get_warnings (set));
  ww_json_begin_object (json, "details");
  for (gsize i = 0; facts[i] != NULL && facts[i + 1] != NULL; i += 2)
    ww_json_add_string (json, facts[i], facts[i + 1]);
  ww_json_end_object (json);
  ww_json_end_object (json);

  line = ww_json_to_line (json);
  ww_cli_print ("%s", line);
}

/* A value of several lines, as of several warnings, goes on in its own column. */
static void
print_row (const char *name, const char *value)
{
  g_auto (GStrv) lines = g_strsplit (value, "\n", -1);

  ww_cli_print ("%-20s%s\n", name, *value != '\0' ? lines[0] : "");
  for (gsize i = 1; *value != '\0' && lines[i] != NULL; i++)
    ww_cli_print ("%-20s%s\n", "", lines[i]);
}

static void
print_table (WwSet *set, const char *sha256, const char *list_sha256)
{
  g_auto (GStrv) facts = ww_set_describe (set);

  for (gsize i = 0; facts[i] != NULL && facts[i + 1] != NULL; i += 2)
    print_row (facts[i], facts[i + 1]);
  print_row ("SHA-256", sha256);
  if (ww_set_get_config_sha256 (set) != NULL)
    print_row ("SHA-256 of config", ww_set_get_config_sha256 (set));
  if (list_sha256 != NULL)
    print_row ("SHA-256 of words", list_sha256);
}

static gboolean
run (const WwCliCommand *command, int argc, char **argv, GError **error)
{
  g_auto (WwCliContextOptions) options = { 0 };
  g_autoptr (WwSet) set = NULL;
  g_autofree char *argument = NULL;
  const char *sha256 = NULL, *list_sha256 = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "set", 0, 0, G_OPTION_ARG_FILENAME, &options.set,
      "The same as the argument; 'list' prints the built-in samples", "SET" },
    { "member", 0, 0, G_OPTION_ARG_FILENAME, &options.member,
      "Which array, tensor or file inside the set, or which text of several (3, or X:3)", "NAME" },
    { "words", 0, 0, G_OPTION_ARG_FILENAME, &options.words,
      "File with the words of the set's rows, or 'none' (default: looked for inside and beside)", "FILE" },
    { "column", 0, 0, G_OPTION_ARG_FILENAME, &options.column,
      "Column of that list with the words, by its title or number from 1 (default: guessed)", "NAME" },
    { "read-as", 0, 0, G_OPTION_ARG_FILENAME, &options.read_as,
      "What the lines of a table in text hold: glove, word2vec or tensors (default: guessed)", "LINES" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object on one line", NULL },
    { NULL },
  };
  const GOptionEntry *const tables[] = { entries, NULL };

  if (!ww_cli_parse (command, tables, argc, argv, &argument, error)
      || !ww_cli_exclude ("--set", options.set != NULL, "the argument", argument != NULL, error))
    return FALSE;
  if (argument != NULL)
    options.set = g_steal_pointer (&argument);
  if (!ww_cli_context_options_answer_list (&options, json, error))
    return FALSE;

  options.any_text = TRUE;
  options.all_parts = TRUE;
  set = ww_cli_context_options_open_set (&options, error);
  sha256 = set != NULL ? ww_cli_set_get_sha256 (set, error) : NULL;
  if (sha256 == NULL)
    return FALSE;
  if (ww_set_get_list_name (set) != NULL && (list_sha256 = ww_set_get_list_sha256 (set, ww_cli_get_cancellable (), error)) == NULL)
    return FALSE;

  if (json)
    print_json (set, sha256, list_sha256);
  else
    print_table (set, sha256, list_sha256);
  return TRUE;
}

const WwCliCommand ww_cli_info_command = {
  .name = "info",
  .arguments = "[SET]",
  .summary = "Show what a set or checkpoint holds",
  .help = "SET is a path or the name of a built-in sample; without it, the default sample.\n"
          "\n"
          "Examples:\n"
          "  wordsway-cli info\n"
          "  wordsway-cli info --set list",
  .run = run,
};
