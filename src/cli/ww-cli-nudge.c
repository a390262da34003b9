#include <math.h>
#include <string.h>

#include "ww-cli-context.h"
#include "ww-cli-figure.h"
#include "ww-cli-options.h"
#include "ww-cli-output.h"
#include "ww-cli-progress.h"
#include "ww-cli-weights.h"
#include "ww-cli.h"
#include "ww-report.h"

#define MAX_LENGTH 100

typedef struct
{
  WwMap map;
  gsize token;
  gboolean random; /* else the worst case that a search finds */
  double length;   /* ||delta|| / sqrt (d) */
  double radius;   /* of the search */
  gsize n;         /* the first rows; 0: all */
  guint64 seed;
  WwEffort effort;
} Question;

typedef struct
{
  char *map, *token, *direction, *length, *radius, *n, *seed, *effort;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->map);
  g_free (options->token);
  g_free (options->direction);
  g_free (options->length);
  g_free (options->radius);
  g_free (options->n);
  g_free (options->seed);
  g_free (options->effort);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
parse_direction (const char *text, gboolean *ret_random, GError **error)
{
  if (text == NULL || g_str_equal (text, "worst") || g_str_equal (text, "random"))
    {
      *ret_random = g_strcmp0 (text, "random") == 0;
      return TRUE;
    }

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--direction takes worst or random; found “%s”", text);
  return FALSE;
}

static gboolean
parse_question (const Options *options, Question *ret_question, GError **error)
{
  Question question = { .length = 1, .seed = 1, .effort = WW_EFFORT_NORMAL };

  if (!ww_cli_parse_attention_map (options->map, &question.map, error)
      || !ww_cli_require ("--token", options->token, error)
      || !ww_cli_parse_size ("--token", options->token, 0, WW_MAX_ROWS - 1, &question.token, error)
      || !parse_direction (options->direction, &question.random, error)
      || !ww_cli_parse_real ("--length", options->length, 0, MAX_LENGTH, &question.length, error)
      || !ww_cli_parse_size ("--n", options->n, 1, WW_MAX_ROWS, &question.n, error)
      || !ww_cli_parse_seed (options->seed, &question.seed, error)
      || !ww_cli_parse_effort (options->effort, &question.effort, error))
    return FALSE;

  question.radius = MAX (question.length, 1);
  if (!ww_cli_parse_radius (options->radius, &question.radius, error))
    return FALSE;

  *ret_question = question;
  return TRUE;
}

/* The worst nudge found at the radius of the search. */
static gboolean
find_worst (const WwAttention *attention, const Question *question, double *delta, gsize d, GError **error)
{
  WwSearchSettings settings = {
    .token = question->token,
    .radius = question->radius,
    .effort = question->effort,
    .seed = question->seed,
  };
  g_autoptr (WwSearchResult) result
    = ww_attention_search (attention, &settings, ww_cli_get_cancel (), NULL, NULL, error);

  if (result == NULL)
    return FALSE;

  memcpy (delta, result->delta, d * sizeof (double));
  return TRUE;
}

/* Scales `delta` to length * sqrt (d). */
static void
scale_delta (double *delta, gsize d, double length)
{
  double largest = 0;
  double sum = 0;

  for (gsize i = 0; i < d; i++)
    largest = MAX (largest, fabs (delta[i]));
  if (largest <= 0)
    return;

  /* Divided by the largest entry first, so that no square can leave the range of a double. */
  for (gsize i = 0; i < d; i++)
    sum += (delta[i] / largest) * (delta[i] / largest);
  for (gsize i = 0; i < d; i++)
    delta[i] = delta[i] / largest * (length * sqrt ((double) d) / sqrt (sum));
}

static WwNudge *
make_nudge (const Question *question, WwMatrix *x, GError **error)
{
  g_autoptr (WwMatrix) w = ww_random_w (x->cols, question->seed, 0, error);
  g_autoptr (WwAttention) attention = w != NULL ? ww_attention_new (question->map, x, w, error) : NULL;
  g_autofree double *delta = g_new0 (double, x->cols);
  gboolean is_softmax = question->map == WW_MAP_SOFTMAX_RAF;

  if (attention == NULL)
    return NULL;
  if (question->random)
    ww_random_direction (x->cols, question->seed, 0, delta);
  else if (!find_worst (attention, question, delta, x->cols, error))
    return NULL;
  scale_delta (delta, x->cols, question->length);

  return ww_nudge_new (is_softmax ? attention : NULL, is_softmax ? NULL : attention, NULL, question->token, delta,
                       error);
}

