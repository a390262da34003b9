#include "ww-tensor-set.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-array-set.h"
#include "ww-checkpoint-files.h"
#include "ww-table-set.h"
#include "ww-word-list.h"

const char *const ww_usual_tables[] = {
  "token_embd.weight",                 /* GGUF */
  "wte.weight",                        /* GPT-2 */
  "embeddings.word_embeddings.weight", /* BERT and its family */
  "model.embed_tokens.weight",         /* Llama and its family */
  "embed_tokens.weight",
  "embed.weight",
  "word_embeddings.weight",
  "tok_embeddings.weight",
  "shared.weight",                     /* T5 */
  "embed_in.weight",                   /* GPT-NeoX */
  "embeddings.weight",
  "embedding.weight",
  "embeddings",
  "embedding",
  NULL,
};

/* What else the vocabulary of a checkpoint is called, beside its tensors. */
static const char *const usual_lists[] = { "tokenizer.json", "vocab.json", "vocab.txt" };

static gboolean
find_usual_list (const WwTensorPlace *place, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
                 char **ret_name, gsize *ret_duplicates, GError **error)
{
  g_autoptr (GFile) folder = g_file_get_parent (place->file);

  for (gsize i = 0; folder != NULL && i < G_N_ELEMENTS (usual_lists); i++)
    {
      g_autoptr (GFile) list = g_file_get_child (folder, usual_lists[i]);

      if (g_file_query_file_type (list, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR)
        continue;
      if (!ww_word_list_load (list, rows, opening, ret_vocab, ret_duplicates, error))
        return FALSE;
      *ret_name = g_strdup (usual_lists[i]);
      return TRUE;
    }

  return TRUE;
}

/* The tokeniser beside the file, as far as its ids are rows; *ret_why says what keeps it from being followed. */
static WwTokeniser *
open_tokeniser (const WwTensorPlace *place, gsize rows, char **ret_why)
{
  g_autoptr (GFile) folder = g_file_get_parent (place->file);
  g_autoptr (WwTokeniser) tokeniser = NULL;
  g_autoptr (GError) error = NULL;

  if (folder == NULL || !ww_checkpoint_has_vocabulary (folder))
    return NULL;

  tokeniser = ww_tokeniser_open (folder, WW_FAMILY_NONE, &error);
  if (tokeniser != NULL && ww_vocab_get_size (ww_tokeniser_get_vocab (tokeniser)) <= rows)
    return g_steal_pointer (&tokeniser);

  /* Another error is that of the list, which is read next. */
  if (g_error_matches (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED))
    *ret_why = g_strdup (error->message);
  return NULL;
}

typedef struct
{
  WwVocab *vocab;
  char *list;
  gsize duplicates;
  gboolean numbered;
  WwTokeniser *tokeniser; /* NULL: words are looked up, */
  char *why;              /* in place of the tokeniser that there is; NULL: there is none */
} Words;

static void
words_clear (Words *words)
{
  ww_vocab_free (words->vocab);
  g_free (words->list);
  ww_tokeniser_free (words->tokeniser);
  g_free (words->why);
}

/* What the files of a checkpoint beside the tensor say. */
static gboolean
find_vocabulary (const WwTensorPlace *place, gsize rows, const WwOpening *opening, Words *words, GError **error)
{
  words->tokeniser = open_tokeniser (place, rows, &words->why);
  if (words->tokeniser == NULL)
    return find_usual_list (place, rows, opening, &words->vocab, &words->list, &words->duplicates, error);

  words->vocab = ww_vocab_dup_head (ww_tokeniser_get_vocab (words->tokeniser), G_MAXSIZE);
  words->list = g_strdup (ww_tokeniser_get_name (words->tokeniser));
  return TRUE;
}

/* The tokeniser beside a table whose name says nothing is its own where it has a piece for each row. */
static void
find_fitting_tokeniser (const WwTensorPlace *place, gsize rows, const WwOpening *opening, Words *words)
{
  g_autofree char *why = NULL;
  g_autoptr (WwTokeniser) tokeniser = open_tokeniser (place, rows, &why);

  if (tokeniser == NULL || ww_vocab_get_size (ww_tokeniser_get_vocab (tokeniser)) != rows)
    return;

  words->vocab = ww_vocab_dup_head (ww_tokeniser_get_vocab (tokeniser), G_MAXSIZE);
  words->list = g_strdup (ww_tokeniser_get_name (tokeniser));
  words->tokeniser = g_steal_pointer (&tokeniser);
  ww_opening_note_guess (opening, _("The tokeniser beside it has as many pieces as there are rows."));
}

static gboolean
find_words (const WwTensorPlace *place, gsize rows, const WwOpening *opening, Words *words,
            GError **error)
{
  gboolean asked = opening->options->words != NULL || opening->options->without_words;

  if (words->vocab != NULL && !asked)
    {
      ww_opening_note_words (opening, g_dngettext (GETTEXT_PACKAGE, "the list of %zu token in the file",
                                                   "the list of %zu tokens in the file",
                                                   ww_vocab_get_size (words->vocab)),
                             ww_vocab_get_size (words->vocab));
      return TRUE;
    }
  g_clear_pointer (&words->vocab, ww_vocab_free);
  if (!ww_array_find_words (place->file, rows, opening, &words->vocab, &words->list, &words->duplicates,
                            error))
    return FALSE;
  if (words->vocab != NULL || asked)
    return TRUE;
  if (!place->is_vocabulary)
    {
      find_fitting_tokeniser (place, rows, opening, words);
      if (words->vocab == NULL)
        ww_array_find_usual_list (place->file, rows, opening, &words->vocab, &words->list, &words->duplicates);
      return TRUE;
    }

  if (!find_vocabulary (place, rows, opening, words, error))
    return FALSE;
  if (words->vocab != NULL)
    ww_opening_note_words (opening, g_dngettext (GETTEXT_PACKAGE, "%s, with %zu word", "%s, with %zu words",
                                                 ww_vocab_get_size (words->vocab)),
                           words->list, ww_vocab_get_size (words->vocab));
  else
    {
      words->vocab = ww_vocab_new_numbers (rows);
      words->numbered = words->vocab != NULL;
      ww_opening_note_words (opening, _("nowhere: the rows go by their numbers, from 0"));
    }
  return TRUE;
}

static gboolean
check_fit (const WwTensorPlace *place, const WwTable *table, const Words *words, GError **error)
{
  gsize n = words->vocab != NULL ? ww_vocab_get_size (words->vocab) : 0;

  if (words->vocab == NULL || n == table->rows || (n > 0 && n < table->rows && place->is_vocabulary))
    return TRUE;

  ww_source_set_error (place->source, error, WW_SET_ERROR_SHAPE,
                       g_dngettext (GETTEXT_PACKAGE, "tensor \"%.200s\" has %zu rows, but %s has %zu word",
                                    "tensor \"%.200s\" has %zu rows, but %s has %zu words", n),
                       place->tensor, table->rows,
                       words->list != NULL ? words->list : _("the list of tokens in the file"), n);
  return FALSE;
}

/* Rows that are asked for by their numbers, or that are more than a context has, are those of a table, whatever it is
 * called. */
static void
number_rows (const WwTable *table, Words *words, const WwOpening *opening)
{
  if (words->vocab != NULL || !ww_rows_go_by_numbers (table->rows, opening))
    return;

  words->vocab = ww_vocab_new_numbers (table->rows);
  words->numbered = words->vocab != NULL;
}

static WwSet *
make_set (const WwTensorPlace *place, WwTable *table, Words *words, gboolean by_numbers)
{
  g_autofree char *base = g_file_get_basename (place->file);
  g_autofree char *name = g_strdup_printf ("%s, %s", base, place->tensor);
  g_autofree char *format = g_strdup_printf ("%s %s", place->format,
                                             words->numbered        ? "table without words"
                                             : words->vocab != NULL ? "table with words"
                                                                    : "context");
  gsize rows = table->rows, n = words->vocab != NULL ? ww_vocab_get_size (words->vocab) : rows;
  WwWordMarks marks = words->vocab != NULL ? ww_words_guess_marks (words->vocab) : WW_WORD_MARKS_NONE;
  WwSet *set = ww_table_set_new (name, format, place->source, g_steal_pointer (&words->vocab), table);

  ww_table_set_set_marks (set, marks);
  if (!words->numbered)
    ww_table_set_take_tokeniser (set, g_steal_pointer (&words->tokeniser), words->why);
  if (words->numbered && !by_numbers)
    ww_array_warn_of_numbers (set);
  if (n < rows)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu row at the end has no word; it is left out",
                                          "%zu rows at the end have no word; they are left out", rows - n),
                        rows - n);
  ww_array_note_duplicates (set, words->duplicates);
  return set;
}

