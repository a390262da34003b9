#include <string.h>

#include "ww-cli-context.h"
#include "ww-cli-options.h"
#include "ww-cli-output.h"
#include "ww-cli-weights.h"
#include "ww-cli.h"

#define MAX_BLOCK 1000

/* Attention that a checkpoint was trained to, of one block. */
typedef struct
{
  guint block; /* 1 is the first */
  int head;    /* counted from 0, WW_HEAD_MEAN or WW_HEAD_ALL */
} Trained;

/* Random attention is asked for by --map; --head, or a --layer that no context has, asks for trained
 * attention. */
static gboolean
wants_trained (const WwCliContextOptions *context, const WwCliWeightsOptions *weights, const char *head)
{
  if (weights->map != NULL)
    return FALSE;

  return head != NULL
         || (context->layer != NULL && !g_str_equal (context->layer, "word") && !g_str_equal (context->layer, "0"));
}

static gboolean
parse_trained (const WwCliContextOptions *context, const WwCliWeightsOptions *weights, const char *head,
               Trained *ret_trained, GError **error)
{
  const struct
  {
    const char *name;
    gboolean given;
  } of_random[] = {
    { "--context", context->context != NULL }, { "--normalise", context->normalise != NULL },
    { "--dims", context->dims != NULL },       { "--weights", weights->weights != NULL },
    { "--seed", weights->seed != NULL },
  };
  Trained trained = { .block = 1, .head = WW_HEAD_MEAN };

  for (gsize i = 0; i < G_N_ELEMENTS (of_random); i++)
    if (!ww_cli_exclude (of_random[i].name, of_random[i].given, "trained attention", TRUE, error))
      return FALSE;
  if (!ww_cli_parse_count ("--layer", context->layer, 1, MAX_BLOCK, &trained.block, NULL))
    {
      g_autofree char *found = g_utf8_make_valid (context->layer, -1);

      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
                   "--layer takes the number of a block, counted from 1, for trained attention, and with --map also"
                   " “word” and 0; found “%s”", found);
      return FALSE;
    }
  if (!ww_cli_parse_head (head, &trained.head, error))
    return FALSE;

  *ret_trained = trained;
  return TRUE;
}

static gboolean
write_trained (const WwCliContextOptions *options, const Trained *trained, const char *output, GError **error)
{
  g_auto (WwCliContext) context = { 0 };
  g_autoptr (WwMatrix) weights = NULL;

  if (!ww_cli_context_load_tokens (options, NULL, &context, error))
    return FALSE;

  ww_cli_context_cut (&context, (int) trained->block - 1);
  weights = ww_set_get_trained_attention_cancellable (context.set, context.tokens, (int) trained->block, trained->head,
                                                      ww_cli_get_cancel (), error);
  if (weights == NULL)
    return FALSE;

  return trained->head == WW_HEAD_ALL
           ? ww_cli_save_stack (output, weights, ww_set_get_attention_heads (context.set), error)
           : ww_cli_save (output, weights, error);
}

static gboolean
write_random (const WwCliContextOptions *context_options, const WwCliWeightsOptions *weights_options,
              const WwCliWeights *weights, const char *output, GError **error)
{
  g_auto (WwCliContext) context = { 0 };
  g_autoptr (WwMatrix) w = NULL;
  g_autoptr (WwAttention) attention = NULL;
  WwMatrix *shown;

  if (!ww_cli_context_load (context_options, &context, error))
    return FALSE;

  w = ww_cli_weights_load_w (weights_options, weights, context.x, error);
  attention = w != NULL ? ww_attention_new (weights->map, context.x, w, error) : NULL;
  shown = attention != NULL ? ww_attention_get_weights (attention, error) : NULL;
  return shown != NULL && ww_cli_save (output, shown, error);
}

static gboolean
run (const WwCliCommand *command, int argc, char **argv, GError **error)
{
  g_auto (WwCliContextOptions) context_options = { 0 };
  g_auto (WwCliWeightsOptions) weights_options = { 0 };
  g_autofree char *output = NULL;
  g_autofree char *head = NULL;
  g_autofree GOptionEntry *context_entries
    = ww_cli_context_options_get_entries (&context_options, WW_CLI_CONTEXT_FULL);
  g_autofree GOptionEntry *weights_entries = ww_cli_weights_options_get_entries (&weights_options, FALSE);
  const GOptionEntry entries[] = {
    { "head", 0, 0, G_OPTION_ARG_FILENAME, &head,
      "Trained attention in place of --map: a head, counted from 0, mean, or all, of the block --layer (default: 1)",
      "H" },
    { "output", 0, 0, G_OPTION_ARG_FILENAME, &output,
      "Where the n x n weights go (heads x n x n with --head all); - for standard output", "A.npy" },
    { NULL },
  };
  const GOptionEntry *const tables[] = { weights_entries, context_entries, entries, NULL };
  gboolean trained = FALSE;
  Trained trained_options = { 0 };
  WwCliWeights weights;

  if (!ww_cli_parse (command, tables, argc, argv, NULL, error)
      || !ww_cli_context_options_answer_list (&context_options, FALSE, error))
    return FALSE;

  trained = wants_trained (&context_options, &weights_options, head);
  if (trained ? !parse_trained (&context_options, &weights_options, head, &trained_options, error)
              : !ww_cli_weights_options_check (&weights_options, FALSE, &weights, error))
    return FALSE;
  if (!ww_cli_exclude ("--map", weights_options.map != NULL, "--head", head != NULL, error)
      || !ww_cli_require ("--output", output, error)
      || !ww_cli_context_options_check (&context_options, FALSE, error)
      || !ww_cli_check_output ("--output", output, error))
    return FALSE;

  return trained ? write_trained (&context_options, &trained_options, output, error)
                 : write_random (&context_options, &weights_options, &weights, output, error);
}

const WwCliCommand ww_cli_attention_command = {
  .name = "attention",
  .summary = "Write the n x n attention weights of a context",
  .help = "Row: the token that looks; column: the token looked at. With --head or a --layer from 1\n"
          "on, and without --map, the attention that a checkpoint was trained to: block 1 is the first.\n"
          "\n"
          "Examples:\n"
          "  wordsway-cli attention --map raf --text \"I love her much\" --output A.npy\n"
          "  wordsway-cli attention --layer 1 --head mean --text \"I love her much\" --output A.npy",
  .run = run,
};
