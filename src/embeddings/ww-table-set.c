#include "ww-table-set.h"

#include <glib/gi18n-lib.h>
#include <pthread.h>

#include "ww-tokens-private.h"

#define WW_TYPE_TABLE_SET (ww_table_set_get_type ())
G_DECLARE_FINAL_TYPE (WwTableSet, ww_table_set, WW, TABLE_SET, WwSet)

struct _WwTableSet
{
  WwSet parent_instance;

  WwVocab *vocab; /* NULL: a ready context */
  WwWordMarks marks;
  pthread_mutex_t mutex; /* of what is found out when a text first asks for it; not a GMutex, which the
                          * thread sanitizer cannot see */
  WwWholeWords *spaced; /* words with white space in them; NULL: there are none */
  gboolean spaced_known;
  WwTokeniser *tokeniser; /* NULL: words are looked up */
  WwVocab *labels; /* of the rows of a ready context; NULL: they are numbered */
  WwTable *table;
};

G_DEFINE_FINAL_TYPE (WwTableSet, ww_table_set, WW_TYPE_SET)

static void
ww_table_set_finalize (GObject *object)
{
  WwTableSet *self = WW_TABLE_SET (object);

  ww_vocab_free (self->vocab);
  ww_vocab_free (self->labels);
  ww_whole_words_free (self->spaced);
  pthread_mutex_destroy (&self->mutex);
  ww_tokeniser_free (self->tokeniser);
  ww_table_free (self->table);

  G_OBJECT_CLASS (ww_table_set_parent_class)->finalize (object);
}

static void
ww_table_set_fill_token (WwSet *set, guint32 id, WwToken *ret_token)
{
  WwTableSet *self = WW_TABLE_SET (set);
  WwToken token = { 0 };
  guint32 unknown;

  if (self->tokeniser != NULL)
    {
      ww_tokeniser_fill_token (self->tokeniser, id, ret_token);
      return;
    }

  token.id = id;
  token.has_row = TRUE;
  if (self->vocab != NULL)
    {
      token.text = g_strdup (ww_vocab_get (self->vocab, id));
      token.unknown = ww_words_find_unknown (self->vocab, &unknown) && unknown == id;
    }
  else if (self->labels != NULL && *ww_vocab_get (self->labels, id) != '\0')
    token.text = g_strdup (ww_vocab_get (self->labels, id));
  else
    token.text = g_strdup_printf ("%u", id + 1); /* people count from 1 */
  token.display = ww_words_dup_display (token.text, self->marks);
  *ret_token = token;
}

/* Pieces of words have white space of their own. */
static const WwWholeWords *
get_spaced (WwTableSet *self)
{
  if (self->marks != WW_WORD_MARKS_NONE)
    return NULL;

  pthread_mutex_lock (&self->mutex);
  if (!self->spaced_known)
    self->spaced = ww_words_find_spaced (self->vocab);
  self->spaced_known = TRUE;
  pthread_mutex_unlock (&self->mutex);
  return self->spaced;
}

static WwTokens *
ww_table_set_tokenise (WwSet *set, const char *text, gboolean special, GError **error)
{
  WwTableSet *self = WW_TABLE_SET (set);
  GArray *array;

  if (self->tokeniser != NULL)
    return ww_tokeniser_tokenise (self->tokeniser, text, special);
  if (self->vocab != NULL)
    return ww_words_tokenise (self->vocab, self->marks, get_spaced (self), text);

  array = ww_tokens_array_new ();
  for (gsize row = 0; row < self->table->rows; row++)
    {
      WwToken token;

      ww_table_set_fill_token (set, (guint32) row, &token);
      g_array_append_val (array, token);
    }
  return ww_tokens_new_take (array);
}

static WwMatrix *
ww_table_set_get_context (WwSet *set, const guint32 *ids, gsize n, int layer, GError **error)
{
  WwTableSet *self = WW_TABLE_SET (set);
  g_autoptr (WwMatrix) context = ww_matrix_new (n, self->table->cols, error);

  if (context == NULL)
    return NULL;
  for (gsize j = 0; j < n; j++)
    if (!ww_table_read_row (self->table, ids[j], context->data + j * context->cols, error))
      return NULL;

  return g_steal_pointer (&context);
}