/* The rows that count, and their words. */
static gboolean
apply_mask (const WwTensorPlace *place, WwTable *table, Words *words, const WwOpening *opening, GError **error)
{
  g_autofree guint8 *keeps = NULL;

  if (place->mask == NULL)
    return TRUE;
  if (!ww_mask_apply (place->mask, 0, table, opening, &keeps, error))
    return FALSE;

  ww_mask_keep_words (&words->vocab, keeps);
  return TRUE;
}

WwSet *
ww_tensor_set_new (const WwTensorPlace *place, WwTable *table, WwVocab *vocab,
                   const WwOpening *opening, GError **error)
{
  g_autoptr (WwTable) owned = table;
  Words words = { vocab };
  WwSet *set = NULL;

  if (table->cols > WW_MAX_DIMS)
    ww_source_set_error (place->source, error, WW_SET_ERROR_TOO_LARGE,
                         _("tensor \"%.200s\" has %zu columns; at most %d dimensions are accepted"),
                         place->tensor, table->cols, WW_MAX_DIMS);
  else if (find_words (place, table->rows, opening, &words, error)
           && check_fit (place, table, &words, error)
           && apply_mask (place, table, &words, opening, error) && ww_table_check (table, error))
    {
      number_rows (table, &words, opening);
      set = make_set (place, g_steal_pointer (&owned), &words, opening->options->ids_only);
    }

  words_clear (&words);
  return set;
}
