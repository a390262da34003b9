/* Kinds of files that are recognised but not read: an answer that names the kind and says how to
 * convert it, in place of "unknown". */
#define _GNU_SOURCE /* memmem */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-set-private.h"

#define PICKLE_RECIPE                                                                              \
  N_("A pickle can run any code and is not opened. If you trust it, convert:\n"                    \
     "  import pickle; e = pickle.load(open('in.pkl', 'rb'))\n"                                    \
     "  open('out.txt', 'w').writelines(f\"{w} {' '.join(map(str, v))}\\n\" for w, v in e.items())")

#define TORCH_RECIPE                                                                               \
  N_("It holds a pickle, which can run any code, and is not opened. If you trust it, convert:\n"   \
     "  import torch, numpy as np; t = torch.load('in.pt', map_location='cpu')\n"                  \
     "  np.save('out.npy', t.float().numpy())  # for a dictionary: t['name of the tensor']")

#define GENSIM_RECIPE                                                                              \
  N_("It is a pickle, which can run any code, and is not opened. If you trust it, convert:\n"      \
     "  from gensim.models import KeyedVectors\n"                                                  \
     "  KeyedVectors.load('in.kv').save_word2vec_format('out.txt')")

#define HDF5_RECIPE                                                                                \
  N_("To convert:\n"                                                                               \
     "  import h5py, numpy as np; f = h5py.File('in.h5'); print(list(f))\n"                        \
     "  np.save('out.npy', f['name of the table'][:])")

#define PARQUET_RECIPE                                                                             \
  N_("To convert, for columns \"word\" and \"vector\":\n"                                          \
     "  import pandas as pd; t = pd.read_parquet('in.parquet')\n"                                  \
     "  open('out.txt', 'w').writelines(f\"{w} {' '.join(map(str, v))}\\n\""                       \
     " for w, v in zip(t.word, t.vector))")

#define FASTTEXT_RECIPE                                                                            \
  N_("The same words are in the .vec file that comes with it. To convert, with fastText's own module:\n" \
     "  import fasttext; m = fasttext.load_model('in.bin')\n"                                      \
     "  open('out.txt', 'w').writelines(f\"{w} {' '.join(map(str, m[w]))}\\n\" for w in m.words)")

#define LFS_RECIPE                                                                                 \
  N_("To download it, in the folder of its repository:\n"                                          \
     "  git lfs install\n"                                                                         \
     "  git lfs pull")

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
  { N_("a Git LFS pointer, which stands for a file that was not downloaded"), WW_LFS_MAGIC, 23, NULL,
    LFS_RECIPE },
  { N_("a PyTorch file"), "PK\3\4", 4, "data.pkl", TORCH_RECIPE },
  { N_("a PyTorch file of the old kind"), "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14,
    NULL, TORCH_RECIPE },
  { N_("gensim's own file (.kv or .model)"), "\x80", 1, "gensim.models", GENSIM_RECIPE },
  { N_("a Python pickle"), "\x80\x02", 2, NULL, PICKLE_RECIPE },
  { N_("a Python pickle"), "\x80\x03", 2, NULL, PICKLE_RECIPE },
  { N_("a Python pickle"), "\x80\x04", 2, NULL, PICKLE_RECIPE },
  { N_("a Python pickle"), "\x80\x05", 2, NULL, PICKLE_RECIPE },
  /* Protocol 0 is text: marks and memos, or the name of what is called. */
  { N_("a Python pickle"), "(dp", 3, "\n", PICKLE_RECIPE },
  { N_("a Python pickle"), "(lp", 3, "\n", PICKLE_RECIPE },
  { N_("a Python pickle"), "cnumpy.core", 11, "\n", PICKLE_RECIPE },
  { N_("a Python pickle"), "cnumpy._core", 12, "\n", PICKLE_RECIPE },
  { N_("a Python pickle"), "ccollections\n", 13, NULL, PICKLE_RECIPE },
  { N_("a Python pickle"), "ccopy_reg\n", 10, NULL, PICKLE_RECIPE },
  { N_("gensim's own file (.kv or .model)"), "cgensim.models", 14, NULL, GENSIM_RECIPE },
  { N_("a model of fastText (.bin)"), "\xba\x16\x4f\x2f", 4, NULL, FASTTEXT_RECIPE },
  { N_("an HDF5 file"), "\x89HDF\r\n\x1a\n", 8, NULL, HDF5_RECIPE },
  { N_("a Parquet file"), "PAR1", 4, NULL, PARQUET_RECIPE },
};

static const Kind *
find_kind (const void *head, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (length >= kinds[i].length && memcmp (head, kinds[i].magic, kinds[i].length) == 0
        && (kinds[i].inside == NULL || memmem (head, length, kinds[i].inside, strlen (kinds[i].inside)) != NULL))
      return &kinds[i];

  return NULL;
}

static void
refuse (WwSource *source, const Kind *kind, GError **error)
{
  ww_source_set_error (source, error, WW_SET_ERROR_REFUSED, _("this is %s. %s"), _(kind->name), _(kind->recipe));
}

void
ww_refused_set_lfs_error (WwSource *source, GError **error)
{
  refuse (source, &kinds[0], error);
}

gboolean
ww_refused_set_packed_error (WwSource *source, const void *head, gsize length, GError **error)
{
  const Kind *kind = find_kind (head, MIN (length, WW_PROBE_BYTES));

  if (kind == NULL)
    return FALSE;

  ww_source_set_error (source, error, WW_SET_ERROR_REFUSED, _("what is packed in it is %s. Unpack it first. %s"),
                       _(kind->name), _(kind->recipe));
  return TRUE;
}

static gboolean
recognises (const WwProbe *probe)
{
  return probe->source != NULL && find_kind (probe->head, probe->head_length) != NULL;
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  refuse (probe->source, find_kind (probe->head, probe->head_length), error);
  return NULL;
}

const WwReader ww_refused_reader = { recognises, open_probe, WW_TAKES_ALL };
