#include "ww-model-config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-jansson.h"
#include "ww-set.h"

#define MAX_CONFIG_BYTES (16 * 1024 * 1024)
#define MAX_HEADS 4096
#define MAX_BLOCKS 4096
#define MAX_INNER (1 << 20)

/* The families, by what config.json calls them, and what each calls its sizes. A size without a key has
 * one value in the whole family. */
static const struct
{
  const char *name, *type, *class_prefix;
  const char *hidden, *heads, *blocks, *inner, *positions, *epsilon, *activation;
} families[] = {
  [WW_FAMILY_BERT] = { "BERT", "bert", "Bert", "hidden_size", "num_attention_heads", "num_hidden_layers",
                       "intermediate_size", "max_position_embeddings", "layer_norm_eps", "hidden_act" },
  [WW_FAMILY_DISTILBERT] = { "DistilBERT", "distilbert", "DistilBert", "dim", "n_heads", "n_layers",
                             "hidden_dim", "max_position_embeddings", "layer_norm_eps", "activation" },
  [WW_FAMILY_ROBERTA] = { "RoBERTa", "roberta", "Roberta", "hidden_size", "num_attention_heads",
                          "num_hidden_layers", "intermediate_size", "max_position_embeddings",
                          "layer_norm_eps", "hidden_act" },
  [WW_FAMILY_GPT2] = { "GPT-2", "gpt2", "GPT2", "n_embd", "n_head", "n_layer", "n_inner", "n_positions",
                       "layer_norm_epsilon", "activation_function" },
};

/* Several names for the same approximation. */
static const struct
{
  const char *name;
  WwActivation activation;
} activations[] = {
  { "gelu", WW_ACTIVATION_GELU },           { "gelu_python", WW_ACTIVATION_GELU },
  { "gelu_new", WW_ACTIVATION_GELU_TANH },  { "gelu_fast", WW_ACTIVATION_GELU_TANH },
  { "gelu_pytorch_tanh", WW_ACTIVATION_GELU_TANH }, { "gelu_accurate", WW_ACTIVATION_GELU_TANH },
  { "gelu_python_tanh", WW_ACTIVATION_GELU_TANH },  { "relu", WW_ACTIVATION_RELU },
};

const char *
ww_family_get_name (WwFamily family)
{
  return families[family].name;
}

void
ww_model_config_clear (WwModelConfig *config)
{
  g_clear_pointer (&config->unknown_activation, g_free);
  g_clear_pointer (&config->other_positions, g_free);
}

/* The first configurations of BERT say nothing of the kind. RoBERTa has one type of token; those that factor the table
 * of words have a size for it. */
static gboolean
looks_like_bert (json_t *root)
{
  return json_integer_value (json_object_get (root, "type_vocab_size")) == 2
         && json_object_get (root, "intermediate_size") != NULL && json_object_get (root, "hidden_act") != NULL
         && json_object_get (root, "embedding_size") == NULL;
}

/* Old configurations lack the type, but name the class. */
static gboolean
find_family (WwSource *source, json_t *root, WwFamily *ret_family, gboolean *ret_guessed, GError **error)
{
  json_t *classes = json_object_get (root, "architectures");
  const char *class = json_string_value (json_array_get (classes, 0));
  const char *type = ww_json_get_string (root, "model_type");

  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_strcmp0 (type, families[i].type) == 0
        || (type == NULL && class != NULL && g_str_has_prefix (class, families[i].class_prefix)))
      {
        *ret_family = (WwFamily) i;
        return TRUE;
      }

  if (type == NULL && class == NULL && looks_like_bert (root))
    {
      *ret_family = WW_FAMILY_BERT;
      *ret_guessed = TRUE;
      return TRUE;
    }
  if (type == NULL && class == NULL)
    ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                         _("neither \"model_type\" nor \"architectures\" says what kind of model this is; \"bert\""
                           " was expected, for example"));
  else
    ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                         _("a checkpoint of the family \"%.60s\"; BERT, DistilBERT, RoBERTa and GPT-2 are read (for"
                           " example bert-base-uncased, gpt2, or MiniLM of sentence-transformers)"),
                         type != NULL ? type : class);
  return FALSE;
}

static gboolean
get_epsilon (WwSource *source, json_t *root, const char *key, double fallback, double *ret_epsilon,
             GError **error)
{
  json_t *value = json_object_get (root, key);
  double epsilon = value == NULL ? fallback : json_number_value (value);

  if (value != NULL && (!json_is_number (value) || !(epsilon > 0) || epsilon > 1))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_NUMBER,
                           _("\"%s\" must be a number above 0 and at most 1"), key);
      return FALSE;
    }

  *ret_epsilon = epsilon;
  return TRUE;
}

