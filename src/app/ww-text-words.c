#include "ww-text-words.h"

#include <glib/gi18n.h>

/* ---- Length ---- */

static gboolean
is_cut (const WwInputs *inputs)
{
  return inputs->rows != NULL && inputs->rows->n > ww_inputs_get_n_rows (inputs);
}

/* The tokens that the model puts around a text, as its tokeniser gives them for one that is empty. */
static WwTokens *
get_frame (WwSet *set)
{
  return ww_set_spells_words (set) ? ww_set_tokenise_any (set, "", TRUE, NULL) : NULL;
}

/* With those around the text, whether they are kept or not: so the files of a tokeniser count. */
static gsize
count_whole (const WwInputs *inputs, WwTokens *tokens)
{
  g_autoptr (WwTokens) frame = inputs->special ? NULL : get_frame (inputs->set);

  return tokens->n + (frame != NULL ? frame->n : 0);
}

char *
ww_text_dup_length_note (const WwInputs *inputs, WwTokens *tokens, gboolean *ret_cut)
{
  gsize n = ww_inputs_get_n_rows (inputs);
  g_autofree char *cut = NULL, *elsewhere = NULL;

  *ret_cut = is_cut (inputs);
  if (inputs->set == NULL || tokens == NULL)
    return NULL;
  if (*ret_cut && n == WW_MAX_ROWS)
    cut = g_strdup_printf (_ ("The first %zu are used, the others are left out: a text has no more rows."), n);
  else if (*ret_cut)
    cut = g_strdup_printf (ngettext ("The model has positions for the first %zu, the others are left out.",
                                     "The model has positions for the first %zu, the others are left out.", n),
                           n);
  if (ww_set_spells_words (inputs->set))
    elsewhere = ww_set_dup_cut_note (inputs->set, count_whole (inputs, tokens), inputs->layer);
  if (elsewhere == NULL)
    return g_steal_pointer (&cut);
  /* Translators: a sentence that lacks its full stop. */
  return cut != NULL ? g_strdup_printf (_ ("%s %s."), cut, elsewhere) : g_strdup_printf (_ ("%s."), elsewhere);
}

char *
ww_text_dup_rows_words (const WwInputs *inputs, gsize n)
{
  if (is_cut (inputs) && n < WW_MAX_ROWS)
    return g_strdup_printf (ngettext ("The model has positions for %zu", "The model has positions for %zu", n), n);

  return g_strdup_printf (ngettext ("The text has %zu", "The text has %zu", n), n);
}

/* ---- Special tokens ---- */

static gboolean
is_listed (GPtrArray *names, const char *name)
{
  return g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL);
}

/* Each once: RoBERTa may put the same one behind a text and between two. */
static GPtrArray *
list_names (WwTokens *frame)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; frame != NULL && i < frame->n; i++)
    if (frame->tokens[i].special && !is_listed (names, frame->tokens[i].text))
      g_ptr_array_add (names, g_strdup (frame->tokens[i].text));
  return names;
}

static char *
join_names (GPtrArray *names)
{
  GString *joined = g_string_new (NULL);

  if (names->len == 2)
    {
      /* Translators: two special tokens: [CLS] and [SEP]. */
      g_string_printf (joined, _ ("%s and %s"), (char *) names->pdata[0], (char *) names->pdata[1]);
      return g_string_free (joined, FALSE);
    }
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (joined, "%s%s", i > 0 ? ", " : "", (char *) names->pdata[i]);
  return g_string_free (joined, FALSE);
}

char *
ww_text_dup_special_words (const WwInputs *inputs, gboolean *ret_any)
{
  g_autoptr (WwTokens) frame = inputs->set != NULL ? get_frame (inputs->set) : NULL;
  g_autoptr (GPtrArray) names = list_names (frame);
  g_autofree char *joined = join_names (names);

  *ret_any = names->len > 0;
  if (names->len == 0)
    return g_strdup (_ ("This set puts none around a text"));
  if (!inputs->special && inputs->layer >= 1)
    /* Translators: %s are one or more special tokens, such as [CLS] and [SEP]. */
    return g_strdup_printf (_ ("Without %s the model reads another text than those it was trained for"), joined);

  /* Translators: %s are one or more special tokens, such as [CLS] and [SEP]. */
  return g_strdup_printf (_ ("Keep %s"), joined);
}
