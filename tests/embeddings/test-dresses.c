/* The small checkpoints in other dresses: with and without the prefixes of their keys, with the old names of layer
 * norms, in halves of precision, in shards, in a part of a sentence-transformers folder. Every state is the same,
 * bit for bit. */
#include <jansson.h>

#include "test-util.h"

typedef struct
{
  const char *base, *prefix; /* the one that the base has, and the one that others have */
  const char *other;
} Family;

static const Family families[] = {
  { "bert-plain", "", "bert." },
  { "bert-prefixed-gamma-beta", "bert.", "" },
  { "distilbert", "distilbert.", "" },
  { "roberta", "roberta.", "" },
  { "gpt2", "", "transformer." },
};

typedef enum
{
  AS_F32,
  AS_F16,
  AS_BF16,
} Precision;

typedef struct
{
  const char *what;
  gboolean other_prefix, deep_prefix, old_norms, new_norms, shards, part;
  Precision precision;
} Dress;

static const Dress dresses[] = {
  { "other-prefix", .other_prefix = TRUE },
  { "deep-prefix", .deep_prefix = TRUE },
  { "old-norms", .old_norms = TRUE },
  { "new-norms", .new_norms = TRUE },
  { "f16", .precision = AS_F16 },
  { "bf16", .precision = AS_BF16 },
  { "shards", .shards = TRUE },
  { "part", .part = TRUE },
  { "all", .other_prefix = TRUE, .old_norms = TRUE, .shards = TRUE, .part = TRUE, .precision = AS_BF16 },
};

static const char *const members[] = { "config.json", "vocab.txt", "tokenizer_config.json", "vocab.json", "merges.txt" };

static char *outer, *inner;

static char *
dup_base_path (const char *base, const char *member)
{
  return g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "checkpoints", base, member, NULL);
}

static void
write_member (const char *folder, const char *name, const char *bytes, gsize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  test_write_file (path, bytes, length);
}

/* A value of small size as the nearest number of the precision, and its bits. Truncation is enough here: both files
 * hold the same number. */
static float
round_value (float value, Precision precision, guint16 *ret_bits)
{
  guint32 bits, exponent;

  memcpy (&bits, &value, sizeof bits);
  exponent = (bits >> 23) & 0xff;
  if (precision == AS_BF16)
    {
      *ret_bits = (guint16) (bits >> 16);
      bits &= 0xffff0000;
    }
  else if (exponent < 113) /* below the least normal number of 16 bits */
    {
      *ret_bits = (guint16) ((bits >> 16) & 0x8000);
      bits &= 0x80000000;
    }
  else
    {
      *ret_bits = (guint16) (((bits >> 16) & 0x8000) | ((exponent - 112) << 10) | ((bits >> 13) & 0x3ff));
      bits &= 0xffffe000;
    }
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* The name that a tensor has in the dress. */
static char *
dup_name (const Family *family, const Dress *dress, const char *name)
{
  const char *bare = g_str_has_prefix (name, family->prefix) ? name + strlen (family->prefix) : name;
  const char *prefix = dress->deep_prefix ? "module.encoder." : dress->other_prefix ? family->other : family->prefix;
  GString *full = g_string_new (prefix);
  gboolean norm = strstr (bare, "LayerNorm") != NULL || strstr (bare, "layer_norm") != NULL
                  || strstr (bare, "ln_") != NULL;

  /* What is no part of the model keeps its name. */
  g_string_append (full, bare);
  if (bare == name && *family->prefix != '\0')
    g_string_assign (full, name);
  if (norm && dress->old_norms)
    {
      g_string_replace (full, ".weight", ".gamma", 1);
      g_string_replace (full, ".bias", ".beta", 1);
    }
  if (norm && dress->new_norms)
    {
      g_string_replace (full, ".gamma", ".weight", 1);
      g_string_replace (full, ".beta", ".bias", 1);
    }
  return g_string_free (full, FALSE);
}

typedef struct
{
  json_t *header;
  GString *values;
} File;

static void
end_file (File *file, const char *folder, const char *name)
{
  g_autofree char *header = json_dumps (file->header, JSON_COMPACT);
  g_autoptr (GString) bytes = g_string_new (NULL);
  guint64 length = GUINT64_TO_LE ((guint64) strlen (header));

  g_string_append_len (bytes, (const char *) &length, sizeof length);
  g_string_append (bytes, header);
  g_string_append_len (bytes, file->values->str, (gssize) file->values->len);
  write_member (folder, name, bytes->str, bytes->len);
  json_decref (file->header);
  g_string_free (file->values, TRUE);
}

/* `packed` FALSE: the rounded values, but in full precision. */
static void
add_tensor (File *file, const char *name, json_t *entry, const float *values, gsize n, Precision precision,
            gboolean packed)
{
  static const char *const dtypes[] = { "F32", "F16", "BF16" };
  gsize begin = file->values->len;
  json_t *copy = json_deep_copy (entry);

  for (gsize i = 0; i < n; i++)
    {
      guint16 bits = 0;
      float value = precision == AS_F32 ? values[i] : round_value (values[i], precision, &bits);

      if (packed && precision != AS_F32)
        {
          bits = GUINT16_TO_LE (bits);
          g_string_append_len (file->values, (const char *) &bits, sizeof bits);
        }
      else
        g_string_append_len (file->values, (const char *) &value, sizeof value);
    }
  json_object_set_new (copy, "dtype", json_string (dtypes[packed ? precision : AS_F32]));
  json_object_set_new (copy, "data_offsets", json_pack ("[I, I]", (json_int_t) begin, (json_int_t) file->values->len));
  json_object_set_new (file->header, name, copy);
}

/* The weights in a dress, or, with `plain`, only their values. */
static void
write_weights (const Family *family, const Dress *dress, gboolean plain, const char *folder)
{
  g_autofree char *path = dup_base_path (family->base, "model.safetensors");
  g_autofree char *bytes = NULL;
  const Dress none = { "plain" };
  File files[2] = { { json_object (), g_string_new (NULL) }, { json_object (), g_string_new (NULL) } };
  gboolean shards = dress->shards && !plain;
  json_t *header, *entry, *map = json_object ();
  const char *name;
  guint64 start;
  guint k = 0;

  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  memcpy (&start, bytes, sizeof start);
  header = json_loadb (bytes + 8, (size_t) start, 0, NULL);
  json_object_foreach (header, name, entry)
    {
      json_t *offsets = json_object_get (entry, "data_offsets");
      json_int_t begin = json_integer_value (json_array_get (offsets, 0));
      json_int_t end = json_integer_value (json_array_get (offsets, 1));
      g_autofree char *dressed = dup_name (family, plain ? &none : dress, name);
      guint which = shards ? k++ % 2 : 0;

      if (offsets == NULL)
        continue;
      add_tensor (&files[which], dressed, entry, (const float *) (gpointer) (bytes + 8 + start + begin),
                  (gsize) (end - begin) / sizeof (float), dress->precision, !plain);
      json_object_set_new (map, dressed, json_string (which == 0 ? "a.safetensors" : "b.safetensors"));
    }

  end_file (&files[0], folder, shards ? "a.safetensors" : "model.safetensors");
  end_file (&files[1], folder, "b.safetensors");
  if (shards)
    {
      json_t *index = json_pack ("{s:O}", "weight_map", map);
      g_autofree char *text = json_dumps (index, 0);

      write_member (folder, "model.safetensors.index.json", text, strlen (text));
      json_decref (index);
    }
  json_decref (map);
  json_decref (header);
}

static void
write_rest (const Family *family, const char *folder)
{
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *path = dup_base_path (family->base, members[i]);
      g_autofree char *bytes = NULL;
      gsize length;

      if (g_file_get_contents (path, &bytes, &length, NULL))
        write_member (folder, members[i], bytes, length);
    }
}

