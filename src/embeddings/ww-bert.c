#include "ww-bert.h"

#include <math.h>
#include <string.h>

#include "ww-set.h"

struct _WwBert
{
  WwBertConfig config;
  WwTable *words;      /* V x d */
  WwTable *positions;  /* P x d, or NULL */
  WwMatrix *type;      /* 1 x d: row 0 of the token types, or NULL */
  WwMatrix *gain, *shift;            /* 1 x d each: LayerNorm, or NULL */
  WwTable *query, *key;              /* d x d, or NULL */
  WwMatrix *query_bias, *key_bias;   /* 1 x d, or NULL */
};

#define WORDS "embeddings.word_embeddings.weight"

/* What the two families call the weights of the first block's attention. */
static const struct
{
  const char *query_weight, *query_bias, *key_weight, *key_bias;
} block_names[] = {
  [WW_BERT_PLAIN] = {
    "encoder.layer.0.attention.self.query.weight", "encoder.layer.0.attention.self.query.bias",
    "encoder.layer.0.attention.self.key.weight", "encoder.layer.0.attention.self.key.bias",
  },
  [WW_BERT_DISTILLED] = {
    "transformer.layer.0.attention.q_lin.weight", "transformer.layer.0.attention.q_lin.bias",
    "transformer.layer.0.attention.k_lin.weight", "transformer.layer.0.attention.k_lin.bias",
  },
};

void
ww_bert_free (WwBert *bert)
{
  if (bert == NULL)
    return;

  ww_table_free (bert->words);
  ww_table_free (bert->positions);
  ww_matrix_unref (bert->type);
  ww_matrix_unref (bert->gain);
  ww_matrix_unref (bert->shift);
  ww_table_free (bert->query);
  ww_table_free (bert->key);
  ww_matrix_unref (bert->query_bias);
  ww_matrix_unref (bert->key_bias);
  g_free (bert);
}

/* A tensor under the prefix that this checkpoint uses, by its present or its old name. */
static const WwTensor *
find (const WwTensorFiles *files, const char *prefix, const char *name, const char *old_name)
{
  g_autofree char *full = g_strconcat (prefix, name, NULL);
  const WwTensor *tensor = ww_tensor_files_find (files, full);
  g_autofree char *old = NULL;

  if (tensor != NULL || old_name == NULL)
    return tensor;

  old = g_strconcat (prefix, old_name, NULL);
  return ww_tensor_files_find (files, old);
}

/* rows 0: any number. An absent tensor is no error and leaves *ret_table NULL. */
static gboolean
get_table (const WwTensor *tensor, gsize rows, gsize cols, WwTable **ret_table, GError **error)
{
  g_autoptr (WwTable) table = NULL;

  if (tensor == NULL)
    return TRUE;

  table = ww_tensor_get_table (tensor, error);
  if (table == NULL)
    return FALSE;
  if (table->cols != cols || (rows != 0 && table->rows != rows))
    {
      g_autofree char *shape = ww_tensor_dup_shape (tensor);
      g_autofree char *wanted = rows == 0 ? g_strdup ("any number") :
                                            g_strdup_printf ("%" G_GSIZE_FORMAT, rows);

      ww_source_set_error (tensor->source, error, WW_SET_ERROR_SHAPE,
                           "tensor \"%.200s\" is %s; by config.json %s rows of %" G_GSIZE_FORMAT
                           " were expected", tensor->name, shape, wanted, cols);
      return FALSE;
    }

  *ret_table = g_steal_pointer (&table);
  return TRUE;
}

static gboolean
get_row (const WwTensor *tensor, gsize cols, WwMatrix **ret_row, GError **error)
{
  g_autoptr (WwTable) table = NULL;
  g_autoptr (WwMatrix) row = NULL;

  if (!get_table (tensor, 0, cols, &table, error))
    return FALSE;
  if (table == NULL)
    return TRUE;

  row = ww_matrix_new (1, cols, error);
  if (row == NULL || !ww_table_read_row (table, 0, row->data, error))
    return FALSE;

  *ret_row = g_steal_pointer (&row);
  return TRUE;
}