/* The first of the words that the rows of a ready context stand for. */
static void
add_labels (WwTableSet *self, GPtrArray *pairs)
{
  gsize n = MIN (self->table->rows, 8);
  g_autoptr (GString) list = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    {
      const char *label = ww_vocab_get (self->labels, (guint32) i);

      g_string_append_printf (list, "%s%s", i > 0 ? " " : "", *label != '\0' ? label : "-");
    }
  ww_set_add_pair (pairs, "Tokens", "%s%s", list->str, n < self->table->rows ? " ..." : "");
}

static void
ww_table_set_describe (WwSet *set, GPtrArray *pairs)
{
  WwTableSet *self = WW_TABLE_SET (set);
  guint32 unknown;

  if (self->tokeniser != NULL)
    ww_set_add_pair (pairs, "Tokeniser", "%s", ww_tokeniser_get_name (self->tokeniser));
  else if (self->vocab != NULL)
    ww_set_add_pair (pairs, "Tokeniser", "%s", self->marks == WW_WORD_MARKS_NONE
                                                 ? "whole words"
                                                 : "whole words, or else the longest pieces (not the"
                                                   " model's own tokeniser)");
  ww_set_add_pair (pairs, "Values", "%s", ww_dtype_get_name (self->table->dtype));
  if (self->labels != NULL)
    add_labels (self, pairs);
  if (self->tokeniser != NULL)
    return;
  if (self->vocab != NULL && ww_words_find_unknown (self->vocab, &unknown))
    ww_set_add_pair (pairs, "Unknown words", "use the row of \"%s\"",
                     ww_vocab_get (self->vocab, unknown));
  else if (self->vocab != NULL)
    ww_set_add_pair (pairs, "Unknown words", "are left out and shown as unknown");
}

static void
ww_table_set_class_init (WwTableSetClass *class)
{
  WwSetClass *set_class = WW_SET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = ww_table_set_finalize;
  set_class->tokenise = ww_table_set_tokenise;
  set_class->fill_token = ww_table_set_fill_token;
  set_class->get_context = ww_table_set_get_context;
  set_class->describe = ww_table_set_describe;
}

static void
ww_table_set_init (WwTableSet *self)
{
  pthread_mutex_init (&self->mutex, NULL);
}

WwSet *
ww_table_set_new (const char *name, const char *format, WwSource *source, WwVocab *vocab,
                  WwTable *table)
{
  WwTableSet *self = g_object_new (WW_TYPE_TABLE_SET, NULL);
  WwSetFacts facts = { WW_SET_KIND_CONTEXT, name, format, table->rows, table->cols, 0, &source,
                       1 };
  guint32 unknown;

  if (vocab != NULL)
    {
      facts.kind = WW_SET_KIND_WORDS;
      facts.n_entries = ww_vocab_get_size (vocab);
    }
  self->vocab = vocab;
  self->table = table;
  ww_set_set_facts (WW_SET (self), &facts);
  if (vocab != NULL && !ww_words_find_unknown (vocab, &unknown))
    ww_set_set_lacks_unknown (WW_SET (self));
  if (vocab != NULL && ww_vocab_is_numbers (vocab))
    ww_set_set_by_numbers (WW_SET (self));
  return WW_SET (self);
}

void
ww_table_set_take_labels (WwSet *set, WwVocab *labels)
{
  WwTableSet *self = WW_TABLE_SET (set);

  g_return_if_fail (self->vocab == NULL && ww_vocab_get_size (labels) == self->table->rows);

  self->labels = labels;
}

void
ww_table_set_set_marks (WwSet *set, WwWordMarks marks)
{
  WW_TABLE_SET (set)->marks = marks;
}

void
ww_table_set_take_tokeniser (WwSet *set, WwTokeniser *tokeniser, const char *why)
{
  if (tokeniser == NULL)
    {
      if (why != NULL)
        ww_set_add_warning (set, _("The model's own tokeniser is not followed (%s): texts become whole words, or else"
                                   " the longest tokens"), why);
      return;
    }

  WW_TABLE_SET (set)->tokeniser = tokeniser;
  ww_set_take_tokeniser_files (set, ww_tokeniser_steal_files (tokeniser));
  ww_set_set_token_limits (set, ww_tokeniser_get_limits (tokeniser));
  ww_set_set_spells (set);
}
