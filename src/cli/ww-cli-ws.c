#include <math.h>
#include <string.h>

#include "ww-cli-bound.h"
#include "ww-cli-context.h"
#include "ww-cli-options.h"
#include "ww-cli-output.h"
#include "ww-cli-progress.h"
#include "ww-cli-weights.h"
#include "ww-cli.h"
#include "ww-json.h"
#include "ww-number.h"

/* Everything that one search needs and gives. */
typedef struct
{
  WwCliWeights weights;
  WwSearchSettings settings;
  gsize n, d, k;
  gboolean show_features, show_network, show_predicted; /* asked for by name: members of --json */
  WwSweepBound bound;
  double token_bound; /* tight, of the token printed, where all tokens were searched; NaN: none */
  double seconds;
  WwSearchResult *result;
  WwCliProgress progress;
  gsize n_searched;
} Job;

static void
job_clear (Job *job)
{
  g_clear_pointer (&job->result, ww_search_result_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static void
on_token (gsize token, double ws, gpointer user_data)
{
  Job *job = user_data;

  /* The best tokens are searched twice. */
  job->n_searched = MIN (job->n_searched + 1, job->n);
  ww_cli_progress_update (&job->progress, job->n_searched, job->n);
}

static void
on_progress (double done, gpointer user_data)
{
  Job *job = user_data;

  ww_cli_progress_update (&job->progress, (gsize) (done * (double) job->n), job->n);
}

static WwSearchResult *
search_attention (Job *job, const WwCliWeightsOptions *options, WwMatrix *x, GError **error)
{
  g_autoptr (WwMatrix) w = ww_cli_weights_load_w (options, &job->weights, x, error);
  g_autoptr (WwAttention) attention = NULL;
  WwSearchResult *result = NULL;
  gint64 start = g_get_monotonic_time ();

  if (w == NULL)
    return NULL;

  if (job->settings.token == WW_TOKEN_ALL)
    {
      job->settings.progress = on_progress;
      job->settings.progress_data = job;
    }
  attention = ww_attention_new (job->weights.map, x, w, error);
  if (attention != NULL)
    result = ww_attention_search (attention, &job->settings, ww_cli_get_cancel (), NULL, NULL, error);
  job->seconds = (double) (g_get_monotonic_time () - start) / 1e6;

  if (result != NULL && !ww_cli_bound_result (attention, &job->settings, job->bound, result, &job->token_bound, error))
    g_clear_pointer (&result, ww_search_result_free);
  return result;
}

static WwSearchResult *
search_rf (Job *job, const WwCliWeightsOptions *options, const WwMatrix *x, GError **error)
{
  g_autoptr (WwMatrix) v = NULL;
  g_autoptr (WwRf) rf = NULL;
  WwSearchResult *result = NULL;
  WwCancel *cancel = ww_cli_get_cancel ();
  gint64 start = 0;

  if (options->weights != NULL)
    {
      v = ww_cli_load_matrix (options->weights, error);
      if (v == NULL)
        return NULL;
      job->k = v->rows;
    }
  else if (!ww_cli_weights_get_features (&job->weights, x, &job->k, error))
    return NULL;

  if (job->settings.token != WW_TOKEN_ALL)
    {
      rf = ww_cli_weights_make_rf (&job->weights, x, job->settings.token, job->k, v, NULL, error);
      if (rf == NULL)
        return NULL;
    }

  start = g_get_monotonic_time ();
  if (rf != NULL)
    result = ww_rf_search (rf, &job->settings, cancel, error);
  else
    result = ww_rf_search_all (x, job->k, v, job->weights.seed, 0, &job->settings, cancel, on_token, job, error);
  job->seconds = (double) (g_get_monotonic_time () - start) / 1e6;

  return result;
}

static WwSearchResult *
search_drf (Job *job, const WwCliWeightsOptions *options, const WwMatrix *x, GError **error)
{
  g_autoptr (WwDrf) drf = ww_cli_weights_make_drf (options, &job->weights, x, job->settings.token, error);
  WwSearchResult *result = NULL;
  gint64 start = g_get_monotonic_time ();

  if (drf == NULL)
    return NULL;

  job->weights.depth = ww_drf_get_depth (drf);
  job->weights.width = ww_drf_get_width (drf);
  if (job->settings.token != WW_TOKEN_ALL)
    result = ww_drf_search (drf, &job->settings, ww_cli_get_cancel (), error);
  else
    result = ww_drf_search_all (drf, x, &job->settings, ww_cli_get_cancel (), on_token, job, error);
  job->seconds = (double) (g_get_monotonic_time () - start) / 1e6;

  return result;
}

/* How far a token of all was searched. */
static const char *
get_search_id (const WwSearchResult *result, gsize token)
{
  return result->in_full[token] ? "full" : "screened";
}

/* What made the numbers, with the digests of the files: for whoever keeps the object. */
static gboolean
fill_provenance (const Job *job, const WwCliContext *context, const WwCliContextOptions *options,
                 WwProvenance *provenance, GError **error)
{
  provenance->features = job->k;
  provenance->depth = job->weights.depth;
  provenance->width = job->weights.width;
  provenance->radius = job->settings.radius;
  provenance->effort = job->settings.effort;
  provenance->bound = job->bound;

  return ww_cli_context_describe_question (context, options, job->weights.map, job->settings.token, job->weights.seed,
                                           provenance, error);
}

/* `provenance` NULL: it was not asked for. */
static void
print_json (const Job *job, const WwProvenance *provenance)
{
  const WwSearchResult *result = job->result;
  g_autoptr (WwJson) json = ww_json_new ();
  g_autofree char *line = NULL;

  ww_json_begin_object (json, NULL);
  ww_json_add_string (json, "map", ww_map_get_id (job->weights.map));
  ww_json_add_integer (json, "n", job->n);
  ww_json_add_integer (json, "d", job->d);
  ww_json_add_integer (json, "token", result->token);
  ww_json_add_number (json, "ws", result->ws);
  ww_json_add_number (json, "upper_bound", result->upper_bound);
  ww_json_add_number (json, "delta_norm", result->delta_norm);
  ww_json_add_number (json, "radius", job->settings.radius);
  ww_json_add_integer (json, "evaluations", result->evaluations);
  ww_json_add_number (json, "seconds", job->seconds);
  ww_json_add_integer (json, "seed", job->weights.seed);
  ww_json_add_string (json, "effort", ww_effort_get_id (job->settings.effort));
  ww_json_add_string (json, "version", WW_VERSION);
  if (result->per_token != NULL)
    {
      ww_json_add_numbers (json, "per_token", result->per_token, result->n_tokens);
      ww_json_begin_array (json, "per_token_search");
      for (gsize i = 0; i < result->n_tokens; i++)
        ww_json_add_string (json, NULL, get_search_id (result, i));
      ww_json_end_array (json);
      if (job->bound != WW_SWEEP_BOUND_NONE)
        {
          ww_json_add_string (json, "upper_bound_kind", job->bound == WW_SWEEP_BOUND_TIGHT ? "tight" : "quick");
          ww_json_add_number (json, "token_upper_bound", job->token_bound);
        }
    }
  if (job->show_features)
    ww_json_add_integer (json, "features", job->k);
  if (job->show_predicted)
    ww_json_add_number (json, "predicted", result->predicted);
  if (job->show_network)
    {
      ww_json_add_integer (json, "depth", job->weights.depth);
      ww_json_add_integer (json, "width", job->weights.width);
    }
  if (provenance != NULL)
    ww_provenance_add_to_json (provenance, json, "provenance");
  ww_json_end_object (json);

  line = ww_json_to_line (json);
  ww_cli_print ("%s", line);
}

static void
print_number (const char *name, double value)
{
  char buffer[WW_NUMBER_BUFFER_SIZE];

  ww_cli_print ("%-18s%s\n", name, ww_number_format (buffer, value));
}

static void
print_table (const Job *job, const WwTokens *tokens)
{
  const WwSearchResult *result = job->result;

  ww_cli_print ("%-18s%s\n", "map", ww_map_get_id (job->weights.map));
  ww_cli_print ("%-18s%" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT "\n", "context", job->n, job->d);
  if (job->weights.map == WW_MAP_RF)
    ww_cli_print ("%-18s%" G_GSIZE_FORMAT "\n", "features", job->k);
  if (job->weights.map == WW_MAP_DRF)
    ww_cli_print ("%-18s%" G_GSIZE_FORMAT " layer%s of %" G_GSIZE_FORMAT "\n", "network", job->weights.depth,
                  job->weights.depth == 1 ? "" : "s", job->weights.width);
  ww_cli_print ("%-18s%" G_GSIZE_FORMAT "%s%s\n", "token", result->token, tokens != NULL ? " " : "",
                tokens != NULL ? tokens->tokens[result->token].display : "");
  print_number ("ws found", result->ws);
  if (!isnan (result->upper_bound))
    print_number (result->per_token != NULL ? "upper bound, all" : "upper bound", result->upper_bound);
  if (!isnan (job->token_bound))
    print_number ("tight, of token", job->token_bound);
  if (job->show_predicted)
    print_number ("predicted", result->predicted);
  print_number ("delta norm", result->delta_norm);
  print_number ("radius", job->settings.radius);
  ww_cli_print ("%-18s%" G_GUINT64_FORMAT "\n", "evaluations", result->evaluations);
  print_number ("seconds", job->seconds);
  ww_cli_print ("%-18s%" G_GUINT64_FORMAT "\n", "seed", job->weights.seed);
  ww_cli_print ("%-18s%s\n", "effort", ww_effort_get_id (job->settings.effort));

  for (gsize i = 0; result->per_token != NULL && i < result->n_tokens; i++)
    {
      char buffer[WW_NUMBER_BUFFER_SIZE];

      ww_cli_print ("%s%6" G_GSIZE_FORMAT "  %-18s%s  %s\n", i == 0 ? "\n" : "", i,
                    tokens != NULL ? tokens->tokens[i].display : "",
                    ww_number_format_fixed (buffer, result->per_token[i], 6), get_search_id (result, i));
    }
}

static gboolean
search (Job *job, const WwCliWeightsOptions *options, const WwCliContext *context, gboolean progress, GError **error)
{
  job->n = context->x->rows;
  job->d = context->x->cols;
  job->token_bound = NAN;
  ww_cli_progress_init (&job->progress, progress);
  if (job->weights.map == WW_MAP_RF)
    job->result = search_rf (job, options, context->x, error);
  else if (job->weights.map == WW_MAP_DRF)
    job->result = search_drf (job, options, context->x, error);
  else
    job->result = search_attention (job, options, context->x, error);
  ww_cli_progress_end (&job->progress);
  ww_cli_weights_explain_undefined (job->weights.map, context->x, error);

  return job->result != NULL;
}

/* What was typed of this subcommand's own options. */
typedef struct
{
  char *token, *radius, *effort, *bound, *delta;
  gboolean theory, json, provenance, progress;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->token);
  g_free (options->radius);
  g_free (options->effort);
  g_free (options->bound);
  g_free (options->delta);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static GOptionEntry *
get_entries (Options *options)
{
  const GOptionEntry entries[] = {
    { "token", 0, 0, G_OPTION_ARG_FILENAME, &options->token,
      "Token that is nudged, counted from 0, or all (default: 0)", "I" },
    { "radius", 0, 0, G_OPTION_ARG_FILENAME, &options->radius, "The nudge is at most R sqrt(d) long (default: 1)",
      "R" },
    { "effort", 0, 0, G_OPTION_ARG_FILENAME, &options->effort, "quick, normal or thorough (default: normal)",
      "EFFORT" },
    { "bound", 0, 0, G_OPTION_ARG_FILENAME, &options->bound,
      "Certified upper bound of raf or relu-raf: none, quick or tight (default: tight; of all tokens quick)",
      "BOUND" },
    { "theory", 0, 0, G_OPTION_ARG_NONE, &options->theory,
      "What the largest singular value of these weights of rf predicts", NULL },
    { "delta", 0, 0, G_OPTION_ARG_FILENAME, &options->delta,
      "Write the nudge that was found: d values; - for standard output", "out.npy" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->json, "Print one JSON object on one line", NULL },
    { "provenance", 0, 0, G_OPTION_ARG_NONE, &options->provenance,
      "With --json: also the set, text, layer and files that it was made from", NULL },
    { "progress", 0, 0, G_OPTION_ARG_NONE, &options->progress, "Show progress even where no terminal is", NULL },
    { NULL },
  };

  return g_memdup2 (entries, sizeof entries);
}

static gboolean
parse_settings (const Options *options, guint64 seed, WwSearchSettings *ret_settings, GError **error)
{
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_NORMAL, .seed = seed };

  if (!ww_cli_parse_token (options->token, &settings.token, error)
      || !ww_cli_parse_radius (options->radius, &settings.radius, error)
      || !ww_cli_parse_effort (options->effort, &settings.effort, error))
    return FALSE;

  *ret_settings = settings;
  return TRUE;
}

static gboolean
parse_bound (const Options *options, Job *job, GError **error)
{
  gboolean bounded = job->weights.map == WW_MAP_SOFTMAX_RAF || job->weights.map == WW_MAP_RELU_RAF;

  if (!bounded && options->bound != NULL)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--bound is for raf and relu-raf, not for %s",
                   ww_map_get_id (job->weights.map));
      return FALSE;
    }

  if (bounded)
    job->bound = job->settings.token == WW_TOKEN_ALL ? WW_SWEEP_BOUND_QUICK : WW_SWEEP_BOUND_TIGHT;
  return ww_cli_parse_bound (options->bound, &job->bound, error);
}