static gboolean
find_embeddings (WwBert *bert, const WwTensorFiles *files, const char *prefix, GError **error)
{
  gsize d = bert->config.hidden;

  return get_table (find (files, prefix, WORDS, NULL), 0, d, &bert->words, error)
         && get_table (find (files, prefix, "embeddings.position_embeddings.weight", NULL), 0, d,
                       &bert->positions, error)
         && get_row (find (files, prefix, "embeddings.token_type_embeddings.weight", NULL), d,
                     &bert->type, error)
         && get_row (find (files, prefix, "embeddings.LayerNorm.weight",
                           "embeddings.LayerNorm.gamma"), d, &bert->gain, error)
         && get_row (find (files, prefix, "embeddings.LayerNorm.bias",
                           "embeddings.LayerNorm.beta"), d, &bert->shift, error);
}

static gboolean
find_block (WwBert *bert, const WwTensorFiles *files, const char *prefix, GError **error)
{
  gsize d = bert->config.hidden, family = bert->config.family;

  return get_table (find (files, prefix, block_names[family].query_weight, NULL), d, d,
                    &bert->query, error)
         && get_table (find (files, prefix, block_names[family].key_weight, NULL), d, d, &bert->key,
                       error)
         && get_row (find (files, prefix, block_names[family].query_bias, NULL), d,
                     &bert->query_bias, error)
         && get_row (find (files, prefix, block_names[family].key_bias, NULL), d, &bert->key_bias,
                     error);
}

WwBert *
ww_bert_new (const WwTensorFiles *files, const WwBertConfig *config, GError **error)
{
  g_autoptr (WwBert) bert = g_new0 (WwBert, 1);
  const WwTensor *words = ww_tensor_files_find_suffix (files, WORDS);
  g_autofree char *prefix = NULL;

  if (words == NULL)
    {
      ww_source_set_error (ww_tensor_files_get_source (files), error, WW_SET_ERROR_MISSING,
                           "no tensor \"" WORDS "\" among %" G_GSIZE_FORMAT
                           "; a BERT checkpoint has one", ww_tensor_files_count (files));
      return NULL;
    }

  prefix = g_strndup (words->name, strlen (words->name) - strlen (WORDS));
  bert->config = *config;
  if (!find_embeddings (bert, files, prefix, error) || !find_block (bert, files, prefix, error))
    return NULL;

  return g_steal_pointer (&bert);
}

const WwTable *
ww_bert_get_words (const WwBert *bert)
{
  return bert->words;
}

gboolean
ww_bert_has_layer_0 (const WwBert *bert)
{
  return bert->config.absolute_positions && bert->positions != NULL && bert->gain != NULL
         && bert->shift != NULL;
}

gboolean
ww_bert_has_attention (const WwBert *bert)
{
  return ww_bert_has_layer_0 (bert) && bert->query != NULL && bert->key != NULL
         && bert->query_bias != NULL && bert->key_bias != NULL;
}

gsize
ww_bert_get_positions (const WwBert *bert)
{
  return bert->positions != NULL ? MIN (bert->positions->rows, bert->config.positions) : 0;
}

/* y = (y - mean) / sqrt (variance + epsilon) * gain + shift, over the d entries of one row. */
static void
normalise_row (const WwBert *bert, double *row)
{
  gsize d = bert->config.hidden;
  double mean = 0, variance = 0, scale;

  for (gsize c = 0; c < d; c++)
    mean += row[c] / (double) d;
  for (gsize c = 0; c < d; c++)
    variance += (row[c] - mean) * (row[c] - mean) / (double) d;

  scale = 1 / sqrt (variance + bert->config.epsilon);
  for (gsize c = 0; c < d; c++)
    row[c] = (row[c] - mean) * scale * bert->gain->data[c] + bert->shift->data[c];
}

