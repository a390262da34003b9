/* Contexts whose word sensitivity was searched at length: what efforts are held against. Gaussian rows
 * of several sizes, the small reference contexts, and rows of an English text as a BERT model looks
 * them up (at the input of its first block, and bare word vectors) under a W drawn here. */
#pragma once

#include <stdlib.h>

#include "test-util.h"

typedef struct
{
  const char *name; /* of the line in best-known.txt, and of the file where there is one */
  gsize n, d;       /* of a Gaussian context; 0: read from a file */
  guint32 trial;
  gsize token;
} KnownCase;

#define KNOWN_GAUSSIAN(n, d, trial) { "gauss-n" #n "-d" #d "-" #trial, n, d, trial, 0 }

static const KnownCase known_cases[] = {
  KNOWN_GAUSSIAN (10, 192, 0),  KNOWN_GAUSSIAN (10, 192, 1),  KNOWN_GAUSSIAN (10, 192, 2),
  KNOWN_GAUSSIAN (10, 192, 3),  KNOWN_GAUSSIAN (10, 192, 4),  KNOWN_GAUSSIAN (50, 192, 0),
  KNOWN_GAUSSIAN (50, 192, 1),  KNOWN_GAUSSIAN (50, 192, 2),  KNOWN_GAUSSIAN (100, 192, 0),
  KNOWN_GAUSSIAN (100, 192, 1), KNOWN_GAUSSIAN (250, 192, 0), KNOWN_GAUSSIAN (250, 192, 1),
  KNOWN_GAUSSIAN (250, 192, 2), KNOWN_GAUSSIAN (10, 384, 0),  KNOWN_GAUSSIAN (10, 384, 1),
  KNOWN_GAUSSIAN (50, 384, 0),  KNOWN_GAUSSIAN (50, 384, 1),  KNOWN_GAUSSIAN (50, 384, 2),
  KNOWN_GAUSSIAN (100, 384, 0), KNOWN_GAUSSIAN (250, 384, 0), KNOWN_GAUSSIAN (250, 384, 1),
  KNOWN_GAUSSIAN (10, 768, 0),  KNOWN_GAUSSIAN (10, 768, 1),  KNOWN_GAUSSIAN (10, 768, 2),
  KNOWN_GAUSSIAN (50, 768, 0),  KNOWN_GAUSSIAN (50, 768, 1),  KNOWN_GAUSSIAN (50, 768, 2),
  KNOWN_GAUSSIAN (100, 768, 0), KNOWN_GAUSSIAN (100, 768, 1), KNOWN_GAUSSIAN (250, 768, 0),
  KNOWN_GAUSSIAN (250, 768, 1), KNOWN_GAUSSIAN (250, 768, 2),
  { "gauss-n10-d64", 0, 0, 0, 0 },
  { "gauss-n40-d192", 0, 0, 0, 0 },
  { "text-n20-d100", 0, 0, 0, 0 },
  { "text-layer-0-n40-d384", 0, 0, 0, 5 },
  { "text-word-n100-d384", 0, 0, 0, 5 },
};

/* NULL where the files are missing. */
static inline WwAttention *
known_case_load (const KnownCase *known, WwMap map)
{
  g_autofree char *x_name = g_strconcat (known->name, ".X.npy", NULL);
  g_autofree char *w_name = g_strconcat (known->name, ".W.npy", NULL);
  g_autoptr (WwMatrix) x = known->n > 0 ? ww_context_synthetic (known->n, known->d, 21, known->trial, NULL)
                                        : test_reference_load (x_name);
  g_autoptr (WwMatrix) w = known->n > 0 ? NULL : test_reference_load (w_name);

  if (x == NULL)
    return NULL;
  if (w == NULL)
    w = ww_random_w (x->cols, 21, known->trial, NULL);
  return ww_attention_new (map, x, w, NULL);
}

/* The frozen best known value, 0 where there is none. */
static inline double
known_case_get_best (const KnownCase *known, WwMap map)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "reference", "best-known.txt", NULL);
  g_autofree char *start = g_strdup_printf ("%s %s ", ww_map_get_id (map), known->name);
  g_autofree char *text = NULL;
  double best = 0;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (gsize l = 0; lines[l] != NULL; l++)
    if (g_str_has_prefix (lines[l], start))
      best = g_ascii_strtod (lines[l] + strlen (start), NULL);
  return best;
}
