#include "ww-set-private.h"

#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <string.h>

#include "ww-digest.h"
#include "ww-set-unknown.h"
#include "ww-text-check.h"
#include "ww-token-limits.h"
#include "ww-tokens-private.h"

typedef struct
{
  WwSetKind kind;
  char *name, *format;
  gsize n_entries, dims;
  gsize max_positions; /* 0: there is no layer 0 */
  gsize n_layers;      /* behind layer 0 */
  gsize n_attention_layers, n_heads;
  char *lack;
  GString *warnings;
  GPtrArray *digested; /* WwSource */
  pthread_mutex_t digest_lock; /* not a GMutex, which the thread sanitizer cannot see */
  char *digest, *config_digest;
  char *list_name, *list_digest; /* of the list of words in a file of its own; NULL: none */
  GPtrArray *list; /* WwSource, one, or the files of a tokeniser */
  GArray *limits;  /* WwTokenLimit; NULL: none */
  WwUnknown unknown;
  guint64 unknown_seed;
  gsize text, n_texts; /* 0: one */
  gboolean spells; /* words with pieces: none is unknown as a whole */
  gboolean by_numbers; /* rows have numbers in place of words */
  gboolean lacks_unknown; /* no row stands for what is unknown */
} WwSetPrivate;

G_DEFINE_QUARK (ww-set-error-quark, ww_set_error)
G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (WwSet, ww_set, G_TYPE_OBJECT)

#define PRIVATE(self) ((WwSetPrivate *) ww_set_get_instance_private (self))

static void
ww_set_finalize (GObject *object)
{
  WwSetPrivate *private = PRIVATE (WW_SET (object));

  g_free (private->name);
  g_free (private->format);
  g_string_free (private->warnings, TRUE);
  g_clear_pointer (&private->digested, g_ptr_array_unref);
  pthread_mutex_destroy (&private->digest_lock);
  g_free (private->digest);
  g_free (private->config_digest);
  g_free (private->list_name);
  g_free (private->list_digest);
  g_clear_pointer (&private->list, g_ptr_array_unref);
  g_clear_pointer (&private->limits, g_array_unref);
  g_free (private->lack);

  G_OBJECT_CLASS (ww_set_parent_class)->finalize (object);
}

static void
ww_set_class_init (WwSetClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ww_set_finalize;
}

static void
ww_set_init (WwSet *self)
{
  WwSetPrivate *private = PRIVATE (self);

  private->warnings = g_string_new (NULL);
  pthread_mutex_init (&private->digest_lock, NULL);
}

void
ww_set_set_facts (WwSet *self, const WwSetFacts *facts)
{
  WwSetPrivate *private = PRIVATE (self);

  g_return_if_fail (private->name == NULL);

  private->kind = facts->kind;
  private->spells = facts->kind == WW_SET_KIND_CHECKPOINT;
  private->name = g_strdup (facts->name);
  /* Names of files and of what is in them may hold anything; this one stands in lists and in comment lines. */
  for (char *c = private->name; c != NULL && *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  private->format = g_strdup (facts->format);
  private->n_entries = facts->n_entries;
  private->dims = facts->dims;
  private->max_positions = facts->max_positions;
  private->n_layers = facts->max_positions > 0 ? facts->n_layers : 0;
  private->n_attention_layers = facts->n_attention_layers;
  private->n_heads = facts->n_heads;
  private->lack = g_strdup (facts->lack);
  private->digested = g_ptr_array_new_with_free_func ((GDestroyNotify) ww_source_unref);
  for (gsize i = 0; i < facts->n_digested; i++)
    g_ptr_array_add (private->digested, ww_source_ref (facts->digested[i]));
}

void
ww_set_add_warning (WwSet *self, const char *format, ...)
{
  WwSetPrivate *private = PRIVATE (self);
  g_autofree char *remark = NULL, *valid = NULL;
  va_list args;

  va_start (args, format);
  remark = g_strdup_vprintf (format, args);
  va_end (args);
  /* A long name out of a file may have been cut in the middle of a character. */
  valid = g_utf8_make_valid (remark, -1);
  if (private->warnings->len > 0)
    g_string_append_c (private->warnings, '\n');
  g_string_append (private->warnings, valid);
}

void
ww_set_set_unknown (WwSet *self, WwUnknown unknown, guint64 seed)
{
  PRIVATE (self)->unknown = unknown;
  PRIVATE (self)->unknown_seed = seed;
  if (unknown != WW_UNKNOWN_RANDOM || !PRIVATE (self)->spells)
    return;
  if (PRIVATE (self)->by_numbers)
    ww_set_add_warning (self, _("What is no number of a row is left out: this set has no vector for it"));
  else
    ww_set_add_warning (self, _("Random rows are for tables of words; this set spells words with its pieces, and"
                                " what is left has its trained vector"));
}

void
ww_set_set_token_limits (WwSet *self, GArray *limits)
{
  PRIVATE (self)->limits = limits != NULL ? g_array_ref (limits) : NULL;
}

void
ww_set_set_texts (WwSet *self, gsize text, gsize n_texts)
{
  PRIVATE (self)->text = text;
  PRIVATE (self)->n_texts = n_texts;
}

void
ww_set_set_spells (WwSet *self)
{
  PRIVATE (self)->spells = TRUE;
}

void
ww_set_set_by_numbers (WwSet *self)
{
  PRIVATE (self)->by_numbers = TRUE;
}

void
ww_set_set_lacks_unknown (WwSet *self)
{
  PRIVATE (self)->lacks_unknown = TRUE;
}

void
ww_set_add_pair (GPtrArray *pairs, const char *name, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (pairs, g_strdup (name));
  g_ptr_array_add (pairs, g_strdup_vprintf (format, args));
  va_end (args);
}

WwSetKind
ww_set_get_kind (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), WW_SET_KIND_CONTEXT);

  return PRIVATE (self)->kind;
}

