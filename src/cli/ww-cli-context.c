#include "ww-cli-context.h"

#include <string.h>

#include "ww-cli-options.h"
#include "ww-cli-progress.h"
#include "ww-cli-text.h"
#include "ww-cli.h"
#include "ww-json.h"
#include "ww-npy.h"
#include "ww-set-open.h"

#define MAX_LAYER 1000

void
ww_cli_context_options_clear (WwCliContextOptions *options)
{
  g_clear_pointer (&options->context, g_free);
  g_clear_pointer (&options->set, g_free);
  g_clear_pointer (&options->member, g_free);
  g_clear_pointer (&options->words, g_free);
  g_clear_pointer (&options->column, g_free);
  g_clear_pointer (&options->read_as, g_free);
  g_clear_pointer (&options->unknown, g_free);
  g_clear_pointer (&options->text, g_free);
  g_clear_pointer (&options->text_file, g_free);
  g_clear_pointer (&options->ids, g_free);
  g_clear_pointer (&options->normalise, g_free);
  g_clear_pointer (&options->dims, g_free);
  g_clear_pointer (&options->layer, g_free);
}

void
ww_cli_context_clear (WwCliContext *context)
{
  g_clear_object (&context->set);
  g_clear_pointer (&context->tokens, ww_tokens_unref);
  g_clear_pointer (&context->raw, ww_matrix_unref);
  g_clear_pointer (&context->x, ww_matrix_unref);
  g_clear_pointer (&context->text, g_free);
}

GOptionEntry *
ww_cli_context_options_get_entries (WwCliContextOptions *options, WwCliContextFlags flags)
{
  /* Texts and names are taken as bytes: in the C locale GLib would refuse an umlaut in a string. */
  const struct
  {
    WwCliContextFlags flag;
    GOptionEntry entry;
  } all[] = {
    { WW_CLI_CONTEXT_ROWS,
      { "context", 0, 0, G_OPTION_ARG_FILENAME, &options->context,
        "Rows of the context, taken exactly as they are", "X.npy" } },
    { WW_CLI_CONTEXT_TEXT,
      { "set", 0, 0, G_OPTION_ARG_FILENAME, &options->set,
        "Embedding set: a path, a built-in sample, or 'list' to print those (default: the sample)", "SET" } },
    { WW_CLI_CONTEXT_TEXT,
      { "member", 0, 0, G_OPTION_ARG_FILENAME, &options->member,
        "Which array, tensor or file inside the set, or which text of several (3, or X:3)", "NAME" } },
    { WW_CLI_CONTEXT_TEXT,
      { "words", 0, 0, G_OPTION_ARG_FILENAME, &options->words,
        "File with the words of the set's rows, or 'none' (default: looked for inside and beside)", "FILE" } },
    { WW_CLI_CONTEXT_TEXT,
      { "column", 0, 0, G_OPTION_ARG_FILENAME, &options->column,
        "Column of that list with the words, by its title or number from 1 (default: guessed)", "NAME" } },
    { WW_CLI_CONTEXT_TEXT,
      { "read-as", 0, 0, G_OPTION_ARG_FILENAME, &options->read_as,
        "What the lines of a table in text hold: glove, word2vec or tensors (default: guessed)", "LINES" } },
    { WW_CLI_CONTEXT_TEXT,
      { "unknown", 0, 0, G_OPTION_ARG_FILENAME, &options->unknown,
        "Words the set lacks: vector (its own for them, if any), skip, random[:SEED] (default: vector)", "POLICY" } },
    { WW_CLI_CONTEXT_TEXT,
      { "text", 0, 0, G_OPTION_ARG_FILENAME, &options->text, "Text whose tokens are the rows", "TEXT" } },
    { WW_CLI_CONTEXT_TEXT,
      { "text-file", 0, 0, G_OPTION_ARG_FILENAME, &options->text_file,
        "File with that text, - for standard input", "FILE" } },
    { WW_CLI_CONTEXT_TEXT,
      { "ids", 0, 0, G_OPTION_ARG_FILENAME, &options->ids, "Token ids in place of a text", "101,1045,..." } },
    { WW_CLI_CONTEXT_TEXT,
      { "no-special", 0, 0, G_OPTION_ARG_NONE, &options->no_special,
        "Leave out the special tokens that the tokeniser adds", NULL } },
    { WW_CLI_CONTEXT_ROWS,
      { "layer", 0, 0, G_OPTION_ARG_FILENAME, &options->layer,
        "word: word vectors; 0: what enters block 1; L: what leaves block L (default: 0 where the set has it)", "LAYER" } },
    { WW_CLI_CONTEXT_ROWS,
      { "normalise", 0, 0, G_OPTION_ARG_FILENAME, &options->normalise,
        "paper, none or centre (default: paper for sets, none for --context)", "HOW" } },
    { WW_CLI_CONTEXT_DIMS,
      { "dims", 0, 0, G_OPTION_ARG_FILENAME, &options->dims,
        "Keep the first D dimensions, before normalising", "D" } },
  };
  GOptionEntry *entries = g_new0 (GOptionEntry, G_N_ELEMENTS (all) + 1);
  gsize n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    if ((flags & all[i].flag) != 0)
      entries[n++] = all[i].entry;

  return entries;
}

