#include <string.h>

#include "ww-cli-context.h"
#include "ww-cli-figure.h"
#include "ww-cli-options.h"
#include "ww-cli-output.h"
#include "ww-cli-progress.h"
#include "ww-cli-sweep.h"
#include "ww-cli.h"
#include "ww-curve-undefined.h"
#include "ww-report.h"

#define DEFAULT_FIRST 10
#define DEFAULT_LAST 250
#define DEFAULT_COUNT 8
#define DEFAULT_SYNTHETIC_DIMS 384
#define DEFAULT_TRIALS 5

/* What was typed. */
typedef struct
{
  gboolean synthetic, progress;
  char *maps, *lengths, *dims, *trials, *seed, *token, *effort, *bound, *radius, *features, *depth, *width, *theory, *threads;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->maps);
  g_free (options->lengths);
  g_free (options->dims);
  g_free (options->trials);
  g_free (options->seed);
  g_free (options->token);
  g_free (options->effort);
  g_free (options->bound);
  g_free (options->radius);
  g_free (options->features);
  g_free (options->depth);
  g_free (options->width);
  g_free (options->theory);
  g_free (options->threads);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* What it means. `lengths` and `dims` are NULL until the context is known, where not given. */
typedef struct
{
  WwSweepSettings settings;
  GArray *lengths, *dims;
  guint threads, laws;
} Question;

static void
question_clear (Question *question)
{
  g_clear_pointer (&question->lengths, g_array_unref);
  g_clear_pointer (&question->dims, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Question, question_clear)

static gboolean
parse_token (const char *text, gsize *ret_token, GError **error)
{
  if (text == NULL || g_str_equal (text, "first") || g_str_equal (text, "all"))
    {
      *ret_token = g_strcmp0 (text, "all") == 0 ? WW_TOKEN_ALL : 0;
      return TRUE;
    }

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--token takes first or all; found “%s”", text);
  return FALSE;
}

/* Synthetic rows come from no file and no text, and they have their norm already. */
static gboolean
check_synthetic (const Options *options, const WwCliContextOptions *context, GError **error)
{
  const struct
  {
    const char *name;
    gboolean given;
  } of_texts[] = {
    { "--set", context->set != NULL },         { "--text", context->text != NULL },
    { "--text-file", context->text_file != NULL },
    { "--ids", context->ids != NULL },         { "--context", context->context != NULL },
    { "--layer", context->layer != NULL },     { "--normalise", context->normalise != NULL },
    { "--no-special", context->no_special },   { "--member", context->member != NULL },
    { "--words", context->words != NULL },     { "--unknown", context->unknown != NULL },
    { "--column", context->column != NULL },   { "--read-as", context->read_as != NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (of_texts); i++)
    if (!ww_cli_exclude ("--synthetic", options->synthetic, of_texts[i].name, of_texts[i].given, error))
      return FALSE;

  return TRUE;
}

static gboolean
has_map (const WwSweepSettings *settings, WwMap map)
{
  for (gsize i = 0; i < settings->n_maps; i++)
    if (settings->maps[i] == map)
      return TRUE;

  return FALSE;
}

/* Options of one map are mistakes where it is not among the maps. */
static gboolean
check_maps (const Options *options, const WwSweepSettings *settings, GError **error)
{
  gboolean has_deep = has_map (settings, WW_MAP_DRF);

  if (!has_deep && (options->depth != NULL || options->width != NULL))
    g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "%s is for drf, which is not among --maps",
                 options->depth != NULL ? "--depth" : "--width");
  else if (options->theory != NULL && !has_deep && !has_map (settings, WW_MAP_RF))
    g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
                 "--theory has laws for rf and drf, and neither is among --maps");
  else if (settings->bound != WW_SWEEP_BOUND_NONE && !has_map (settings, WW_MAP_SOFTMAX_RAF)
           && !has_map (settings, WW_MAP_RELU_RAF))
    g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
                 "--bound is for raf and relu-raf, and neither is among --maps");
  else
    return TRUE;

  return FALSE;
}