gboolean
ww_set_spells_words (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), FALSE);

  return PRIVATE (self)->spells;
}

gboolean
ww_set_goes_by_numbers (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), FALSE);

  return PRIVATE (self)->by_numbers;
}

gboolean
ww_set_has_unknown_vector (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), FALSE);

  return PRIVATE (self)->kind != WW_SET_KIND_CONTEXT && !PRIVATE (self)->by_numbers
         && (PRIVATE (self)->spells || !PRIVATE (self)->lacks_unknown);
}

const char *
ww_set_get_name (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);

  return PRIVATE (self)->name;
}

const char *
ww_set_get_format (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);

  return PRIVATE (self)->format;
}

gsize
ww_set_get_n_entries (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), 0);

  return PRIVATE (self)->n_entries;
}

gsize
ww_set_get_dims (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), 0);

  return PRIVATE (self)->dims;
}

const char *
ww_set_get_lack (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);

  return PRIVATE (self)->lack;
}

gsize
ww_set_get_text (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), 0);

  return PRIVATE (self)->text;
}

gsize
ww_set_get_n_texts (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), 1);

  return MAX (PRIVATE (self)->n_texts, 1);
}

const char *
ww_set_get_warnings (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);

  return PRIVATE (self)->warnings->len > 0 ? PRIVATE (self)->warnings->str : NULL;
}

/* Once only, whatever the number of threads that ask. */
static const char *
get_digest (WwSet *self, GPtrArray *sources, char **digest, GCancellable *cancellable, WwSetProgressFunc progress,
            gpointer user_data, GError **error)
{
  WwSetPrivate *private = PRIVATE (self);
  const char *found;

  pthread_mutex_lock (&private->digest_lock);
  if (*digest == NULL)
    *digest = ww_digest_sources_full (sources, cancellable, progress, user_data, error);
  found = *digest;
  pthread_mutex_unlock (&private->digest_lock);

  return found;
}

const char *
ww_set_get_sha256_full (WwSet *self, GCancellable *cancellable, WwSetProgressFunc progress, gpointer user_data,
                        GError **error)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);

  return get_digest (self, PRIVATE (self)->digested, &PRIVATE (self)->digest, cancellable, progress, user_data, error);
}

const char *
ww_set_get_sha256 (WwSet *self, GCancellable *cancellable, GError **error)
{
  return ww_set_get_sha256_full (self, cancellable, NULL, NULL, error);
}

void
ww_set_set_config_sha256 (WwSet *self, const char *sha256)
{
  g_return_if_fail (PRIVATE (self)->config_digest == NULL);

  PRIVATE (self)->config_digest = g_strdup (sha256);
}

const char *
ww_set_get_config_sha256 (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);

  return PRIVATE (self)->config_digest;
}