static void
remove_all (const char *folder)
{
  static const char *const more[] = { "model.safetensors", "a.safetensors", "b.safetensors",
                                      "model.safetensors.index.json", "modules.json" };

  for (gsize i = 0; i < G_N_ELEMENTS (members) + G_N_ELEMENTS (more); i++)
    {
      g_autofree char *path = g_build_filename (folder, i < G_N_ELEMENTS (members)
                                                          ? members[i] : more[i - G_N_ELEMENTS (members)], NULL);

      g_unlink (path);
    }
}

static WwSet *
open_dressed (const Family *family, const Dress *dress, gboolean plain)
{
  static const char modules[] = "[{\"idx\": 0, \"name\": \"0\", \"path\": \"0_Transformer\", \"type\":"
                                " \"sentence_transformers.models.Transformer\"}, {\"idx\": 1, \"name\": \"1\", \"path\":"
                                " \"1_Pooling\", \"type\": \"sentence_transformers.models.Pooling\"}]";
  const char *folder = dress->part && !plain ? inner : outer;
  g_autoptr (GError) error = NULL;
  WwSet *set;

  remove_all (inner);
  remove_all (outer);
  write_rest (family, folder);
  write_weights (family, dress, plain, folder);
  if (folder == inner)
    write_member (outer, "modules.json", modules, strlen (modules));
  set = ww_set_open_argument (outer, NULL, &error);
  g_assert_no_error (error);
  return set;
}

static void
compare (const Family *family, const Dress *dress)
{
  const guint32 ids[] = { 2, 7, 5, 11, 3 };
  g_autoptr (WwSet) plain = open_dressed (family, dress, TRUE);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokens_from_ids (plain, ids, G_N_ELEMENTS (ids), &error);
  g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func ((GDestroyNotify) ww_matrix_unref);
  g_autoptr (WwSet) dressed = NULL;

  /* The files of the first are gone when the second is written. */
  for (int layer = WW_LAYER_WORD; layer <= 2; layer++)
    g_ptr_array_add (expected, ww_set_get_context (plain, tokens, layer, &error));
  g_assert_no_error (error);
  dressed = open_dressed (family, dress, FALSE);
  g_assert_cmpuint (ww_set_get_attention_layers (dressed), ==, 2);
  for (int layer = WW_LAYER_WORD; layer <= 2; layer++)
    {
      g_autoptr (WwMatrix) state = ww_set_get_context (dressed, tokens, layer, &error);
      const WwMatrix *other = g_ptr_array_index (expected, layer - WW_LAYER_WORD);

      g_assert_no_error (error);
      g_assert_cmpmem (state->data, state->rows * state->cols * sizeof (double), other->data,
                       other->rows * other->cols * sizeof (double));
    }
}

static void
test_dress (gconstpointer data)
{
  const Dress *dress = data;

  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_test_message ("%s", families[i].base);
      compare (&families[i], dress);
    }
}

int
main (int argc, char **argv)
{
  int status;

  outer = g_dir_make_tmp ("wordsway-dresses-XXXXXX", NULL);
  inner = g_build_filename (outer, "0_Transformer", NULL);
  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (dresses); i++)
    {
      g_autofree char *name = g_strdup_printf ("/dresses/%s", dresses[i].what);

      g_test_add_data_func (name, &dresses[i], test_dress);
    }
  status = g_test_run ();
  remove_all (inner);
  remove_all (outer);
  g_rmdir (inner);
  g_rmdir (outer);
  g_free (inner);
  g_free (outer);
  return status;
}