static gboolean
fill_provenance (const Question *question, const WwCliContext *context, const WwCliContextOptions *options,
                 WwProvenance *provenance, GError **error)
{
  provenance->maps[0] = question->map;
  provenance->n_maps = 1;
  provenance->lengths = g_memdup2 (&context->x->rows, sizeof (gsize));
  provenance->n_lengths = 1;
  provenance->dims = g_memdup2 (&context->x->cols, sizeof (gsize));
  provenance->n_dims = 1;
  provenance->seed = question->seed;
  provenance->radius = question->radius;
  provenance->effort = question->effort;
  provenance->token = question->token;

  return ww_cli_context_describe (context, options, provenance, error);
}

static gboolean
write_report (const Question *question, const WwCliContext *context, const WwCliContextOptions *options,
              const char *output, const WwReportOptions *report_options, GError **error)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autoptr (WwNudge) nudge = NULL;
  WwNudgeReport report = { 0 };
  char *path = NULL;

  ww_provenance_init (&provenance);
  if (!fill_provenance (question, context, options, &provenance, error))
    return FALSE;
  nudge = make_nudge (question, context->x, error);
  ww_cli_weights_explain_undefined (question->map, context->x, error);
  if (nudge == NULL)
    return FALSE;

  report.nudge = nudge;
  report.tokens = context->tokens;
  report.provenance = &provenance;
  report.direction = question->random ? "random" : "worst";
  if (ww_cli_is_cancelled (error))
    return FALSE;
  path = ww_cli_output_begin (output, error);
  return path != NULL
         && ww_cli_output_end (output, path, ww_nudge_report_write (&report, path, report_options, error), error);
}

static gboolean
run (const WwCliCommand *command, int argc, char **argv, GError **error)
{
  g_auto (WwCliContextOptions) context_options = { 0 };
  g_auto (WwCliFigureOptions) figure_options = { 0 };
  g_auto (WwCliContext) context = { 0 };
  g_auto (Options) options = { 0 };
  g_autofree GOptionEntry *context_entries
    = ww_cli_context_options_get_entries (&context_options, WW_CLI_CONTEXT_FULL);
  g_autofree GOptionEntry *figure_entries = ww_cli_figure_options_get_entries (&figure_options, TRUE);
  const GOptionEntry entries[] = {
    { "map", 0, 0, G_OPTION_ARG_FILENAME, &options.map, "Attention map: raf (softmax) or relu-raf", "MAP" },
    { "token", 0, 0, G_OPTION_ARG_FILENAME, &options.token, "Token that is nudged, counted from 0", "I" },
    { "direction", 0, 0, G_OPTION_ARG_FILENAME, &options.direction, "worst or random (default: worst)", "WHICH" },
    { "length", 0, 0, G_OPTION_ARG_FILENAME, &options.length, "||delta|| / sqrt(d) (default: 1)", "R" },
    { "radius", 0, 0, G_OPTION_ARG_FILENAME, &options.radius,
      "Radius of the search, whose worst is scaled to --length (default: 1, or --length if more)", "R" },
    { "n", 0, 0, G_OPTION_ARG_FILENAME, &options.n, "Only the first N rows of the context (default: all)", "N" },
    { "seed", 0, 0, G_OPTION_ARG_FILENAME, &options.seed, "Seed of everything random (default: 1)", "S" },
    { "effort", 0, 0, G_OPTION_ARG_FILENAME, &options.effort,
      "Of the search for the worst: quick, normal or thorough (default: normal)", "EFFORT" },
    { NULL },
  };
  const GOptionEntry *const tables[] = { entries, context_entries, figure_entries, NULL };
  WwReportOptions report_options;
  Question question;

  if (!ww_cli_parse (command, tables, argc, argv, NULL, error)
      || !ww_cli_context_options_answer_list (&context_options, FALSE, error) || !parse_question (&options, &question, error)
      || !ww_cli_context_options_check (&context_options, FALSE, error)
      || !ww_cli_figure_options_check (&figure_options, TRUE, &report_options, error))
    return FALSE;

  context_options.n = question.n;
  if (!ww_cli_context_load (&context_options, &context, error)
      || !ww_cli_context_check_token (&context, question.token, error))
    return FALSE;

  return write_report (&question, &context, &context_options, figure_options.output, &report_options, error);
}

const WwCliCommand ww_cli_nudge_command = {
  .name = "nudge",
  .summary = "Show what one nudge does to the attention",
  .help = "Attention before, after and the difference, and the feature change of every token. The\n"
          "worst direction is the one that a search finds within --radius; --length scales it.\n"
          "\n"
          "Examples:\n"
          "  wordsway-cli nudge --map raf --text \"I love her much\" --token 4 --output nudge.svg\n"
          "  wordsway-cli nudge --map relu-raf --text \"I love her much\" --token 1 --direction random \\\n"
          "    --length 0.5 --output nudge.csv",
  .run = run,
};