void
ww_set_set_list (WwSet *self, const char *name, GPtrArray *sources)
{
  g_return_if_fail (PRIVATE (self)->list == NULL);

  PRIVATE (self)->list_name = g_strdup (name);
  PRIVATE (self)->list = g_ptr_array_ref (sources);
}

const char *
ww_set_get_list_name (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);

  return PRIVATE (self)->list_name;
}

const char *
ww_set_get_list_sha256 (WwSet *self, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (WW_IS_SET (self) && PRIVATE (self)->list != NULL, NULL);

  return get_digest (self, PRIVATE (self)->list, &PRIVATE (self)->list_digest, cancellable, NULL, NULL, error);
}

char **
ww_set_describe (WwSet *self)
{
  WwSetPrivate *private;
  GPtrArray *pairs;
  g_autofree char *limits = NULL;

  g_return_val_if_fail (WW_IS_SET (self), NULL);

  private = PRIVATE (self);
  limits = ww_token_limits_list (private->limits, ww_set_get_max_tokens (self, ww_set_get_default_layer (self)));
  pairs = g_ptr_array_new ();
  ww_set_add_pair (pairs, "Name", "%s", private->name);
  ww_set_add_pair (pairs, "Format", "%s", private->format);
  ww_set_add_pair (pairs, private->kind == WW_SET_KIND_CONTEXT ? "Rows" : "Entries",
                   "%" G_GSIZE_FORMAT, private->n_entries);
  ww_set_add_pair (pairs, "Dimensions", "%" G_GSIZE_FORMAT, private->dims);
  if (WW_SET_GET_CLASS (self)->describe != NULL)
    WW_SET_GET_CLASS (self)->describe (self, pairs);
  if (limits != NULL)
    ww_set_add_pair (pairs, "Cut elsewhere", "at %s; not here", limits);
  if (private->list_name != NULL)
    ww_set_add_pair (pairs, "Words from", "%s", private->list_name);
  if (private->warnings->len > 0)
    ww_set_add_pair (pairs, "Warnings", "%s", private->warnings->str);

  g_ptr_array_add (pairs, NULL);
  return (char **) g_ptr_array_free (pairs, FALSE);
}

WwTokens *
ww_set_tokenise (WwSet *self, const char *text, gboolean special, GError **error)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);

  return ww_set_tokenise_full (self, text, special, PRIVATE (self)->unknown,
                               PRIVATE (self)->unknown_seed, error);
}

/* `any`: a text in which nothing is known will do. */
static WwTokens *
tokenise (WwSet *self, const char *text, gboolean special, gboolean any, WwUnknown unknown,
          guint64 seed, GError **error)
{
  gboolean has_words = PRIVATE (self)->kind != WW_SET_KIND_CONTEXT;
  g_autoptr (WwTokens) tokens = NULL;

  g_return_val_if_fail (text != NULL || !has_words, NULL);
  if (has_words && !ww_text_check (text, error))
    return NULL;

  tokens = WW_SET_GET_CLASS (self)->tokenise (self, text, special, error);
  if (tokens == NULL || (has_words && !any && !ww_text_check_known (tokens, text, error)))
    return NULL;

  ww_unknown_apply (tokens, unknown, seed, !PRIVATE (self)->spells);

  return g_steal_pointer (&tokens);
}

WwTokens *
ww_set_tokenise_full (WwSet *self, const char *text, gboolean special, WwUnknown unknown,
                      guint64 seed, GError **error)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);

  return tokenise (self, text, special, FALSE, unknown, seed, error);
}

WwTokens *
ww_set_tokenise_any (WwSet *self, const char *text, gboolean special, GError **error)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);

  return tokenise (self, text, special, TRUE, PRIVATE (self)->unknown, PRIVATE (self)->unknown_seed,
                   error);
}

WwTokens *
ww_set_tokens_from_ids (WwSet *self, const guint32 *ids, gsize n, GError **error)
{
  gsize n_entries;
  GArray *array;

  g_return_val_if_fail (WW_IS_SET (self), NULL);
  g_return_val_if_fail (ids != NULL || n == 0, NULL);

  if (n == 0)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS, _("No ids were given"));
      return NULL;
    }

  n_entries = PRIVATE (self)->n_entries;
  for (gsize i = 0; i < n; i++)
    if (ids[i] >= n_entries)
      {
        g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                     _("Id %u (number %zu of the list) is not in the set; its ids go from 0 to %zu"),
                     ids[i], i + 1, n_entries - 1);
        return NULL;
      }

  array = ww_tokens_array_new ();
  for (gsize i = 0; i < n; i++)
    {
      WwToken token;

      WW_SET_GET_CLASS (self)->fill_token (self, ids[i], &token);
      g_array_append_val (array, token);
    }
  return ww_tokens_new_take (array);
}