static void
print_names_as_json (const char *const *names)
{
  g_autoptr (WwJson) json = ww_json_new ();
  g_autofree char *line = NULL;

  ww_json_begin_object (json, NULL);
  ww_json_begin_array (json, "sets");
  for (gsize i = 0; names[i] != NULL; i++)
    ww_json_add_string (json, NULL, names[i]);
  ww_json_end_array (json);
  ww_json_end_object (json);

  line = ww_json_to_line (json);
  ww_cli_print ("%s", line);
}

gboolean
ww_cli_context_options_answer_list (const WwCliContextOptions *options, gboolean json, GError **error)
{
  const char *const *names = ww_set_get_builtin_names ();

  if (g_strcmp0 (options->set, "list") != 0)
    return TRUE;

  if (json)
    print_names_as_json (names);
  for (gsize i = 0; !json && names[i] != NULL; i++)
    ww_cli_print ("%s\n", names[i]);
  g_set_error_literal (error, WW_CLI_ERROR, WW_CLI_ERROR_ANSWERED, "The question is answered");
  return FALSE;
}

/* A context that is ready has nothing to do with sets and texts, and there is one text at most. */
static gboolean
check_contradictions (const WwCliContextOptions *options, GError **error)
{
  const struct
  {
    const char *name;
    gboolean given;
  } of_sets[] = {
    { "--set", options->set != NULL },   { "--text", options->text != NULL },
    { "--member", options->member != NULL },
    { "--words", options->words != NULL },
    { "--column", options->column != NULL },
    { "--read-as", options->read_as != NULL },
    { "--unknown", options->unknown != NULL },
    { "--text-file", options->text_file != NULL },
    { "--ids", options->ids != NULL },   { "--no-special", options->no_special },
    { "--layer", options->layer != NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (of_sets); i++)
    if (!ww_cli_exclude ("--context", options->context != NULL, of_sets[i].name, of_sets[i].given, error))
      return FALSE;

  return ww_cli_exclude ("--text", options->text != NULL, "--text-file", options->text_file != NULL, error)
         && ww_cli_exclude ("--text", options->text != NULL, "--ids", options->ids != NULL, error)
         && ww_cli_exclude ("--text-file", options->text_file != NULL, "--ids", options->ids != NULL, error)
         && ww_cli_exclude ("--ids", options->ids != NULL, "--no-special", options->no_special, error)
         && ww_cli_exclude ("--ids", options->ids != NULL, "--unknown", options->unknown != NULL, error);
}

static gboolean
has_text (const WwCliContextOptions *options)
{
  return options->text != NULL || options->text_file != NULL || options->ids != NULL;
}

static gboolean
parse_layer (const char *text, int *ret_layer, GError **error)
{
  guint layer = 0;

  if (text == NULL)
    return TRUE;
  if (g_str_equal (text, "word"))
    {
      *ret_layer = WW_LAYER_WORD;
      return TRUE;
    }
  if (!ww_cli_parse_count ("--layer", text, 0, MAX_LAYER, &layer, NULL))
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--layer takes “word” or the number of a layer; found “%s”",
                   text);
      return FALSE;
    }

  *ret_layer = (int) layer;
  return TRUE;
}

