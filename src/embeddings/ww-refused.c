/* Kinds of files that are recognised but not read: an answer that names the kind and says how to
 * convert it, in place of "unknown". */
#define _GNU_SOURCE /* memmem */
#include <string.h>

#include "ww-safetensors.h"
#include "ww-set-private.h"

#define PICKLE_RECIPE                                                                              \
  "A pickle can run any code and is not opened. If you trust it, convert:\n"                       \
  "  import pickle; e = pickle.load(open('in.pkl', 'rb'))\n"                          \
  "  open('out.txt', 'w').writelines(f\"{w} {' '.join(map(str, v))}\\n\" for w, v in e.items())"

#define TORCH_RECIPE                                                                               \
  "It holds a pickle, which can run any code, and is not opened. If you trust it, convert:\n"      \
  "  import torch, numpy as np; t = torch.load('in.pt', map_location='cpu')\n"                     \
  "  np.save('out.npy', t.float().numpy())  # for a dictionary: t['name of the tensor']"

#define GENSIM_RECIPE                                                                              \
  "It is a pickle, which can run any code, and is not opened. If you trust it, convert:\n"         \
  "  from gensim.models import KeyedVectors\n"                                                     \
  "  KeyedVectors.load('in.kv').save_word2vec_format('out.txt')"

#define HDF5_RECIPE                                                                                \
  "To convert:\n"                                                                                  \
  "  import h5py, numpy as np; f = h5py.File('in.h5'); print(list(f))\n"                           \
  "  np.save('out.npy', f['name of the table'][:])"

#define PARQUET_RECIPE                                                                             \
  "To convert, for columns \"word\" and \"vector\":\n"                                             \
  "  import pandas as pd; t = pd.read_parquet('in.parquet')\n"                                     \
  "  open('out.txt', 'w').writelines(f\"{w} {' '.join(map(str, v))}\\n\""                          \
  " for w, v in zip(t.word, t.vector))"

#define NPZ_RECIPE                                                                                 \
  "To take one array out:\n"                                                                       \
  "  import numpy as np; a = np.load('in.npz'); print(a.files)\n"                                  \
  "  np.save('out.npy', a['name of the array'])"

#define GGUF_RECIPE                                                                                \
  "To convert, with the package gguf:\n"                                                           \
  "  from gguf import GGUFReader; import numpy as np; r = GGUFReader('in.gguf')\n"                 \
  "  np.save('out.npy', next(t.data for t in r.tensors if t.name == 'token_embd.weight'))"

#define SAFETENSORS_RECIPE                                                                         \
  "Open the folder that also holds config.json and vocab.txt; or take one tensor out:\n"           \
  "  from safetensors.numpy import load_file; import numpy as np\n"                                \
  "  np.save('out.npy', load_file('model.safetensors')['name of the tensor'])"

typedef struct
{
  const char *name;
  const char *magic;
  gsize length;
  const char *inside; /* must also occur in the first bytes; NULL: nothing more */
  const char *recipe;
} Kind;

/* The first that fits counts, so the special ones stand before the general ones. */
static const Kind kinds[] = {
  { "a PyTorch file", "PK\3\4", 4, "data.pkl", TORCH_RECIPE },
  { "a PyTorch file of the old kind", "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14,
    NULL, TORCH_RECIPE },
  { "a NumPy archive (.npz)", "PK\3\4", 4, ".npy", NPZ_RECIPE },
  { "gensim's own file (.kv or .model)", "\x80", 1, "gensim.models", GENSIM_RECIPE },
  { "a Python pickle", "\x80\x02", 2, NULL, PICKLE_RECIPE },
  { "a Python pickle", "\x80\x03", 2, NULL, PICKLE_RECIPE },
  { "a Python pickle", "\x80\x04", 2, NULL, PICKLE_RECIPE },
  { "a Python pickle", "\x80\x05", 2, NULL, PICKLE_RECIPE },
  { "an HDF5 file", "\x89HDF\r\n\x1a\n", 8, NULL, HDF5_RECIPE },
  { "a Parquet file", "PAR1", 4, NULL, PARQUET_RECIPE },
  { "a GGUF model", "GGUF", 4, NULL, GGUF_RECIPE },
};

static const Kind *
find_kind (const WwProbe *probe)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (probe->head_length >= kinds[i].length
        && memcmp (probe->head, kinds[i].magic, kinds[i].length) == 0
        && (kinds[i].inside == NULL
            || memmem (probe->head, probe->head_length, kinds[i].inside,
                       strlen (kinds[i].inside)) != NULL))
      return &kinds[i];

  return NULL;
}

/* By content: a plausible length, then a JSON object. By name too, because a damaged one may have
 * neither, and its owner wants to know what is wrong with it. */
static gboolean
is_safetensors (const WwProbe *probe)
{
  g_autofree char *name = g_file_get_basename (probe->file);
  guint64 length = 0;

  if (g_str_has_suffix (name, ".safetensors"))
    return TRUE;
  if (probe->head_length < 10)
    return FALSE;

  memcpy (&length, probe->head, sizeof length);
  length = GUINT64_FROM_LE (length);
  return length >= 2 && length <= ww_source_get_size (probe->source) && probe->head[8] == '{'
         && (probe->head[9] == '"' || probe->head[9] == '}' || g_ascii_isspace (probe->head[9]));
}

static gboolean
recognises (const WwProbe *probe)
{
  return probe->source != NULL && (find_kind (probe) != NULL || is_safetensors (probe));
}

#define MAX_LISTED 8

static void
refuse_safetensors (WwSource *source, GError **error)
{
  g_autoptr (WwSafetensors) tensors = ww_safetensors_open (source, error);
  g_autoptr (GString) names = g_string_new (NULL);
  gsize n;

  if (tensors == NULL)
    return;

  n = ww_safetensors_get_size (tensors);
  for (gsize i = 0; i < MIN (n, MAX_LISTED); i++)
    {
      const WwTensor *tensor = ww_safetensors_get (tensors, i);
      g_autofree char *shape = ww_tensor_dup_shape (tensor);

      g_string_append_printf (names, "%s\"%.80s\" (%s, %s)", i > 0 ? ", " : "", tensor->name, shape,
                              tensor->type);
    }
  if (n > MAX_LISTED)
    g_string_append (names, ", ...");

  ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                       "a safetensors file by itself, with %" G_GSIZE_FORMAT " %s (%s), but"
                       " without the words of its rows. %s", n, n == 1 ? "tensor" : "tensors",
                       names->str, SAFETENSORS_RECIPE);
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  const Kind *kind = find_kind (probe);

  if (kind != NULL)
    ww_source_set_error (probe->source, error, WW_SET_ERROR_REFUSED, "this is %s. %s", kind->name,
                         kind->recipe);
  else
    refuse_safetensors (probe->source, error);
  return NULL;
}

const WwReader ww_refused_reader = { recognises, open_probe };