GArray *
ww_set_get_layers (WwSet *self)
{
  int highest;
  GArray *array;

  g_return_val_if_fail (WW_IS_SET (self), NULL);

  highest = PRIVATE (self)->max_positions > 0 ? (int) PRIVATE (self)->n_layers : WW_LAYER_WORD;
  array = g_array_new (FALSE, FALSE, sizeof (int));
  /* A vocabulary without weights has none. */
  for (int layer = WW_LAYER_WORD; PRIVATE (self)->dims > 0 && layer <= highest; layer++)
    g_array_append_val (array, layer);
  return array;
}

int
ww_set_get_default_layer (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), WW_LAYER_WORD);

  return PRIVATE (self)->max_positions > 0 ? 0 : WW_LAYER_WORD;
}

gsize
ww_set_get_max_tokens (WwSet *self, int layer)
{
  g_return_val_if_fail (WW_IS_SET (self), 0);

  return layer == WW_LAYER_WORD || PRIVATE (self)->max_positions == 0
           ? WW_MAX_ROWS
           : PRIVATE (self)->max_positions;
}

char *
ww_set_dup_cut_note (WwSet *self, gsize n, int layer)
{
  gsize most = ww_set_get_max_tokens (self, layer);
  g_autofree char *limits = ww_token_limits_list (PRIVATE (self)->limits, MIN (n, most));

  if (limits == NULL)
    return NULL;
  if (most == WW_MAX_ROWS)
    return g_strdup_printf (_("The tokeniser's own files cut texts at %s; Wordsway keeps them whole"), limits);

  return g_strdup_printf (_("The tokeniser's own files cut texts at %s; Wordsway keeps up to %zu (the positions of the"
                            " model)"), limits, most);
}

/* The rows that the tokens name, as far as they have one. */
static guint32 *
collect_ids (WwSet *self, WwTokens *tokens, gsize *ret_n, GError **error)
{
  g_autofree guint32 *ids = g_new (guint32, MAX (tokens->n, 1));
  gsize n = 0;

  for (gsize i = 0; i < tokens->n; i++)
    if (tokens->tokens[i].has_row)
      ids[n++] = tokens->tokens[i].id == WW_TOKEN_RANDOM_ROW ? 0 : tokens->tokens[i].id;

  if (n == 0)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS,
                   tokens->n == 1 ? _("The only token has no row in the set")
                                  : _("None of the %zu tokens has a row in the set"), tokens->n);
      return NULL;
    }
  if (n > WW_MAX_ROWS)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_TOO_LARGE,
                   _("%zu tokens; a context has at most %d rows"), n, WW_MAX_ROWS);
      return NULL;
    }
  for (gsize i = 0; i < n; i++)
    if (ids[i] >= PRIVATE (self)->n_entries)
      {
        g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                     _("Token %zu has id %u, which is not in this set"), i + 1, ids[i]);
        return NULL;
      }

  *ret_n = n;
  return g_steal_pointer (&ids);
}

static WwMatrix *
get_rows (WwSet *self, WwTokens *tokens, const guint32 *ids, gsize n, int layer, GError **error)
{
  WwMatrix *rows = WW_SET_GET_CLASS (self)->get_context (self, ids, n, layer, error);

  if (rows != NULL)
    ww_unknown_fill_rows (tokens, rows);
  return rows;
}

static gboolean
check_layer (WwSet *self, int layer, GError **error)
{
  WwSetPrivate *private = PRIVATE (self);
  g_autofree char *offered = NULL;

  if (layer == WW_LAYER_WORD
      || (layer >= 0 && private->max_positions > 0 && (gsize) layer <= private->n_layers))
    return TRUE;

  if (private->max_positions == 0)
    offered = g_strdup (_("the word vectors only"));
  else if (private->n_layers == 0)
    offered = g_strdup (_("the word vectors and layer 0"));
  else
    offered = g_strdup_printf (_("the word vectors and the layers 0 to %zu"), private->n_layers);
  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED, _("%s has no layer %d; it offers %s%s%s"),
               private->name, layer, offered, private->lack != NULL ? ": " : "",
               private->lack != NULL ? private->lack : "");
  return FALSE;
}