/* "random:7" is random with seed 7. */
static gboolean
parse_unknown (const char *text, WwOpenOptions *ret_options, GError **error)
{
  static const char random[] = "random:";

  ret_options->seed = 1;
  if (text == NULL || ww_unknown_from_id (text, &ret_options->unknown))
    return TRUE;
  if (g_str_has_prefix (text, random) && ww_cli_parse_seed (text + strlen (random), &ret_options->seed, NULL))
    {
      ret_options->unknown = WW_UNKNOWN_RANDOM;
      return TRUE;
    }

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
               "--unknown takes vector, skip, random or random:SEED, SEED a whole number from 0 on; found “%s”", text);
  return FALSE;
}

static gboolean
parse_read_as (const char *text, WwReading *ret_reading, GError **error)
{
  if (text == NULL || ww_reading_from_id (text, ret_reading))
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--read-as takes glove, word2vec or tensors; found “%s”", text);
  return FALSE;
}

static void
show_loading (double fraction, gpointer user_data)
{
  ww_cli_progress_update_part (user_data, "Loading", fraction);
}

static void
show_hashing (double fraction, gpointer user_data)
{
  ww_cli_progress_update_part (user_data, "Computing the SHA-256", fraction);
}

/* With progress on a terminal; Ctrl-C ends it, if not at once, then when it is done. */
static WwSet *
open_set (const char *name, const WwOpenOptions *options, GError **error)
{
  g_autoptr (WwSet) set = NULL;
  WwCliProgress progress;

  ww_cli_progress_init (&progress, FALSE);
  set = ww_set_open_argument_full (name, options, ww_cli_get_cancellable (), show_loading, &progress, error);
  ww_cli_progress_end (&progress);
  if (set == NULL || ww_cli_is_cancelled (error))
    return NULL;

  return g_steal_pointer (&set);
}

const char *
ww_cli_set_get_sha256 (WwSet *set, GError **error)
{
  const char *sha256;
  WwCliProgress progress;

  ww_cli_progress_init (&progress, FALSE);
  sha256 = ww_set_get_sha256_full (set, ww_cli_get_cancellable (), show_hashing, &progress, error);
  ww_cli_progress_end (&progress);
  return sha256;
}

WwSet *
ww_cli_context_options_open_set (const WwCliContextOptions *options, GError **error)
{
  WwOpenOptions open = { options->member };
  g_autoptr (GFile) words = NULL;
  WwSet *set;

  if (!parse_unknown (options->unknown, &open, error) || !parse_read_as (options->read_as, &open.reading, error))
    return NULL;

  open.without_words = g_strcmp0 (options->words, "none") == 0;
  if (options->words != NULL && !open.without_words)
    words = g_file_new_for_commandline_arg (options->words);
  open.words = words;
  open.column = options->column;
  open.tokens_only = options->any_text;
  open.all_parts = options->all_parts;
  open.ids_only = options->ids != NULL;
  set = open_set (options->set, &open, error);
  if (set == NULL || options->unknown == NULL || ww_set_get_kind (set) != WW_SET_KIND_CONTEXT)
    return set;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
               "“%s” is a ready context without words, so --unknown has no effect", ww_set_get_name (set));
  g_object_unref (set);
  return NULL;
}

gboolean
ww_cli_context_options_check (const WwCliContextOptions *options, gboolean default_text, GError **error)
{
  g_autoptr (GArray) ids = NULL;
  WwNormalisation normalisation = WW_NORMALISATION_PAPER;
  WwOpenOptions open = { NULL };
  gsize dims = 0;
  int layer = 0;

  if (!check_contradictions (options, error))
    return FALSE;
  if (options->context == NULL && options->set == NULL && !has_text (options) && !default_text)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
                   "There is no context: give --text, --text-file, --ids or --context");
      return FALSE;
    }

  return ww_cli_parse_ids (options->ids, &ids, error)
         && parse_unknown (options->unknown, &open, error)
         && parse_read_as (options->read_as, &open.reading, error)
         && ww_cli_parse_normalisation (options->normalise, &normalisation, error)
         && ww_cli_parse_size ("--dims", options->dims, 1, WW_MAX_DIMS, &dims, error)
         && parse_layer (options->layer, &layer, error);
}

