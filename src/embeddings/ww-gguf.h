/* GGUF files, versions 2 and 3: the key-value pairs that matter here, the list of tokens, and where the
 * tensors are. Format: docs/gguf.md of the ggml project. */
#pragma once

#include "ww-choice.h"
#include "ww-table.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

#define WW_GGUF_MAX_AXES 4

typedef struct
{
  char *name;
  guint n_axes;
  gsize shape[WW_GGUF_MAX_AXES]; /* the slowest axis first: rows, then columns */
  guint32 type;
  guint64 offset; /* in the file */
} WwGgufTensor;

/* What is said of the tokeniser beside the list of tokens: the keys tokenizer.ggml.*, without that. */
typedef enum
{
  WW_GGUF_ID_FIRST,     /* bos_token_id */
  WW_GGUF_ID_LAST,      /* eos_token_id */
  WW_GGUF_ID_UNKNOWN,   /* unknown_token_id */
  WW_GGUF_ID_SEPARATOR, /* seperator_token_id, as it is spelled there */
  WW_GGUF_ID_CLASS,     /* cls_token_id */
  WW_GGUF_N_IDS
} WwGgufId;

typedef enum
{
  WW_GGUF_FLAG_ADD_FIRST,    /* add_bos_token */
  WW_GGUF_FLAG_ADD_LAST,     /* add_eos_token */
  WW_GGUF_FLAG_PREFIX_SPACE, /* add_space_prefix */
  WW_GGUF_FLAG_LOWER_CASE,   /* normalizer.lowercase */
  WW_GGUF_N_FLAGS
} WwGgufFlag;

typedef struct
{
  char *model, *cut;  /* "model" and "pre"; NULL: not said */
  GArray *scores;     /* float; empty: none */
  GArray *types;      /* gint32; empty: none */
  WwVocab *merges;    /* "left right"; NULL: none */
  guint32 ids[WW_GGUF_N_IDS]; /* G_MAXUINT32: not said */
  int flags[WW_GGUF_N_FLAGS]; /* -1: not said */
} WwGgufTokeniser;

typedef struct
{
  guint32 version;
  char *architecture; /* NULL: not said */
  WwVocab *tokens;    /* NULL: none in the file */
  WwGgufTokeniser tokeniser;
  gsize n_duplicates;
  GArray *tensors;    /* WwGgufTensor */
} WwGguf;

/* WW_SET_ERROR_TRUNCATED, _MALFORMED, _TOO_LARGE, _UNSUPPORTED (version 1, big-endian), _READ,
 * G_IO_ERROR_CANCELLED. */
WwGguf *ww_gguf_open (WwSource *source, const WwOpening *opening, GError **error);
void ww_gguf_free (WwGguf *gguf); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwGguf, ww_gguf_free)

const char *ww_gguf_type_get_name (guint32 type); /* "Q4_K" */
/* FALSE: values of this type are not read. */
gboolean ww_gguf_type_get_dtype (guint32 type, WwDtype *ret_dtype);

G_END_DECLS