WwMatrix *
ww_bert_get_layer_0 (const WwBert *bert, const guint32 *ids, gsize n, GError **error)
{
  gsize d = bert->config.hidden;
  g_autoptr (WwMatrix) state = NULL;
  g_autofree double *position = NULL;

  if (n > ww_bert_get_positions (bert))
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                   "The text has %" G_GSIZE_FORMAT " tokens; this checkpoint has positions for %"
                   G_GSIZE_FORMAT ". Shorten the text, or use the word vectors", n,
                   ww_bert_get_positions (bert));
      return NULL;
    }

  state = ww_matrix_new (n, d, error);
  if (state == NULL)
    return NULL;

  position = g_new (double, d);
  for (gsize j = 0; j < n; j++)
    {
      double *row = state->data + j * d;

      if (!ww_table_read_row (bert->words, ids[j], row, error)
          || !ww_table_read_row (bert->positions, j, position, error))
        return NULL;
      for (gsize c = 0; c < d; c++)
        row[c] += position[c] + (bert->type != NULL ? bert->type->data[c] : 0);
      normalise_row (bert, row);
    }

  return g_steal_pointer (&state);
}

/* Eight running sums: the compiler may keep them in one register without reordering anything. */
static double
dot (const double *a, const double *b, gsize n)
{
  double sums[8] = { 0 };
  double total = 0;
  gsize i = 0;

  for (; i + 8 <= n; i += 8)
    for (gsize k = 0; k < 8; k++)
      sums[k] += a[i + k] * b[i + k];
  for (; i < n; i++)
    total += a[i] * b[i];
  for (gsize k = 0; k < 8; k++)
    total += sums[k];

  return total;
}

/* state W^T + bias, n x d; W (d x d) maps from its columns to its rows. */
static WwMatrix *
project (const WwMatrix *state, const WwTable *weight, const WwMatrix *bias, GError **error)
{
  g_autoptr (WwMatrix) matrix = ww_table_read_all (weight, error);
  WwMatrix *projected;
  gsize d = state->cols;

  if (matrix == NULL)
    return NULL;
  projected = ww_matrix_new (state->rows, d, error);
  if (projected == NULL)
    return NULL;

  for (gsize c = 0; c < d; c++)
    for (gsize j = 0; j < state->rows; j++)
      projected->data[j * d + c] = dot (state->data + j * d, matrix->data + c * d, d)
                                   + bias->data[c];

  return projected;
}

static void
softmax (double *row, gsize n)
{
  double largest = row[0], sum = 0;

  for (gsize k = 1; k < n; k++)
    largest = MAX (largest, row[k]);
  for (gsize k = 0; k < n; k++)
    {
      row[k] = exp (row[k] - largest);
      sum += row[k];
    }
  for (gsize k = 0; k < n; k++)
    row[k] /= sum;
}

/* Adds `share` times the weights of one head to `weights`. */
static void
add_head (const WwBert *bert, const WwMatrix *query, const WwMatrix *key, gsize head, double share,
          WwMatrix *weights)
{
  gsize n = query->rows, d = query->cols, width = d / bert->config.heads;
  g_autofree double *row = g_new (double, n);

  for (gsize j = 0; j < n; j++)
    {
      const double *looking = query->data + j * d + head * width;

      for (gsize k = 0; k < n; k++)
        row[k] = dot (looking, key->data + k * d + head * width, width) / sqrt ((double) width);
      softmax (row, n);
      for (gsize k = 0; k < n; k++)
        weights->data[j * n + k] += share * row[k];
    }
}

WwMatrix *
ww_bert_get_attention (const WwBert *bert, const WwMatrix *state, int head, GError **error)
{
  g_autoptr (WwMatrix) query = NULL;
  g_autoptr (WwMatrix) key = NULL;
  WwMatrix *weights;
  gsize heads = bert->config.heads;

  query = project (state, bert->query, bert->query_bias, error);
  if (query == NULL)
    return NULL;
  key = project (state, bert->key, bert->key_bias, error);
  if (key == NULL)
    return NULL;
  weights = ww_matrix_new (state->rows, state->rows, error);
  if (weights == NULL)
    return NULL;

  if (head >= 0)
    add_head (bert, query, key, (gsize) head, 1, weights);
  else
    for (gsize h = 0; h < heads; h++)
      add_head (bert, query, key, h, 1 / (double) heads, weights);

  return weights;
}