static gboolean
parse_question (const Options *options, Question *question, GError **error)
{
  WwSweepSettings *settings = &question->settings;

  *settings = (WwSweepSettings) {
    .maps = { WW_MAP_RF, WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF },
    .n_maps = 3,
    .trials = DEFAULT_TRIALS,
    .seed = 1,
    .radius = 1,
    .effort = WW_EFFORT_NORMAL,
    .features = WW_CLI_DEFAULT_FEATURES,
    .depth = WW_CLI_DEFAULT_DEPTH,
    .width = WW_CLI_DEFAULT_WIDTH,
  };
  question->threads = CLAMP (g_get_num_processors (), 1, WW_CLI_MAX_THREADS);

  return ww_cli_parse_maps (options->maps, settings->maps, &settings->n_maps, error)
         && ww_cli_parse_lengths (options->lengths, &question->lengths, error)
         && ww_cli_parse_sizes ("--d", options->dims, WW_MAX_DIMS, &question->dims, error)
         && ww_cli_parse_count ("--trials", options->trials, 1, WW_MAX_TRIALS, &settings->trials, error)
         && ww_cli_parse_seed (options->seed, &settings->seed, error)
         && parse_token (options->token, &settings->token, error)
         && ww_cli_parse_effort (options->effort, &settings->effort, error)
         && ww_cli_parse_bound (options->bound, &settings->bound, error)
         && ww_cli_parse_radius (options->radius, &settings->radius, error)
         && ww_cli_parse_features (options->features, &settings->features, error)
         && ww_cli_parse_network (options->depth, options->width, &settings->depth, &settings->width, error)
         && ww_cli_parse_laws (options->theory, &question->laws, error) && check_maps (options, settings, error)
         && ww_cli_parse_count ("--threads", options->threads, 1, WW_CLI_MAX_THREADS, &question->threads, error);
}

/* The context's rows, unless they are synthetic. */
static gboolean
load_context (const Options *options, const WwCliContextOptions *context_options, WwCliContext *ret_context,
              GError **error)
{
  gsize n_examples = 0;
  const WwExampleText *examples = ww_example_texts_get (&n_examples);

  if (options->synthetic)
    {
      ret_context->normalisation = WW_NORMALISATION_PAPER;
      return TRUE;
    }

  return ww_cli_context_load_raw (context_options, n_examples > 0 ? examples[0].text : NULL, ret_context, error);
}

/* The lengths of a curve when none were asked for: a shorter text gives a shorter curve. */
static GArray *
get_default_lengths (const WwMatrix *raw)
{
  gsize last = raw != NULL ? MIN (raw->rows, DEFAULT_LAST) : DEFAULT_LAST;
  gsize first = last >= 2 * DEFAULT_FIRST ? DEFAULT_FIRST : MIN (last, 2);

  if (last < DEFAULT_LAST)
    ww_cli_message ("Note: the context has %" G_GSIZE_FORMAT " token%s; the curve goes from n = %"
                    G_GSIZE_FORMAT " to %" G_GSIZE_FORMAT,
                    last, last == 1 ? "" : "s", first, last);
  return ww_curve_spaced_lengths (first, last, DEFAULT_COUNT);
}

/* Fills in what depends on the context and compares what was asked with what is there. */
static gboolean
settle_sizes (Question *question, const WwMatrix *raw, GError **error)
{
  WwSweepSettings *settings = &question->settings;
  gsize d = raw != NULL ? raw->cols : DEFAULT_SYNTHETIC_DIMS;

  if (question->lengths == NULL)
    question->lengths = get_default_lengths (raw);
  if (question->dims == NULL)
    {
      question->dims = g_array_new (FALSE, FALSE, sizeof (gsize));
      g_array_append_val (question->dims, d);
    }

  settings->lengths = (const gsize *) question->lengths->data;
  settings->n_lengths = question->lengths->len;
  settings->dims = (const gsize *) question->dims->data;
  settings->n_dims = question->dims->len;
  if (raw == NULL)
    return TRUE;

  /* Both lists ascend, so the last entry is the largest. */
  if (settings->lengths[settings->n_lengths - 1] > raw->rows)
    g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED,
                 "The context is shorter than the n asked for: it has %" G_GSIZE_FORMAT
                 " tokens, --n goes up to %" G_GSIZE_FORMAT,
                 raw->rows, settings->lengths[settings->n_lengths - 1]);
  else if (settings->dims[settings->n_dims - 1] > d)
    g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
                 "--d asks for %" G_GSIZE_FORMAT " dimensions; the rows have %" G_GSIZE_FORMAT,
                 settings->dims[settings->n_dims - 1], d);
  else
    return TRUE;

  return FALSE;
}