/* The text of the options, or NULL. */
static gboolean
get_text (const WwCliContextOptions *options, char **ret_text, GError **error)
{
  if (options->text_file != NULL)
    return ww_cli_text_read (options->text_file, ret_text, error);

  *ret_text = g_strdup (options->text);
  return TRUE;
}

/* The lines of a recipe are there to be copied. */
static void
show_warnings (WwSet *set)
{
  const char *warnings = ww_set_get_warnings (set);
  g_auto (GStrv) lines = warnings != NULL ? g_strsplit (warnings, "\n", -1) : NULL;

  for (gsize i = 0; lines != NULL && lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      ww_cli_message ("%s%s", g_str_has_prefix (lines[i], "  ") ? "" : "Note: ", lines[i]);
}

/* Whether the kind of set and the text given go together. Rows can be picked out of any set. */
static gboolean
check_kind (WwSet *set, gboolean is_text, gboolean has_ids, GError **error)
{
  gboolean is_context = ww_set_get_kind (set) == WW_SET_KIND_CONTEXT;

  if (is_context && is_text)
    g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
                 "“%s” is a ready context without words: it takes no text; --words FILE gives words to its rows, --ids"
                 " picks some of them, by their numbers from 0 on", ww_set_get_name (set));
  else if (!is_context && !is_text && !has_ids)
    g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
                 "“%s” needs a text: give --text, --text-file or --ids", ww_set_get_name (set));
  else
    return TRUE;

  return FALSE;
}

static WwTokens *
make_tokens (const WwCliContextOptions *options, WwSet *set, const char *text, GError **error)
{
  g_autoptr (GArray) ids = NULL;

  if (options->ids == NULL)
    return (options->any_text ? ww_set_tokenise_any : ww_set_tokenise) (set, text != NULL ? text : "",
                                                                        !options->no_special, error);
  if (!ww_cli_parse_ids (options->ids, &ids, error))
    return NULL;

  return ww_set_tokens_from_ids (set, (const guint32 *) ids->data, ids->len, error);
}

/* The tokens of the text with those that the model puts around it, whether they are wanted or not. */
static gsize
count_whole (const WwCliContextOptions *options, const WwCliContext *context)
{
  g_autoptr (WwTokens) whole = NULL;

  if (context->text == NULL)
    return 0;
  if (!options->no_special)
    return context->tokens->n;

  whole = ww_set_tokenise_any (context->set, context->text, TRUE, NULL);
  return whole != NULL ? whole->n : 0;
}

gboolean
ww_cli_context_load_tokens (const WwCliContextOptions *options, const char *default_text, WwCliContext *ret_context,
                            GError **error)
{
  g_auto (WwCliContext) context = { 0 };

  if (!get_text (options, &context.text, error))
    return FALSE;

  context.set = ww_cli_context_options_open_set (options, error);
  if (context.set == NULL)
    return FALSE;
  /* A ready context has rows of its own and takes no text, not even the default one. */
  if (context.text == NULL && options->ids == NULL && ww_set_get_kind (context.set) != WW_SET_KIND_CONTEXT)
    context.text = g_strdup (default_text);
  if (!check_kind (context.set, context.text != NULL, options->ids != NULL, error))
    return FALSE;
  show_warnings (context.set);

  context.tokens = make_tokens (options, context.set, context.text, error);
  if (context.tokens == NULL)
    return FALSE;
  context.n_whole = count_whole (options, &context);

  *ret_context = context;
  context = (WwCliContext) { 0 };
  return TRUE;
}

static char *
format_layer (int layer)
{
  return layer == WW_LAYER_WORD ? g_strdup ("word") : g_strdup_printf ("%d", layer);
}

/* The layer asked for, if the set has it. */
static gboolean
choose_layer (const WwCliContextOptions *options, WwSet *set, int *ret_layer, GError **error)
{
  g_autoptr (GArray) layers = ww_set_get_layers (set);
  g_autoptr (GString) offered = g_string_new (NULL);
  g_autofree char *asked = NULL;
  int layer = ww_set_get_default_layer (set);

  if (!parse_layer (options->layer, &layer, error))
    return FALSE;

  for (guint i = 0; i < layers->len; i++)
    {
      g_autofree char *one = format_layer (g_array_index (layers, int, i));

      if (g_array_index (layers, int, i) == layer)
        {
          *ret_layer = layer;
          return TRUE;
        }
      g_string_append_printf (offered, "%s%s", i == 0 ? "" : ", ", one);
    }

  asked = format_layer (layer);
  if (ww_set_get_lack (set) != NULL && layer > 0)
    g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "“%s” has no layer %s; it offers: %s. Why not more: %s",
                 ww_set_get_name (set), asked, offered->str, ww_set_get_lack (set));
  else
    g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "“%s” has no layer %s; it offers: %s", ww_set_get_name (set),
                 asked, offered->str);
  return FALSE;
}

