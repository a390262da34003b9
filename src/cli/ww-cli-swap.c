#include <string.h>

#include "ww-cli-context.h"
#include "ww-cli-options.h"
#include "ww-cli-progress.h"
#include "ww-cli-weights.h"
#include "ww-cli.h"
#include "ww-entries.h"
#include "ww-json.h"
#include "ww-number.h"

#define DEFAULT_TOP 20
#define MAX_TOP 1000000

/* The strongest swaps of one token. */
typedef struct
{
  gsize n;
  WwSwapEntry *entries;
} Ranking;

/* Everything that one run needs and gives. */
typedef struct
{
  WwCliWeights weights;
  gsize token, top;
  gsize first, count; /* tokens that are swapped */
  WwEntries *entries;
  guint32 *ids; /* of the tokens */
  WwRowScale *scale;
  Ranking *rankings;  /* count */
  gsize left_out;     /* words that have no place in the ranking of one of the tokens */
  WwCliProgress progress;
} Job;

static void
job_clear (Job *job)
{
  for (gsize i = 0; job->rankings != NULL && i < job->count; i++)
    g_free (job->rankings[i].entries);
  g_free (job->rankings);
  g_clear_pointer (&job->entries, ww_entries_unref);
  g_clear_pointer (&job->ids, g_free);
  g_clear_pointer (&job->scale, ww_row_scale_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static gsize
count_candidates (const WwEntries *entries)
{
  gsize n = 0;

  for (gsize id = 0; id < ww_entries_get_n (entries); id++)
    n += ww_entries_is_candidate (entries, (guint32) id);

  return n;
}

/* All words for the tokens of one WwSwap, whose rankings are kept. */
static gboolean
rank (Job *job, const WwCliContext *context, WwSwap *swap, GError **error)
{
  gsize first = ww_swap_get_first (swap), count = ww_swap_get_count (swap);
  gsize n_words = ww_entries_get_n (job->entries), n_candidates = count_candidates (job->entries);
  WwEntryRows rows = { job->entries, context->layer, job->ids, first };
  g_autoptr (WwSwapRun) run = ww_swap_run_new (swap, job->scale, n_words, ww_entries_read_rows, &rows, job->top, error);

  if (run == NULL)
    return FALSE;

  while (!ww_swap_run_is_done (run))
    {
      if (!ww_swap_run_step (run, ww_cli_get_cancel (), error))
        return FALSE;
      ww_cli_progress_update (&job->progress,
                              (gsize) (1000 * ((first - job->first) + count * ww_swap_run_get_fraction (run))),
                              1000 * job->count);
    }

  for (gsize i = 0; i < count; i++)
    {
      Ranking *ranking = &job->rankings[first - job->first + i];
      const WwSwapEntry *entries = ww_swap_run_get_entries (run, i, &ranking->n);

      ranking->entries = g_memdup2 (entries, ranking->n * sizeof *entries);
      job->left_out = MAX (job->left_out, n_candidates - ww_swap_run_get_n_ranked (run, i));
    }
  return TRUE;
}

/* The word vectors of the candidates are the same for every token, so many tokens are taken at once; at
 * layer 0 a row depends on the position that it would have. */
static gboolean
swap_attention (Job *job, const WwCliWeightsOptions *options, const WwCliContext *context, GError **error)
{
  g_autoptr (WwMatrix) w = ww_cli_weights_load_w (options, &job->weights, context->x, error);
  g_autoptr (WwAttention) attention = w != NULL ? ww_attention_new (job->weights.map, context->x, w, error) : NULL;
  gsize most = context->layer == WW_LAYER_WORD ? ww_swap_choose_count (context->x->rows) : 1;

  if (attention == NULL)
    return FALSE;

  for (gsize done = 0; done < job->count; done += most)
    {
      g_autoptr (WwSwap) swap = ww_swap_new_attention (attention, job->first + done, MIN (most, job->count - done),
                                                       ww_cli_get_cancel (), error);

      if (swap == NULL || !rank (job, context, swap, error))
        return FALSE;
    }
  return TRUE;
}

/* u = V vec (X), which all tokens share; NULL without an error where each makes its own. */
static gboolean
prepare_rf (const Job *job, const WwMatrix *x, gsize k, double **ret_u, GError **error)
{
  g_autofree double *u = NULL;

  if (job->token != WW_TOKEN_ALL)
    return TRUE;

  u = g_try_new (double, k);
  if (u == NULL)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "Not enough memory for %" G_GSIZE_FORMAT " features", k);
      return FALSE;
    }
  if (!ww_rf_preactivations (x, k, job->weights.seed, 0, ww_cli_get_cancel (), u, error))
    return FALSE;

  *ret_u = g_steal_pointer (&u);
  return TRUE;
}

