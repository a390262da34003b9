/* What the two files of WwModel share. */
#pragma once

#include "ww-model.h"

G_BEGIN_DECLS

typedef enum
{
  WW_PART_QUERY, /* where the family keeps query, key and value in one: all three */
  WW_PART_KEY,
  WW_PART_VALUE,
  WW_PART_OUTPUT,
  WW_PART_WIDEN,
  WW_PART_NARROW,
  WW_PART_ATTENTION_NORM,
  WW_PART_FEED_NORM,
} WwModelPart;
#define WW_N_PARTS 8

/* Owned by the files; NULL where the files lack it. */
typedef struct
{
  const WwTensor *weight, *bias; /* gain and shift of a LayerNorm */
} WwPartTensors;

typedef struct
{
  WwPartTensors parts[WW_N_PARTS];
} WwBlockTensors;

struct _WwModel
{
  WwModelConfig config;
  WwTensorFiles *files;
  WwTable *words;      /* V x d */
  WwTable *positions;  /* P x d, or NULL */
  char *words_name, *positions_name; /* of the two tensors, for messages */
  WwMatrix *type;      /* 1 x d: row 0 of the token types, or NULL */
  WwMatrix *gain, *shift;   /* 1 x d each: LayerNorm of layer 0, or NULL */
  WwPartTensors final_norm; /* behind the last block, in families that have it */
  WwBlockTensors *blocks;   /* n_blocks */
  gsize n_blocks;           /* that were looked for: those of the configuration */
  gsize n_complete, n_attention;
  char *lack;
};

/* Query, key and value side by side in one tensor, outputs as columns. */
gboolean ww_family_is_joint (WwFamily family);
/* LayerNorm on the way into the halves of a block instead of out of them. */
gboolean ww_family_has_norm_before (WwFamily family);

G_END_DECLS