static gboolean
check_n (gsize n, gsize n_rows, GError **error)
{
  if (n <= n_rows)
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
               "--n asks for the first %" G_GSIZE_FORMAT " rows; there are %" G_GSIZE_FORMAT, n, n_rows);
  return FALSE;
}

void
ww_cli_context_note_cut (const WwCliContext *context, int layer)
{
  g_autofree char *note = ww_set_dup_cut_note (context->set, context->n_whole, layer);

  if (note != NULL)
    ww_cli_message ("Note: %s", note);
}

void
ww_cli_context_cut (WwCliContext *context, int layer)
{
  g_autoptr (WwTokens) all = context->tokens;
  g_autoptr (WwTokens) with_rows = ww_tokens_with_rows (all);
  gsize max = ww_set_get_max_tokens (context->set, layer);

  if (with_rows->n > max)
    ww_cli_message ("Note: the text has %" G_GSIZE_FORMAT " tokens; the set has positions for %" G_GSIZE_FORMAT
                    ", the others are left out",
                    with_rows->n, max);
  ww_cli_context_note_cut (context, layer);
  context->tokens = ww_tokens_head (with_rows, MIN (with_rows->n, max));
}

/* The first `n` rows where that is not 0. */
static gboolean
choose_rows (WwCliContext *context, gsize n, GError **error)
{
  g_autoptr (WwTokens) all = NULL;

  ww_cli_context_cut (context, context->layer);
  if (!check_n (n, context->tokens->n, error))
    return FALSE;
  if (n == 0)
    return TRUE;

  all = context->tokens;
  context->tokens = ww_tokens_head (all, n);
  return TRUE;
}

/* A model that is given a text without its special tokens is asked something else than one whose special tokens are
 * only hidden. */
static void
note_no_special (const WwCliContextOptions *options, const WwCliContext *context)
{
  if (options->no_special && context->layer >= 1 && context->n_whole > context->tokens->n)
    ww_cli_message ("Note: the model reads the text without its special tokens, so that the states of layer %d are not"
                    " those of the whole text with some rows left out", context->layer);
}

static gboolean
load_set_rows (const WwCliContextOptions *options, const char *default_text, WwCliContext *context, GError **error)
{
  if (!ww_cli_context_load_tokens (options, default_text, context, error)
      || !choose_layer (options, context->set, &context->layer, error))
    return FALSE;
  note_no_special (options, context);
  if (!choose_rows (context, options->n, error))
    return FALSE;

  context->raw = ww_set_get_context_cancellable (context->set, context->tokens, context->layer, ww_cli_get_cancel (),
                                                 error);
  return context->raw != NULL;
}

/* Rows as a set would take them from the same file. */
static WwMatrix *
load_rows (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  gboolean one_axis = FALSE;
  WwMatrix *rows = ww_npy_load_context (file, &one_axis, error);

  if (rows != NULL && one_axis)
    ww_cli_message ("Note: The array has one axis only; it is taken as a context of one row");
  return rows;
}

gboolean
ww_cli_context_load_raw (const WwCliContextOptions *options, const char *default_text, WwCliContext *ret_context,
                         GError **error)
{
  g_auto (WwCliContext) context = { 0 };

  if (options->context != NULL)
    {
      context.raw = load_rows (options->context, error);
      if (context.raw == NULL || !check_n (options->n, context.raw->rows, error))
        return FALSE;
      if (options->n > 0)
        context.raw->rows = options->n;
    }
  else if (!load_set_rows (options, default_text, &context, error))
    return FALSE;

  context.normalisation = options->context != NULL ? WW_NORMALISATION_NONE : WW_NORMALISATION_PAPER;
  if (!ww_cli_parse_normalisation (options->normalise, &context.normalisation, error)
      || !ww_cli_parse_size ("--dims", options->dims, 1, WW_MAX_DIMS, &context.dims, error))
    return FALSE;

  *ret_context = context;
  context = (WwCliContext) { 0 };
  return TRUE;
}