/* A size that may be absent or null, and is then left as it is. */
static gboolean
get_optional_size (WwSource *source, json_t *root, const char *key, gsize least, gsize most,
                   gsize *ret_value, GError **error)
{
  json_t *value = json_object_get (root, key);

  return value == NULL || json_is_null (value)
         || ww_json_get_size (source, root, key, least, most, ret_value, error);
}

static gboolean
parse_sizes (WwSource *source, json_t *root, WwModelConfig *config, GError **error)
{
  gsize family = config->family;

  if (!ww_json_get_size (source, root, families[family].hidden, 1, WW_MAX_DIMS, &config->hidden, error)
      || !ww_json_get_size (source, root, "vocab_size", 1, G_MAXINT32, &config->vocabulary, error)
      || !ww_json_get_size (source, root, families[family].heads, 1, MAX_HEADS, &config->heads, error)
      || !ww_json_get_size (source, root, families[family].blocks, 0, MAX_BLOCKS, &config->blocks, error)
      || !ww_json_get_size (source, root, families[family].positions, 1, WW_MAX_ROWS, &config->positions,
                            error)
      || !get_optional_size (source, root, families[family].inner, 1, MAX_INNER, &config->inner, error))
    return FALSE;

  if (config->hidden % config->heads != 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_SHAPE,
                           _("\"%s\" %zu is no multiple of \"%s\" %zu"),
                           families[family].hidden, config->hidden, families[family].heads, config->heads);
      return FALSE;
    }
  return TRUE;
}

/* RoBERTa numbers positions from the padding's id + 1 on, a habit of the library it was trained with. */
static gboolean
parse_first_position (WwSource *source, json_t *root, WwModelConfig *config, GError **error)
{
  gsize padding = 1;

  if (config->family != WW_FAMILY_ROBERTA)
    return TRUE;
  if (config->positions < 2)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_NUMBER,
                           _("\"max_position_embeddings\" is %zu; RoBERTa needs at least 2"),
                           config->positions);
      return FALSE;
    }
  if (!get_optional_size (source, root, "pad_token_id", 0, config->positions - 2, &padding, error))
    return FALSE;

  config->first_position = padding + 1;
  if (config->first_position >= config->positions)
    config->first_position = config->positions - 1;
  return TRUE;
}

static void
parse_activation (json_t *root, WwModelConfig *config)
{
  json_t *value = json_object_get (root, families[config->family].activation);
  const char *name = json_string_value (value);

  config->activation = config->family == WW_FAMILY_GPT2 ? WW_ACTIVATION_GELU_TANH : WW_ACTIVATION_GELU;
  if (value == NULL || json_is_null (value))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (activations); i++)
    if (g_strcmp0 (name, activations[i].name) == 0)
      {
        config->activation = activations[i].activation;
        return;
      }
  config->unknown_activation = g_strdup_printf ("\"%s\" is \"%.40s\"", families[config->family].activation,
                                                name != NULL ? name : _("no text"));
}

static gboolean
parse_config (WwSource *source, json_t *root, WwModelConfig *config, GError **error)
{
  const char *positions = ww_json_get_string (root, "position_embedding_type");
  gboolean gpt2;

  if (!find_family (source, root, &config->family, &config->guessed, error) || !parse_sizes (source, root, config, error)
      || !parse_first_position (source, root, config, error))
    return FALSE;
  gpt2 = config->family == WW_FAMILY_GPT2;
  if (!get_epsilon (source, root, families[config->family].epsilon, gpt2 ? 1e-5 : 1e-12, &config->epsilon,
                    error))
    return FALSE;

  parse_activation (root, config);
  if (positions != NULL && strcmp (positions, "absolute") != 0)
    config->other_positions = g_strdup_printf ("%.40s", positions);
  config->tied = ww_json_get_boolean (root, "tie_word_embeddings", TRUE);
  config->causal = gpt2 || ww_json_get_boolean (root, "is_decoder", FALSE);
  config->scaled = !gpt2 || ww_json_get_boolean (root, "scale_attn_weights", TRUE);
  config->scaled_by_block = gpt2 && ww_json_get_boolean (root, "scale_attn_by_inverse_layer_idx", FALSE);
  return TRUE;
}

gboolean
ww_model_config_parse (WwSource *source, WwModelConfig *ret_config, GError **error)
{
  g_autoptr (json_t) root = ww_json_load (source, MAX_CONFIG_BYTES, error);
  g_auto (WwModelConfig) config = { 0 };

  if (root == NULL)
    return FALSE;
  if (!json_is_object (root))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED, _("line 1: a JSON object was expected"));
      return FALSE;
    }
  if (!parse_config (source, root, &config, error))
    return FALSE;

  *ret_config = config;
  config = (WwModelConfig) { 0 };
  return TRUE;
}

gboolean
ww_model_config_read (GFile *folder, WwModelConfig *ret_config, GError **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, "config.json");
  g_autoptr (WwSource) source = ww_source_open (file, error);

  return source != NULL && ww_model_config_parse (source, ret_config, error);
}
