#include <math.h>
#include <string.h>

#include "ww-cli-context.h"
#include "ww-cli-figure.h"
#include "ww-cli-options.h"
#include "ww-cli-output.h"
#include "ww-cli-progress.h"
#include "ww-cli-weights.h"
#include "ww-cli.h"
#include "ww-entries.h"
#include "ww-report.h"
#include "ww-swap.h"

#define MAX_LENGTH 100

typedef struct
{
  WwMap map;
  gsize token;
  const char *toward; /* a word; NULL: none */
  double amount;      /* how much of the way to it */
  gboolean random;    /* else the worst case that a search finds */
  double length;      /* ||delta|| / sqrt (d) */
  double radius;      /* of the search */
  gsize n;            /* the first rows; 0: all */
  guint64 seed;
  WwEffort effort;
} Question;

typedef struct
{
  char *map, *token, *toward, *amount, *direction, *length, *radius, *n, *seed, *effort;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->map);
  g_free (options->token);
  g_free (options->toward);
  g_free (options->amount);
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

/* A word says where the nudge goes and how long it is. */
static gboolean
parse_toward (const Options *options, Question *question, GError **error)
{
  gboolean toward = options->toward != NULL;

  if (!toward && options->amount != NULL)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--amount is a part of the way to a word: give --toward");
      return FALSE;
    }

  question->toward = options->toward;
  return ww_cli_exclude ("--toward", toward, "--direction", options->direction != NULL, error)
         && ww_cli_exclude ("--toward", toward, "--length", options->length != NULL, error)
         && ww_cli_exclude ("--toward", toward, "--effort", options->effort != NULL, error)
         && ww_cli_parse_real ("--amount", options->amount, 0, 1, &question->amount, error);
}

static gboolean
parse_question (const Options *options, Question *ret_question, GError **error)
{
  Question question = { .amount = 1, .length = 1, .seed = 1, .effort = WW_EFFORT_NORMAL };

  if (!ww_cli_parse_attention_map (options->map, &question.map, error)
      || !ww_cli_require ("--token", options->token, error)
      || !ww_cli_parse_size ("--token", options->token, 0, WW_MAX_ROWS - 1, &question.token, error)
      || !parse_toward (options, &question, error)
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

/* A word that the set lacks is a wrong value of --toward. */
static gboolean
read_word (const WwEntryRows *rows, const char *word, const WwRowScale *scale, double *ret_row, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (ww_entry_rows_read_word (rows, word, scale, ret_row, &problem))
    return TRUE;

  if (g_error_matches (problem, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS)
      || g_error_matches (problem, WW_SET_ERROR, WW_SET_ERROR_TEXT))
    g_set_error_literal (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, problem->message);
  else
    g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

/* amount (y - x_i), y the row that the word would have in the token's place. */
static gboolean
head_toward (const Question *question, const WwCliContext *context, double *delta, GError **error)
{
  const WwMatrix *x = context->x;
  g_autoptr (WwEntries) entries = ww_entries_new (context->set, ww_cli_get_cancel (), error);
  g_autofree guint32 *ids = ww_tokens_dup_ids (context->tokens);
  WwEntryRows rows = { entries, context->layer, ids, question->token };
  g_autoptr (WwRowScale) scale = NULL;

  if (entries == NULL)
    return FALSE;
  scale = ww_row_scale_new (context->raw, context->dims, context->normalisation, error);
  if (scale == NULL || !read_word (&rows, question->toward, scale, delta, error))
    return FALSE;

  ww_swap_toward (x->data + question->token * x->cols, delta, x->cols, question->amount, delta);
  return TRUE;
}

/* The nudge that is asked for, d values. */
static gboolean
make_delta (const Question *question, const WwCliContext *context, const WwAttention *attention, double *delta,
            GError **error)
{
  gsize d = context->x->cols;

  if (question->toward != NULL)
    return head_toward (question, context, delta, error);

  if (question->random)
    ww_random_direction (d, question->seed, 0, delta);
  else if (!find_worst (attention, question, delta, d, error))
    return FALSE;

  scale_delta (delta, d, question->length);
  return TRUE;
}

static WwNudge *
make_nudge (const Question *question, const WwCliContext *context, GError **error)
{
  WwMatrix *x = context->x;
  g_autoptr (WwMatrix) w = ww_random_w (x->cols, question->seed, 0, error);
  g_autoptr (WwAttention) attention = w != NULL ? ww_attention_new (question->map, x, w, error) : NULL;
  g_autofree double *delta = g_new0 (double, x->cols);
  gboolean is_softmax = question->map == WW_MAP_SOFTMAX_RAF;

  if (attention == NULL || !make_delta (question, context, attention, delta, error))
    return NULL;

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

/* Two words can be further apart than the ball reaches. */
static void
note_length (const WwNudgeReport *report)
{
  const WwNudge *nudge = report->nudge;

  if (report->toward != NULL && ww_nudge_report_leaves_ball (report))
    ww_cli_message ("Note: ||delta|| / sqrt(d) = %.4g. This leaves the ball of radius %.4g, in which word sensitivity"
                    " is searched.",
                    nudge->delta_norm / sqrt ((double) nudge->d), report->provenance->radius);
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
  nudge = make_nudge (question, context, error);
  ww_cli_weights_explain_undefined (question->map, context->x, error);
  if (nudge == NULL)
    return FALSE;

  report.nudge = nudge;
  report.tokens = context->tokens;
  report.provenance = &provenance;
  report.direction = question->random ? "random" : "worst";
  report.toward = question->toward;
  report.amount = question->amount;
  if (ww_cli_is_cancelled (error))
    return FALSE;
  note_length (&report);
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
    { "toward", 0, 0, G_OPTION_ARG_FILENAME, &options.toward,
      "Go to the row that a word of the set would have in the token's place", "WORD" },
    { "amount", 0, 0, G_OPTION_ARG_FILENAME, &options.amount,
      "How much of the way to that word, from 0 to 1 (default: 1)", "LAMBDA" },
    { "direction", 0, 0, G_OPTION_ARG_FILENAME, &options.direction, "worst or random (default: worst)", "WHICH" },
    { "length", 0, 0, G_OPTION_ARG_FILENAME, &options.length, "||delta|| / sqrt(d) (default: 1)", "R" },
    { "radius", 0, 0, G_OPTION_ARG_FILENAME, &options.radius,
      "Radius of the ball that is searched; its worst is scaled to --length (default: 1, or --length if more)", "R" },
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
      || !ww_cli_exclude ("--context", context_options.context != NULL, "--toward", options.toward != NULL, error)
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
          "With --toward WORD, delta = lambda (y - x_i), y the row of the word, normalised like the\n"
          "rows of the text. Nothing bounds its length: where it leaves the ball, a note says so.\n"
          "\n"
          "Examples:\n"
          "  wordsway-cli nudge --map raf --text \"I love her much\" --token 4 --output nudge.svg\n"
          "  wordsway-cli nudge --map relu-raf --text \"I love her much\" --token 1 --direction random \\\n"
          "    --length 0.5 --output nudge.csv\n"
          "  wordsway-cli nudge --map raf --text \"I love her much\" --token 2 --toward hate --output hate.svg",
  .run = run,
};
