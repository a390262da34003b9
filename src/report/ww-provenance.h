/* What made a figure or a data file: written into every one of them. */
#pragma once

#include "ww-core.h"
#include "ww-json.h"
#include "ww-set-open.h"

G_BEGIN_DECLS

/* Strings and arrays are owned by the struct (g_malloc). */
typedef struct
{
  char *set_name;   /* NULL: none */
  char *set_format;
  char *set_sha256; /* NULL: none */
  char *config_sha256; /* of a checkpoint's config.json; written where there is one */
  char *words;        /* the list of words in a file of its own, and its column; written where there is one */
  char *words_sha256; /* of that file */
  char *text;       /* NULL: none (synthetic rows, a ready context, ids) */
  char *source;     /* where X came from when not a set: "synthetic", "X.npy" */
  int layer;        /* of the set's context; meaningless where set_name is NULL */
  WwNormalisation normalisation;
  WwMap maps[WW_N_MAPS];
  gsize n_maps;
  gsize *lengths; /* n */
  gsize n_lengths;
  gsize *dims;    /* d */
  gsize n_dims;
  gsize features; /* k of RF; 0: n d */
  guint trials;   /* 0: does not apply */
  guint64 seed;
  double radius;
  WwEffort effort;
  gsize token;    /* 0-based or WW_TOKEN_ALL */
  gboolean special; /* special tokens are rows of the context */
  char *source_sha256; /* of the file that `source` names; NULL: none */
  gsize depth, width;  /* of DRF; written where it is among the maps */
  WwSweepBound bound;  /* of the attention maps; written where there is one */
  gsize n_points, n_expected; /* points of a curve that are measured, of all; written where some lack */
} WwProvenance;

/* Nothing known, and the defaults of everything that has one: seed 1, radius 1, effort normal, token
 * 0, paper normalisation, special tokens kept. */
void ww_provenance_init (WwProvenance *provenance);
void ww_provenance_clear (WwProvenance *provenance);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwProvenance, ww_provenance_clear)
void ww_provenance_copy (const WwProvenance *source, WwProvenance *ret_copy);

/* Which set it is, and what else was chosen when it was opened: all that is known without reading it whole, which the
 * other digests take. `seed` is that of WW_UNKNOWN_RANDOM. */
void ww_provenance_set_set (WwProvenance *provenance, WwSet *set, gboolean without_words, WwReading reading,
                            WwUnknown unknown, guint64 seed);

/* "wordsway 0.1.0\nset: ...\n...": one fact a line, in a fixed order, never a time or a path, so that
 * the same command writes the same bytes. A line break in the text is written as \n. */
char *ww_provenance_to_lines (const WwProvenance *provenance);
/* The same lines behind "# ". */
char *ww_provenance_to_csv_comment (const WwProvenance *provenance);
/* The same facts as the members of one JSON object, e.g. {"version": "0.1.0", ...}, without a line
 * break. */
char *ww_provenance_to_json (const WwProvenance *provenance);
/* That object as the member `name` (or NULL: an element) of what `json` is writing. */
void ww_provenance_add_to_json (const WwProvenance *provenance, WwJson *json, const char *name);

G_END_DECLS
