#include "ww-tokens-private.h"

typedef struct
{
  WwTokens tokens; /* first, so that the public pointer is the private one */
  gatomicrefcount ref_count;
  GArray *array;
} WwTokensBox;

G_DEFINE_BOXED_TYPE (WwTokens, ww_tokens, ww_tokens_ref, ww_tokens_unref)

static void
clear_token (gpointer data)
{
  WwToken *token = data;

  g_free (token->text);
  g_free (token->display);
}

GArray *
ww_tokens_array_new (void)
{
  GArray *array = g_array_new (FALSE, TRUE, sizeof (WwToken));

  g_array_set_clear_func (array, clear_token);
  return array;
}

WwTokens *
ww_tokens_new_take (GArray *array)
{
  WwTokensBox *box = g_new (WwTokensBox, 1);

  g_atomic_ref_count_init (&box->ref_count);
  box->array = array;
  box->tokens.n = array->len;
  box->tokens.unknown_seed = 0;
  box->tokens.tokens = (WwToken *) (gpointer) array->data;
  return &box->tokens;
}

void
ww_tokens_array_mark_continuations (GArray *array)
{
  for (guint i = 1; i < array->len; i++)
    {
      WwToken *token = &g_array_index (array, WwToken, i);
      const WwToken *before = &g_array_index (array, WwToken, i - 1);

      token->continues = token->end > token->start && before->end > before->start
                         && token->start == before->end;
    }
}

WwTokens *
ww_tokens_ref (WwTokens *tokens)
{
  g_return_val_if_fail (tokens != NULL, NULL);

  g_atomic_ref_count_inc (&((WwTokensBox *) tokens)->ref_count);
  return tokens;
}

void
ww_tokens_unref (WwTokens *tokens)
{
  WwTokensBox *box = (WwTokensBox *) tokens;

  if (box == NULL || !g_atomic_ref_count_dec (&box->ref_count))
    return;

  g_array_unref (box->array);
  g_free (box);
}

static void
append_copy (GArray *array, const WwToken *token)
{
  WwToken copy = *token;

  copy.text = g_strdup (token->text);
  copy.display = g_strdup (token->display);
  g_array_append_val (array, copy);
}

/* The random rows of a part are those of the whole. */
static WwTokens *
take_like (const WwTokens *tokens, GArray *array)
{
  WwTokens *part = ww_tokens_new_take (array);

  part->unknown_seed = tokens->unknown_seed;
  return part;
}

WwTokens *
ww_tokens_with_rows (WwTokens *tokens)
{
  GArray *array;

  g_return_val_if_fail (tokens != NULL, NULL);

  array = ww_tokens_array_new ();
  for (gsize i = 0; i < tokens->n; i++)
    if (tokens->tokens[i].has_row)
      append_copy (array, &tokens->tokens[i]);

  return take_like (tokens, array);
}

WwTokens *
ww_tokens_head (WwTokens *tokens, gsize n)
{
  GArray *array;

  g_return_val_if_fail (tokens != NULL, NULL);

  array = ww_tokens_array_new ();
  for (gsize i = 0; i < MIN (n, tokens->n); i++)
    append_copy (array, &tokens->tokens[i]);

  return take_like (tokens, array);
}

guint32 *
ww_tokens_dup_ids (const WwTokens *tokens)
{
  guint32 *ids;

  g_return_val_if_fail (tokens != NULL, NULL);

  if (tokens->n == 0)
    return NULL;

  ids = g_new (guint32, tokens->n);
  for (gsize i = 0; i < tokens->n; i++)
    ids[i] = tokens->tokens[i].id;
  return ids;
}