static gboolean
fill_provenance (const Question *question, const Options *options, const WwCliContext *context,
                 const WwCliContextOptions *context_options, WwProvenance *provenance, GError **error)
{
  const WwSweepSettings *settings = &question->settings;

  memcpy (provenance->maps, settings->maps, sizeof provenance->maps);
  provenance->n_maps = settings->n_maps;
  provenance->lengths = g_memdup2 (settings->lengths, settings->n_lengths * sizeof (gsize));
  provenance->n_lengths = settings->n_lengths;
  provenance->dims = g_memdup2 (settings->dims, settings->n_dims * sizeof (gsize));
  provenance->n_dims = settings->n_dims;
  provenance->features = settings->features;
  provenance->depth = settings->depth;
  provenance->width = settings->width;
  provenance->trials = settings->trials;
  provenance->seed = settings->seed;
  provenance->radius = settings->radius;
  provenance->effort = settings->effort;
  provenance->bound = settings->bound;
  provenance->token = settings->token;
  if (!options->synthetic)
    return ww_cli_context_describe (context, context_options, provenance, error);

  provenance->source = g_strdup ("synthetic");
  return TRUE;
}

static gboolean
measure_and_write (Question *question, const Options *options, const WwCliContext *context,
                   const WwCliContextOptions *context_options, const char *output,
                   const WwReportOptions *report_options, GError **error)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autoptr (WwSweep) sweep = NULL;
  g_autofree WwCurvePoint *points = NULL;
  g_autofree char *undefined = NULL;
  char *path = NULL;
  WwCurveReport report = { .provenance = &provenance, .x_log = TRUE, .y_log = TRUE, .laws = question->laws };
  WwCliProgress progress;

  ww_provenance_init (&provenance);
  if (!fill_provenance (question, options, context, context_options, &provenance, error))
    return FALSE;
  question->settings.normalisation = context->normalisation;
  if (question->laws != 0 && context->normalisation == WW_NORMALISATION_NONE)
    ww_cli_message ("Note: the laws of --theory are those of rows of norm sqrt(d); of rows as stored only that of "
                    "the weights is drawn");
  sweep = ww_sweep_new (&question->settings, context->raw, error);
  if (sweep == NULL)
    return FALSE;

  ww_cli_progress_init (&progress, options->progress);
  points = ww_cli_sweep_run (sweep, question->threads, ww_cli_get_cancel (), &progress, error);
  ww_cli_progress_end (&progress);
  if (points == NULL || ww_cli_is_cancelled (error))
    return FALSE;

  report.points = points;
  report.n_points = ww_sweep_get_n_slices (sweep);
  undefined = ww_curve_report_describe_undefined (&report);
  if (undefined != NULL)
    ww_cli_message ("Note: %s", undefined);
  path = ww_cli_output_begin (output, error);
  return path != NULL
         && ww_cli_output_end (output, path, ww_curve_report_write (&report, path, report_options, error), error);
}

/* The entries of this subcommand alone. */
static GOptionEntry *
get_entries (Options *options)
{
  const GOptionEntry entries[] = {
    { "maps", 0, 0, G_OPTION_ARG_FILENAME, &options->maps,
      "Feature maps: rf, relu-raf, raf, drf (default: rf,relu-raf,raf)", "MAP,..." },
    { "n", 0, 0, G_OPTION_ARG_FILENAME, &options->lengths,
      "Context lengths: FIRST:LAST:COUNT evenly spaced in log n, or a list (default: 10:250:8)", "LENGTHS" },
    { "d", 0, 0, G_OPTION_ARG_FILENAME, &options->dims,
      "Dimensions, the first D of each row (default: all; 384 with --synthetic)", "D,..." },
    { "synthetic", 0, 0, G_OPTION_ARG_NONE, &options->synthetic, "Gaussian rows in place of a text", NULL },
    { "trials", 0, 0, G_OPTION_ARG_FILENAME, &options->trials, "Trials at each point (default: 5)", "T" },
    { "seed", 0, 0, G_OPTION_ARG_FILENAME, &options->seed, "Seed of everything random (default: 1)", "S" },
    { "token", 0, 0, G_OPTION_ARG_FILENAME, &options->token,
      "Token that is nudged: first, or the largest over all (default: first)", "WHICH" },
    { "radius", 0, 0, G_OPTION_ARG_FILENAME, &options->radius, "The nudge is at most R sqrt(d) long (default: 1)",
      "R" },
    { "effort", 0, 0, G_OPTION_ARG_FILENAME, &options->effort, "quick, normal or thorough (default: normal)",
      "EFFORT" },
    { "bound", 0, 0, G_OPTION_ARG_FILENAME, &options->bound,
      "Certified upper bound of raf and relu-raf: none, quick or tight (default: none)", "BOUND" },
    { "features", 0, 0, G_OPTION_ARG_FILENAME, &options->features,
      "Number of features of rf, or nd for the paper's n d (default: 4096)", "K" },
    { "depth", 0, 0, G_OPTION_ARG_FILENAME, &options->depth, "Layers of drf, 1 to 16 (default: 4)", "L" },
    { "width", 0, 0, G_OPTION_ARG_FILENAME, &options->width, "Units of each layer of drf (default: 1024)", "W" },
    { "theory", 0, 0, G_OPTION_ARG_FILENAME, &options->theory,
      "Laws of rf and drf, dashed: infinite, edge (F1), finite (F2, D2), weights (F3); without a value all", "LAW,..." },
    { "threads", 0, 0, G_OPTION_ARG_FILENAME, &options->threads,
      "Threads; the result is the same for any number (default: one a processor)", "N" },
    { "progress", 0, 0, G_OPTION_ARG_NONE, &options->progress, "Show progress even where no terminal is", NULL },
    { NULL },
  };

  return g_memdup2 (entries, sizeof entries);
}

