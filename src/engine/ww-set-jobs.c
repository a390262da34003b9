#include "ww-set-jobs.h"

#include <glib/gi18n-lib.h>

#include "ww-set-open.h"

/* ---- Opening a set ---- */

typedef struct
{
  WwOrigin *origin;
  GCancellable *cancellable;
  WwWorker *worker; /* while the step runs */
  double emitted;
} LoadRequest;

gpointer
ww_load_request_new (const WwOrigin *origin, GCancellable *cancellable)
{
  LoadRequest *request = g_new0 (LoadRequest, 1);

  request->origin = ww_origin_copy (origin);
  request->cancellable = g_object_ref (cancellable);

  return request;
}

static void
load_request_free (gpointer data)
{
  LoadRequest *request = data;

  ww_origin_free (request->origin);
  g_clear_object (&request->cancellable);
  g_free (request);
}

static void
load_free (gpointer data)
{
  WwLoad *load = data;

  g_clear_object (&load->set);
  g_free (load);
}

/* Readers call this far more often than anybody can see. */
static void
load_progress (double fraction, gpointer user_data)
{
  LoadRequest *request = user_data;
  WwLoad *load;

  if (fraction < request->emitted + 0.01)
    return;

  request->emitted = fraction;
  load = g_new0 (WwLoad, 1);
  load->fraction = fraction;
  ww_worker_emit (request->worker, load);
}

static WwStep
load_step (gpointer data, WwWorker *worker, const WwCancel *cancel, GError **error)
{
  LoadRequest *request = data;
  const WwOrigin *origin = request->origin;
  const WwOpenOptions options = ww_origin_get_options (origin);
  WwLoad *load;
  WwSet *set;

  request->worker = worker;
  set = origin->file != NULL
          ? ww_set_open_full (origin->file, &options, request->cancellable, load_progress, request,
                              error)
          : ww_set_open_builtin (origin->name, error);
  if (set == NULL)
    return WW_STEP_FAILED;
  ww_origin_attach (origin, set);

  load = g_new0 (WwLoad, 1);
  load->fraction = 1.0;
  load->set = set;
  ww_worker_emit (worker, load);

  return WW_STEP_DONE;
}

const WwJobClass ww_load_job = { load_step, load_request_free, load_free };

/* ---- Text to tokens ---- */

#define MAX_NAMED 5 /* unknown words that a message names before it counts the rest */

gpointer
ww_text_request_new (const WwInputs *inputs)
{
  return ww_inputs_copy (inputs);
}

static void
text_request_free (gpointer data)
{
  ww_inputs_free (data);
}

static void
tokenised_free (gpointer data)
{
  WwTokenised *tokenised = data;

  g_clear_pointer (&tokenised->tokens, ww_tokens_unref);
  g_clear_pointer (&tokenised->rows, ww_tokens_unref);
  g_free (tokenised->message);
  g_free (tokenised);
}

/* The word as the user typed it: the set may call every unknown one "[UNK]". */
static char *
get_typed_word (const WwToken *token, const char *text)
{
  gsize length = strlen (text);

  if (token->start < token->end && token->end <= length)
    return g_strndup (text + token->start, token->end - token->start);

  return g_strdup (token->display);
}

/* "“red”, “green”, “,”": the unknown words, each once, as many as a sentence takes; *ret_more: the rest. */
static char *
name_unknown (const WwTokens *tokens, const char *text, const WwToken **ret_first, guint *ret_more)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GString *names = g_string_new (NULL);

  *ret_first = NULL;
  for (gsize i = 0; i < tokens->n; i++)
    {
      g_autofree char *word = NULL;

      if (!tokens->tokens[i].unknown)
        continue;
      if (*ret_first == NULL)
        *ret_first = &tokens->tokens[i];

      word = get_typed_word (&tokens->tokens[i], text);
      if (g_hash_table_contains (seen, word))
        continue;
      if (g_hash_table_size (seen) < MAX_NAMED)
        {
          /* Translators: a word in quotation marks, one of several that a sentence lists. */
          g_autofree char *quoted = g_strdup_printf (_("“%s”"), word);

          g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", quoted);
        }
      g_hash_table_add (seen, g_steal_pointer (&word));
    }

  *ret_more = g_hash_table_size (seen) > MAX_NAMED ? g_hash_table_size (seen) - MAX_NAMED : 0;
  return g_string_free (names, FALSE);
}

/* A sentence that names the unknown words and says what becomes of them; NULL if there are none. */
static char *
describe_unknown (const WwTokens *tokens, const char *text)
{
  const WwToken *first;
  guint more;
  g_autofree char *names = name_unknown (tokens, text, &first, &more);

  if (first == NULL)
    return NULL;
  if (!first->has_row && more == 0)
    return g_strdup_printf (_("Unknown to this set and left out: %s."), names);
  if (!first->has_row)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "Unknown to this set and left out: %s and %u more word.",
                                         "Unknown to this set and left out: %s and %u more words.", more),
                            names, more);
  if (first->id == WW_TOKEN_RANDOM_ROW && more == 0)
    return g_strdup_printf (_("Unknown to this set, with random rows: %s."), names);
  if (first->id == WW_TOKEN_RANDOM_ROW)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "Unknown to this set, with random rows: %s and %u more word.",
                                         "Unknown to this set, with random rows: %s and %u more words.", more),
                            names, more);
  if (more == 0)
    return g_strdup_printf (_("Unknown to this set: %s."), names);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "Unknown to this set: %s and %u more word.",
                                       "Unknown to this set: %s and %u more words.", more),
                          names, more);
}

const char *
ww_text_describe_unknown_to (WwSet *set)
{
  if (ww_set_goes_by_numbers (set) && ww_set_get_kind (set) == WW_SET_KIND_CHECKPOINT)
    return _("The rows of this set go by their numbers, as its tokeniser is not followed. Write some of them, as in"
             " “0 1 2 3”.");
  if (ww_set_goes_by_numbers (set))
    return _("The rows of this set have no words; they go by their numbers. Write some of them, as in “0 1 2 3”, or choose "
             "a list of words in the preview of the set.");

  return _("No word of this text is known to the set. Try another text, or open another set.");
}

static char *
describe_empty (const WwInputs *inputs, const GError *error)
{
  if (g_error_matches (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS) && *inputs->text != '\0')
    return g_strdup (ww_text_describe_unknown_to (inputs->set));
  if (g_error_matches (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS))
    return g_strdup (_("Type a text, or choose one of the examples."));

  return g_strdup (error->message);
}

static WwStep
text_step (gpointer data, WwWorker *worker, const WwCancel *cancel, GError **error)
{
  const WwInputs *inputs = data;
  g_autoptr (GError) tokenise_error = NULL;
  WwTokenised *tokenised = g_new0 (WwTokenised, 1);

  tokenised->tokens = ww_set_tokenise_full (inputs->set, inputs->text, inputs->special,
                                            (WwUnknown) inputs->unknown, inputs->unknown_seed,
                                            &tokenise_error);
  if (tokenised->tokens != NULL)
    {
      tokenised->rows = ww_tokens_with_rows (tokenised->tokens);
      tokenised->message = describe_unknown (tokenised->tokens, inputs->text);
    }
  else
    tokenised->message = describe_empty (inputs, tokenise_error);

  ww_worker_emit (worker, tokenised);

  return WW_STEP_DONE;
}

const WwJobClass ww_text_job = { text_step, text_request_free, tokenised_free };