WwMatrix *
ww_set_get_context_cancellable (WwSet *self, WwTokens *tokens, int layer, const WwCancel *cancel,
                                GError **error)
{
  g_autofree guint32 *ids = NULL;
  gsize n;

  g_return_val_if_fail (WW_IS_SET (self), NULL);
  g_return_val_if_fail (tokens != NULL, NULL);

  if (!check_layer (self, layer, error))
    return NULL;
  ids = collect_ids (self, tokens, &n, error);
  if (ids == NULL)
    return NULL;

  return layer >= 1 ? WW_SET_GET_CLASS (self)->get_state (self, ids, n, layer, cancel, error)
                    : get_rows (self, tokens, ids, n, layer, error);
}

WwMatrix *
ww_set_get_context (WwSet *self, WwTokens *tokens, int layer, GError **error)
{
  return ww_set_get_context_cancellable (self, tokens, layer, NULL, error);
}

gsize
ww_set_get_attention_layers (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), 0);

  return PRIVATE (self)->n_attention_layers;
}

gsize
ww_set_get_attention_heads (WwSet *self)
{
  g_return_val_if_fail (WW_IS_SET (self), 0);

  return PRIVATE (self)->n_attention_layers > 0 ? PRIVATE (self)->n_heads : 0;
}

static gboolean
check_attention (WwSet *self, int layer, int head, GError **error)
{
  WwSetPrivate *private = PRIVATE (self);
  gsize layers = private->n_attention_layers;

  if (private->kind != WW_SET_KIND_CHECKPOINT)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                 _("%s has no trained attention; that takes a checkpoint"), private->name);
  else if (layers == 0)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED, _("%s has no trained attention: %s"),
                 private->name, private->lack != NULL ? private->lack : _("it has no blocks"));
  else if (layer < 1 || (gsize) layer > layers)
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                 g_dngettext (GETTEXT_PACKAGE,
                              "%s offers no trained attention of block %d; it has that of block %zu%s%s",
                              "%s offers no trained attention of block %d; it has that of the blocks 1 to %zu%s%s",
                              layers),
                 private->name, layer, layers,
                 private->lack != NULL ? ": " : "", private->lack != NULL ? private->lack : "");
  else if (head < WW_HEAD_ALL || (head >= 0 && (gsize) head >= private->n_heads))
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                 _("%s has no head %d; its heads are 0 to %zu"), private->name, head,
                 private->n_heads - 1);
  else
    return TRUE;

  return FALSE;
}

WwMatrix *
ww_set_get_trained_attention_cancellable (WwSet *self, WwTokens *tokens, int layer, int head,
                                          const WwCancel *cancel, GError **error)
{
  g_autofree guint32 *ids = NULL;
  gsize n;

  g_return_val_if_fail (WW_IS_SET (self), NULL);
  g_return_val_if_fail (tokens != NULL, NULL);

  if (!check_attention (self, layer, head, error))
    return NULL;
  ids = collect_ids (self, tokens, &n, error);
  if (ids == NULL)
    return NULL;

  return WW_SET_GET_CLASS (self)->get_trained_attention (self, ids, n, NULL, layer, head, cancel, error);
}

WwMatrix *
ww_set_get_trained_attention (WwSet *self, WwTokens *tokens, int layer, int head, GError **error)
{
  return ww_set_get_trained_attention_cancellable (self, tokens, layer, head, NULL, error);
}

WwMatrix *
ww_set_weigh_state (WwSet *self, const WwMatrix *state, int layer, int head, const WwCancel *cancel,
                    GError **error)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);
  g_return_val_if_fail (state != NULL, NULL);

  if (!check_attention (self, layer, head, error))
    return NULL;

  return WW_SET_GET_CLASS (self)->get_trained_attention (self, NULL, 0, state, layer, head, cancel, error);
}

WwWeigher *
ww_set_new_weigher (WwSet *self, const WwMatrix *state, int layer, GError **error)
{
  g_return_val_if_fail (WW_IS_SET (self), NULL);
  g_return_val_if_fail (state != NULL, NULL);

  if (!check_attention (self, layer, WW_HEAD_MEAN, error))
    return NULL;

  return WW_SET_GET_CLASS (self)->new_weigher (self, state, layer, error);
}