/* What the search says beyond its value. */
static gboolean
parse_extras (const Options *options, const WwCliWeightsOptions *weights, Job *job, GError **error)
{
  if (options->theory && job->weights.map != WW_MAP_RF)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--theory is for rf here, not for %s",
                   ww_map_get_id (job->weights.map));
      return FALSE;
    }

  if (!ww_cli_check_provenance (options->provenance, options->json, error))
    return FALSE;

  job->show_predicted = options->theory;
  job->show_features = weights->features != NULL;
  job->show_network = weights->depth != NULL || weights->width != NULL;
  return ww_cli_exclude ("--delta -", ww_cli_is_standard_output (options->delta), "--json", options->json, error);
}

static gboolean
run (const WwCliCommand *command, int argc, char **argv, GError **error)
{
  g_auto (WwCliContextOptions) context_options = { 0 };
  g_auto (WwCliWeightsOptions) weights_options = { 0 };
  g_auto (WwCliContext) context = { 0 };
  g_auto (Options) options = { 0 };
  g_auto (Job) job = { 0 };
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree GOptionEntry *entries = get_entries (&options);
  g_autofree GOptionEntry *context_entries
    = ww_cli_context_options_get_entries (&context_options, WW_CLI_CONTEXT_FULL);
  g_autofree GOptionEntry *weights_entries = ww_cli_weights_options_get_entries (&weights_options, TRUE);
  const GOptionEntry *const tables[] = { weights_entries, context_entries, entries, NULL };

  ww_provenance_init (&provenance);
  if (!ww_cli_parse (command, tables, argc, argv, NULL, error)
      || !ww_cli_context_options_answer_list (&context_options, options.json, error)
      || !ww_cli_weights_options_check (&weights_options, TRUE, &job.weights, error)
      || !parse_settings (&options, job.weights.seed, &job.settings, error)
      || !parse_bound (&options, &job, error)
      || !parse_extras (&options, &weights_options, &job, error)
      || !ww_cli_context_options_check (&context_options, FALSE, error)
      || !ww_cli_check_output ("--delta", options.delta, error)
      || !ww_cli_context_load (&context_options, &context, error)
      || !ww_cli_context_check_token (&context, job.settings.token, error)
      || !search (&job, &weights_options, &context, options.progress, error))
    return FALSE;

  if (options.delta != NULL && !ww_cli_save_vector (options.delta, job.result->delta, job.result->d, error))
    return FALSE;
  if (ww_cli_is_standard_output (options.delta))
    return TRUE;
  if (options.provenance && !fill_provenance (&job, &context, &context_options, &provenance, error))
    return FALSE;
  if (options.json)
    print_json (&job, options.provenance ? &provenance : NULL);
  else
    print_table (&job, context.tokens);
  return TRUE;
}

