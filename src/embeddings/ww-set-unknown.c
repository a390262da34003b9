#include "ww-set-unknown.h"

#include <string.h>

#include "ww-random.h"

static const char *const ids[WW_N_UNKNOWNS] = {
  [WW_UNKNOWN_VECTOR] = "vector",
  [WW_UNKNOWN_SKIP] = "skip",
  [WW_UNKNOWN_RANDOM] = "random",
};

const char *
ww_unknown_get_id (WwUnknown unknown)
{
  return ids[unknown];
}

gboolean
ww_unknown_from_id (const char *id, WwUnknown *ret_unknown)
{
  for (guint i = 0; i < WW_N_UNKNOWNS; i++)
    if (g_strcmp0 (ids[i], id) == 0)
      {
        *ret_unknown = (WwUnknown) i;
        return TRUE;
      }

  return FALSE;
}

void
ww_unknown_apply (WwTokens *tokens, WwUnknown unknown, guint64 seed, gboolean random)
{
  tokens->unknown_seed = seed;
  if (unknown == WW_UNKNOWN_VECTOR || (unknown == WW_UNKNOWN_RANDOM && !random))
    return;

  for (gsize i = 0; i < tokens->n; i++)
    if (tokens->tokens[i].unknown)
      {
        tokens->tokens[i].has_row = unknown == WW_UNKNOWN_RANDOM;
        if (unknown == WW_UNKNOWN_RANDOM)
          tokens->tokens[i].id = WW_TOKEN_RANDOM_ROW;
      }
}

/* FNV-1a in 64 bits: the same word is the same number on every machine. */
static guint64
hash_word (const char *word)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (; *word != '\0'; word++)
    hash = (hash ^ (guint8) *word) * G_GUINT64_CONSTANT (0x100000001b3);

  return hash;
}

void
ww_unknown_fill_rows (const WwTokens *tokens, WwMatrix *context)
{
  gsize row = 0;

  for (gsize i = 0; i < tokens->n && row < context->rows; i++)
    {
      const WwToken *token = &tokens->tokens[i];
      guint64 hash;

      if (!token->has_row)
        continue;
      if (token->id == WW_TOKEN_RANDOM_ROW)
        {
          /* The upper half names a stream, the lower one the place where the row begins in it. */
          hash = hash_word (token->text);
          ww_random_normal (tokens->unknown_seed, WW_PURPOSE_UNKNOWN, (guint32) (hash >> 32),
                            (hash & 0xffffffff) << 20, context->cols, 1,
                            context->data + row * context->cols);
        }
      row++;
    }
}