gboolean
ww_cli_context_load (const WwCliContextOptions *options, WwCliContext *ret_context, GError **error)
{
  g_auto (WwCliContext) context = { 0 };

  if (!ww_cli_context_load_raw (options, NULL, &context, error))
    return FALSE;
  if (context.dims > context.raw->cols)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
                   "--dims asks for %" G_GSIZE_FORMAT " dimensions; the rows have %" G_GSIZE_FORMAT, context.dims,
                   context.raw->cols);
      return FALSE;
    }

  context.x = ww_context_prepare (context.raw, context.dims, context.normalisation, error);
  if (context.x == NULL)
    return FALSE;

  *ret_context = context;
  context = (WwCliContext) { 0 };
  return TRUE;
}

WwMatrix *
ww_cli_load_matrix (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return ww_npy_load (file, error);
}

static gboolean
describe_file (const char *path, WwProvenance *provenance, GError **error)
{
  provenance->source = g_filename_display_basename (path);
  provenance->source_sha256 = ww_cli_text_checksum (path, error);

  return provenance->source_sha256 != NULL;
}

/* What was chosen has been parsed before, so that it is right. */
static void
describe_set (const WwCliContext *context, const WwCliContextOptions *options, WwProvenance *provenance)
{
  WwOpenOptions open = { NULL };

  parse_unknown (options->unknown, &open, NULL);
  parse_read_as (options->read_as, &open.reading, NULL);
  ww_provenance_set_set (provenance, context->set, g_strcmp0 (options->words, "none") == 0, open.reading, open.unknown,
                         open.seed);
}

/* The same rows with their words in another order are another set. */
static gboolean
describe_list (WwSet *set, WwProvenance *provenance, GError **error)
{
  const char *sha256;

  if (provenance->words == NULL)
    return TRUE;

  sha256 = ww_set_get_list_sha256 (set, ww_cli_get_cancellable (), error);
  provenance->words_sha256 = g_strdup (sha256);
  return sha256 != NULL;
}

gboolean
ww_cli_context_describe (const WwCliContext *context, const WwCliContextOptions *options, WwProvenance *provenance,
                         GError **error)
{
  const char *sha256 = NULL;

  provenance->normalisation = context->normalisation;
  if (context->set == NULL)
    return describe_file (options->context, provenance, error);

  sha256 = ww_cli_set_get_sha256 (context->set, error);
  if (sha256 == NULL)
    return FALSE;

  describe_set (context, options, provenance);
  provenance->set_sha256 = g_strdup (sha256);
  if (!describe_list (context->set, provenance, error))
    return FALSE;
  provenance->text = g_strdup (context->text);
  provenance->source = options->ids != NULL ? g_strdup_printf ("ids %s", options->ids) : NULL;
  provenance->layer = context->layer;
  provenance->special = !options->no_special;
  return TRUE;
}

gboolean
ww_cli_context_describe_question (const WwCliContext *context, const WwCliContextOptions *options, WwMap map,
                                  gsize token, guint64 seed, WwProvenance *provenance, GError **error)
{
  provenance->maps[0] = map;
  provenance->n_maps = 1;
  provenance->lengths = g_memdup2 (&context->x->rows, sizeof (gsize));
  provenance->n_lengths = 1;
  provenance->dims = g_memdup2 (&context->x->cols, sizeof (gsize));
  provenance->n_dims = 1;
  provenance->token = token;
  provenance->seed = seed;

  return ww_cli_context_describe (context, options, provenance, error);
}

gboolean
ww_cli_context_check_token (const WwCliContext *context, gsize token, GError **error)
{
  if (token == WW_TOKEN_ALL || token < context->raw->rows)
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
               "--token asks for token %" G_GSIZE_FORMAT "; the context has %" G_GSIZE_FORMAT
               " token%s, counted from 0",
               token, context->raw->rows, context->raw->rows == 1 ? "" : "s");
  return FALSE;
}