const WwCliCommand ww_cli_ws_command = {
  .name = "ws",
  .summary = "Search for the word sensitivity of a context",
  .help = "The largest relative change of the features that a nudge of one token makes:\n"
          "||phi(X + delta) - phi(X)|| / ||phi(X)|| over ||delta|| <= R sqrt(d). A search finds a\n"
          "lower bound of it; the value is computed again at the nudge found, by the definition.\n"
          "For raf and relu-raf a certified upper bound, which no nudge exceeds, stands beside it;\n"
          "with --token all the largest over all tokens, rough but for --bound tight, and the tight\n"
          "one of the token that is printed (“upper_bound_kind” and “token_upper_bound” of --json).\n"
          "With --token all the tokens are screened and the best tenth or more searched in full; those\n"
          "of a short text all, for rf and drf at quick always. “full” or “screened” stands behind each value\n"
          "(--json: per_token_search): the own search of a screened token may find some more.\n"
          "“seconds” is the time of the search. --json has features, predicted, depth and width only\n"
          "where --features, --theory, --depth or --width are given, provenance where --provenance is.\n"
          "\n"
          "The weights of rf and drf are those of “features” with the same seed, up to 2^31 weights\n"
          "of the first layer (k n d); above, those of the other tokens are drawn as their sum alone.\n"
          "\n"
          "Examples:\n"
          "  wordsway-cli ws --map raf --text \"I love her much\" --json\n"
          "  wordsway-cli ws --map rf --text \"I love her much\" --token all --effort quick\n"
          "  wordsway-cli ws --map drf --depth 4 --width 512 --text \"I love her much\" --json",
  .run = run,
};