/* The V of ws. */
static gboolean
swap_rf (Job *job, const WwCliWeightsOptions *options, const WwCliContext *context, GError **error)
{
  g_autoptr (WwMatrix) v = NULL;
  g_autofree double *u = NULL;
  gsize k = 0;

  if (options->weights != NULL)
    {
      v = ww_cli_load_matrix (options->weights, error);
      if (v == NULL)
        return FALSE;
    }
  else if (!ww_cli_weights_get_features (&job->weights, context->x, &k, error)
           || !prepare_rf (job, context->x, k, &u, error))
    return FALSE;

  for (gsize i = job->first; i < job->first + job->count; i++)
    {
      g_autoptr (WwRf) rf = ww_cli_weights_make_rf (&job->weights, context->x, i, k, v, u, error);
      g_autoptr (WwSwap) swap = rf != NULL ? ww_swap_new_rf (rf, error) : NULL;

      if (swap == NULL || !rank (job, context, swap, error))
        return FALSE;
    }
  return TRUE;
}

/* The network of ws; its layers behind the first are made once for all tokens. */
static gboolean
swap_drf (Job *job, const WwCliWeightsOptions *options, const WwCliContext *context, GError **error)
{
  g_autoptr (WwDrf) drf = ww_cli_weights_make_drf (options, &job->weights, context->x, job->token, error);

  if (drf == NULL)
    return FALSE;

  job->weights.depth = ww_drf_get_depth (drf);
  job->weights.width = ww_drf_get_width (drf);
  for (gsize i = job->first; i < job->first + job->count; i++)
    {
      g_autoptr (WwDrf) own = i == ww_drf_get_token (drf)
                                ? ww_drf_ref (drf)
                                : ww_drf_new_sibling (drf, context->x, i, ww_cli_get_cancel (), error);
      g_autoptr (WwSwap) swap = own != NULL ? ww_swap_new_drf (own, error) : NULL;

      if (swap == NULL || !rank (job, context, swap, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
swap_map (Job *job, const WwCliWeightsOptions *options, const WwCliContext *context, GError **error)
{
  switch (job->weights.map)
    {
    case WW_MAP_RF:
      return swap_rf (job, options, context, error);
    case WW_MAP_DRF:
      return swap_drf (job, options, context, error);
    case WW_MAP_RELU_RAF:
    case WW_MAP_SOFTMAX_RAF:
      return swap_attention (job, options, context, error);
    default:
      g_return_val_if_reached (FALSE);
    }
}

/* Of the tokens swapped, the one with the strongest swap; the first of equal ones. */
static gsize
find_strongest (const Job *job)
{
  gsize best = 0;

  for (gsize i = 1; i < job->count; i++)
    if (job->rankings[i].n > 0
        && (job->rankings[best].n == 0 || job->rankings[i].entries[0].change > job->rankings[best].entries[0].change))
      best = i;

  return best;
}

static void
add_ranking (WwJson *json, const Job *job, const WwTokens *tokens, gsize at)
{
  const Ranking *ranking = &job->rankings[at];

  ww_json_add_integer (json, "token", job->first + at);
  ww_json_add_string (json, "word", tokens->tokens[job->first + at].display);
  ww_json_begin_array (json, "swaps");
  for (gsize e = 0; e < ranking->n; e++)
    {
      ww_json_begin_object (json, NULL);
      ww_json_add_string (json, "word", ww_entries_get_text (job->entries, ranking->entries[e].index));
      ww_json_add_number (json, "change", ranking->entries[e].change);
      ww_json_add_integer (json, "id", ranking->entries[e].index);
      ww_json_end_object (json);
    }
  ww_json_end_array (json);
}

/* `provenance` NULL: it was not asked for. */
static void
print_json (const Job *job, const WwCliContext *context, const WwProvenance *provenance)
{
  g_autoptr (WwJson) json = ww_json_new ();
  g_autofree char *line = NULL;

  ww_json_begin_object (json, NULL);
  add_ranking (json, job, context->tokens, find_strongest (job));
  ww_json_add_string (json, "map", ww_map_get_id (job->weights.map));
  ww_json_add_integer (json, "n", context->x->rows);
  ww_json_add_integer (json, "d", context->x->cols);
  ww_json_add_integer (json, "seed", job->weights.seed);
  ww_json_add_integer (json, "left_out", job->left_out);
  ww_json_add_string (json, "version", WW_VERSION);
  if (job->token == WW_TOKEN_ALL)
    {
      ww_json_begin_array (json, "per_token");
      for (gsize i = 0; i < job->count; i++)
        {
          ww_json_begin_object (json, NULL);
          add_ranking (json, job, context->tokens, i);
          ww_json_end_object (json);
        }
      ww_json_end_array (json);
    }
  if (provenance != NULL)
    ww_provenance_add_to_json (provenance, json, "provenance");
  ww_json_end_object (json);

  line = ww_json_to_line (json);
  ww_cli_print ("%s", line);
}

/* The strongest swaps of one token, then with `all` the strongest of each. */
static void
print_table (const Job *job, const WwTokens *tokens)
{
  char buffer[WW_NUMBER_BUFFER_SIZE];
  gsize best = find_strongest (job);
  const Ranking *ranking = &job->rankings[best];

  ww_cli_print ("%-10s%s\n%-10s%" G_GSIZE_FORMAT " %s\n\n", "map", ww_map_get_id (job->weights.map), "token",
                job->first + best, tokens->tokens[job->first + best].display);
  for (gsize e = 0; e < ranking->n; e++)
    ww_cli_print ("%6" G_GSIZE_FORMAT "  %-12s%s\n", e + 1,
                  ww_number_format_fixed (buffer, ranking->entries[e].change, 6),
                  ww_entries_get_text (job->entries, ranking->entries[e].index));

  for (gsize i = 0; job->token == WW_TOKEN_ALL && i < job->count; i++)
    if (job->rankings[i].n > 0)
      ww_cli_print ("%s%6" G_GSIZE_FORMAT "  %-12s%s → %s\n", i == 0 ? "\n" : "", i,
                    ww_number_format_fixed (buffer, job->rankings[i].entries[0].change, 6),
                    tokens->tokens[job->first + i].display,
                    ww_entries_get_text (job->entries, job->rankings[i].entries[0].index));
}

/* What was typed of this subcommand's own options. */
typedef struct
{
  char *token, *top;
  gboolean json, provenance, progress;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->token);
  g_free (options->top);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static GOptionEntry *
get_entries (Options *options)
{
  const GOptionEntry entries[] = {
    { "token", 0, 0, G_OPTION_ARG_FILENAME, &options->token,
      "Token that is replaced, counted from 0, or all (default: 0)", "I" },
    { "top", 0, 0, G_OPTION_ARG_FILENAME, &options->top, "How many words to show of each token (default: 20)", "K" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->json, "Print one JSON object on one line", NULL },
    { "provenance", 0, 0, G_OPTION_ARG_NONE, &options->provenance,
      "With --json: also the set, text, layer and files that it was made from", NULL },
    { "progress", 0, 0, G_OPTION_ARG_NONE, &options->progress, "Show progress even where no terminal is", NULL },
    { NULL },
  };

  return g_memdup2 (entries, sizeof entries);
}

/* Rows without words have nothing to be replaced by. */
static void
leave_context_out (GOptionEntry *entries)
{
  gsize kept = 0;

  for (gsize i = 0; entries[i].long_name != NULL; i++)
    if (!g_str_equal (entries[i].long_name, "context"))
      entries[kept++] = entries[i];
  entries[kept] = (GOptionEntry) { NULL };
}

static gboolean
swap (Job *job, const WwCliWeightsOptions *options, const WwCliContext *context, gboolean progress, GError **error)
{
  gboolean done;

  job->entries = ww_entries_new (context->set, ww_cli_get_cancel (), error);
  if (job->entries == NULL || !ww_entries_check_layer (job->entries, context->layer, error))
    return FALSE;
  job->ids = ww_tokens_dup_ids (context->tokens);
  job->scale = ww_row_scale_new (context->raw, context->dims, context->normalisation, error);
  if (job->scale == NULL)
    return FALSE;

  job->first = job->token == WW_TOKEN_ALL ? 0 : job->token;
  job->count = job->token == WW_TOKEN_ALL ? context->x->rows : 1;
  job->rankings = g_new0 (Ranking, job->count);
  ww_cli_progress_init (&job->progress, progress);
  done = swap_map (job, options, context, error);
  ww_cli_progress_end (&job->progress);
  ww_cli_weights_explain_undefined (job->weights.map, context->x, error);
  return done;
}

static gboolean
fill_provenance (const Job *job, const WwCliContext *context, const WwCliContextOptions *options,
                 WwProvenance *provenance, GError **error)
{
  provenance->depth = job->weights.depth;
  provenance->width = job->weights.width;
  provenance->features = job->weights.features;

  return ww_cli_context_describe_question (context, options, job->weights.map, job->token, job->weights.seed,
                                           provenance, error);
}

static gboolean
run (const WwCliCommand *command, int argc, char **argv, GError **error)
{
  g_auto (WwCliContextOptions) context_options = { 0 };
  g_auto (WwCliWeightsOptions) weights_options = { 0 };
  g_auto (WwCliContext) context = { 0 };
  g_auto (Options) options = { 0 };
  g_auto (Job) job = { .top = DEFAULT_TOP };
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree GOptionEntry *entries = get_entries (&options);
  g_autofree GOptionEntry *context_entries
    = ww_cli_context_options_get_entries (&context_options, WW_CLI_CONTEXT_FULL);
  g_autofree GOptionEntry *weights_entries = ww_cli_weights_options_get_entries (&weights_options, TRUE);
  const GOptionEntry *const tables[] = { weights_entries, context_entries, entries, NULL };

  ww_provenance_init (&provenance);
  leave_context_out (context_entries);
  if (!ww_cli_parse (command, tables, argc, argv, NULL, error)
      || !ww_cli_context_options_answer_list (&context_options, options.json, error)
      || !ww_cli_weights_options_check (&weights_options, TRUE, &job.weights, error)
      || !ww_cli_parse_token (options.token, &job.token, error)
      || !ww_cli_parse_size ("--top", options.top, 1, MAX_TOP, &job.top, error)
      || !ww_cli_check_provenance (options.provenance, options.json, error)
      || !ww_cli_context_options_check (&context_options, FALSE, error)
      || !ww_cli_context_load (&context_options, &context, error)
      || !ww_cli_context_check_token (&context, job.token, error)
      || !swap (&job, &weights_options, &context, options.progress, error))
    return FALSE;

  if (job.left_out > 0)
    ww_cli_message ("Note: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " words left out, whose rows have no finite change "
                    "(all zero, so without a norm to be scaled to, or not finite)",
                    job.left_out, count_candidates (job.entries));
  if (options.provenance && !fill_provenance (&job, &context, &context_options, &provenance, error))
    return FALSE;
  if (options.json)
    print_json (&job, &context, options.provenance ? &provenance : NULL);
  else
    print_table (&job, context.tokens);
  return TRUE;
}

const WwCliCommand ww_cli_swap_command = {
  .name = "swap",
  .summary = "Rank all words of a set by what they change in the place of a token",
  .help = "The relative change of the features, ||phi(X') - phi(X)|| / ||phi(X)||, where X' is X with\n"
          "one row replaced by that of another word: for every word of the set, normalised like the\n"
          "rows of the text (with “centre”: by the column means of the text as it is). Special tokens\n"
          "are no candidates. At layer 0 of a checkpoint a word has the row that it would have at\n"
          "the token's position. With --token all every token is replaced by every word; the token\n"
          "with the strongest swap comes first, and behind it all tokens in the order of the text.\n"
          "Of each token the strongest swaps come first.\n"
          "\n"
          "Examples:\n"
          "  wordsway-cli swap --map raf --text \"I love her much\" --token 2\n"
          "  wordsway-cli swap --map relu-raf --layer word --text \"I love her much\" --token all --json\n"
          "  wordsway-cli swap --map drf --depth 4 --width 512 --text \"I love her much\"",
  .run = run,
};