/* A bare --theory asks for all laws: GOption knows no option whose value may be missing and which needs no
 * callback. The result holds the words of `argv`. */
static char **
spell_out_theory (int argc, char **argv)
{
  char **words = g_new0 (char *, argc + 1);
  gboolean ended = FALSE;

  for (int i = 0; i < argc; i++)
    {
      ended |= g_str_equal (argv[i], "--");
      words[i] = !ended && g_str_equal (argv[i], "--theory") ? (char *) "--theory=all" : argv[i];
    }

  return words;
}

static gboolean
run (const WwCliCommand *command, int argc, char **argv, GError **error)
{
  g_auto (WwCliContextOptions) context_options = { 0 };
  g_auto (WwCliFigureOptions) figure_options = { 0 };
  g_auto (WwCliContext) context = { 0 };
  g_auto (Options) options = { 0 };
  g_auto (Question) question = { 0 };
  g_autofree GOptionEntry *entries = get_entries (&options);
  g_autofree GOptionEntry *context_entries
    = ww_cli_context_options_get_entries (&context_options, WW_CLI_CONTEXT_TEXT | WW_CLI_CONTEXT_ROWS);
  g_autofree GOptionEntry *figure_entries = ww_cli_figure_options_get_entries (&figure_options, FALSE);
  const GOptionEntry *const tables[] = { entries, context_entries, figure_entries, NULL };
  g_autofree char **words = spell_out_theory (argc, argv);
  WwReportOptions report_options;

  if (!ww_cli_parse (command, tables, argc, words, NULL, error)
      || !ww_cli_context_options_answer_list (&context_options, FALSE, error) || !parse_question (&options, &question, error)
      || !check_synthetic (&options, &context_options, error)
      || !ww_cli_context_options_check (&context_options, TRUE, error)
      || !ww_cli_figure_options_check (&figure_options, FALSE, &report_options, error)
      || !load_context (&options, &context_options, &context, error)
      || !settle_sizes (&question, context.raw, error))
    return FALSE;

  return measure_and_write (&question, &options, &context, &context_options, figure_options.output, &report_options,
                            error);
}

const WwCliCommand ww_cli_curve_command = {
  .name = "curve",
  .summary = "Measure word sensitivity over context length",
  .help = "The main figure: each trial draws fresh weights (and with --synthetic a fresh context);\n"
          "the first n tokens of the text are the context of length n. Medians are joined, the band\n"
          "is the inter-quartile range. A .csv or .json has every trial. Ctrl-C leaves no file.\n"
          "With --theory a .json also has the laws at each n, a .csv a column for each. A trial in\n"
          "which all features are zero is undefined: its ws is empty (null in a .json), medians\n"
          "leave it out, and the figure and a note say how many there are. One token's rf and drf\n"
          "are drawn without ever forming V: same in distribution as “ws”, not in value.\n"
          "\n"
          "Examples:\n"
          "  wordsway-cli curve --output curves.svg\n"
          "  wordsway-cli curve --synthetic --d 64 --n 10:100:4 --trials 2 --effort quick \\\n"
          "    --output curves.csv\n"
          "  wordsway-cli curve --synthetic --d 64 --n 10:100:4 --maps rf,drf --depth 4 --width 512 \\\n"
          "    --theory --output theory.svg",
  .run = run,
};
