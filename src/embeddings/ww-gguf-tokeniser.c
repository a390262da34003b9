#include "ww-gguf-tokeniser.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ww-bpe.h"
#include "ww-scored.h"
#include "ww-wordpiece.h"

#define NO_ID G_MAXUINT32
#define SPACE_MARK "\u2581"

/* Kinds of tokens, as the files number them. */
enum
{
  TYPE_NORMAL = 1,
  TYPE_UNKNOWN = 2,
  TYPE_CONTROL = 3,
  TYPE_ADDED = 4,
};

/* Ways to cut, as the files name them. */
static const struct
{
  const char *name;
  WwBpeCut cut;
  gboolean ignore_merges, framed;
} cuts[] = {
  { "gpt-2", WW_BPE_CUT_GPT2 },       { "roberta-bpe", WW_BPE_CUT_GPT2 },
  { "phi-2", WW_BPE_CUT_GPT2 },       { "mpt", WW_BPE_CUT_GPT2 },
  { "olmo", WW_BPE_CUT_GPT2 },        { "jina-en", WW_BPE_CUT_GPT2 },
  { "starcoder", WW_BPE_CUT_DIGITS }, { "smollm", WW_BPE_CUT_DIGITS },
  { "refact", WW_BPE_CUT_DIGITS },    { "llama-bpe", WW_BPE_CUT_LLAMA3, TRUE, TRUE },
  { "llama3", WW_BPE_CUT_LLAMA3, TRUE, TRUE }, { "llama-v3", WW_BPE_CUT_LLAMA3, TRUE, TRUE },
  { "qwen2", WW_BPE_CUT_QWEN2 },      { "deepseek-r1-qwen", WW_BPE_CUT_QWEN2 },
};

static gint32
get_type (const WwGguf *gguf, gsize id)
{
  return gguf->tokeniser.types->len > 0 ? g_array_index (gguf->tokeniser.types, gint32, id) : TYPE_NORMAL;
}

static gboolean
has_id (const WwGguf *gguf, WwGgufId id)
{
  return gguf->tokeniser.ids[id] != NO_ID;
}

static gboolean
get_flag (const WwGguf *gguf, WwGgufFlag flag, gboolean fallback)
{
  return gguf->tokeniser.flags[flag] >= 0 ? gguf->tokeniser.flags[flag] : fallback;
}

static void
fill_frame (const WwGguf *gguf, gboolean first, gboolean last, WwTokenFrame *frame)
{
  if (get_flag (gguf, WW_GGUF_FLAG_ADD_FIRST, first) && has_id (gguf, WW_GGUF_ID_FIRST))
    g_array_append_val (frame->before, gguf->tokeniser.ids[WW_GGUF_ID_FIRST]);
  if (get_flag (gguf, WW_GGUF_FLAG_ADD_LAST, last) && has_id (gguf, WW_GGUF_ID_LAST))
    g_array_append_val (frame->behind, gguf->tokeniser.ids[WW_GGUF_ID_LAST]);
}

/* Control tokens and added ones, which are found in a text before it is cut. */
static gboolean
is_added (const WwGguf *gguf, gsize id, WwAddedToken *ret_token)
{
  gint32 type = get_type (gguf, id);

  *ret_token = (WwAddedToken) { .id = (guint32) id, .special = type == TYPE_CONTROL };
  return type == TYPE_CONTROL || type == TYPE_ADDED || type == TYPE_UNKNOWN;
}

static gboolean
add_merges (WwBpe *bpe, const WwVocab *merges, char **ret_why)
{
  for (gsize i = 0; i < ww_vocab_get_size (merges); i++)
    {
      const char *merge = ww_vocab_get (merges, i), *space = strchr (merge, ' ');

      if (space == NULL || ww_bpe_add_merge (bpe, merge, (gsize) (space - merge), space + 1, strlen (space + 1))
                             != WW_BPE_ADDED)
        {
          *ret_why = g_strdup_printf (_("merge %zu does not fit its tokens"), i + 1);
          return FALSE;
        }
    }

  return TRUE;
}

static gboolean
find_cut (const WwGguf *gguf, gsize *ret_index)
{
  const char *name = gguf->tokeniser.cut;

  /* Files older than the key: those of GPT-2 itself. */
  if (name == NULL && g_strcmp0 (gguf->architecture, "gpt2") == 0)
    name = "gpt-2";
  for (gsize i = 0; i < G_N_ELEMENTS (cuts); i++)
    if (g_strcmp0 (name, cuts[i].name) == 0)
      {
        *ret_index = i;
        return TRUE;
      }

  return FALSE;
}

static WwBpe *
make_bpe (const WwGguf *gguf, const WwVocab *vocab, char **ret_why)
{
  g_auto (WwTokenFrame) frame = { 0 };
  WwBpeOptions options = { WW_BPE_CUT_GPT2 };
  g_autoptr (WwBpe) bpe = NULL;
  WwAddedToken token;
  guint8 byte;
  gsize index;

  if (gguf->tokeniser.merges == NULL)
    {
      *ret_why = g_strdup (_("there are no merges"));
      return NULL;
    }
  if (!find_cut (gguf, &index))
    {
      g_autofree char *name = ww_dup_one_line (gguf->tokeniser.cut != NULL ? gguf->tokeniser.cut : "");

      *ret_why = g_strdup_printf (_("tokenizer.ggml.pre is \"%.60s\", which is not known here"), name);
      return NULL;
    }

  ww_token_frame_init (&frame);
  options.cut = cuts[index].cut;
  options.ignore_merges = cuts[index].ignore_merges;
  options.prefix_space = options.cut == WW_BPE_CUT_GPT2 && get_flag (gguf, WW_GGUF_FLAG_PREFIX_SPACE, FALSE);
  bpe = ww_bpe_new (vocab, options);
  if (!add_merges (bpe, gguf->tokeniser.merges, ret_why))
    return NULL;
  for (gsize id = 0; id < ww_vocab_get_size (vocab); id++)
    if (is_added (gguf, id, &token) && !ww_bpe_add_token (bpe, &token))
      return NULL;
  if (has_id (gguf, WW_GGUF_ID_UNKNOWN))
    ww_bpe_set_unknown (bpe, gguf->tokeniser.ids[WW_GGUF_ID_UNKNOWN]);
  if (!ww_bpe_is_usable (bpe, &byte))
    {
      *ret_why = g_strdup_printf (_("there is no token for the byte 0x%02x"), (guint) byte);
      return NULL;
    }

  fill_frame (gguf, cuts[index].framed, FALSE, &frame);
  ww_bpe_set_frame (bpe, &frame);
  return g_steal_pointer (&bpe);
}

static WwScored *
make_scored (const WwGguf *gguf, const WwVocab *vocab, char **ret_why)
{
  const WwScoredOptions options = { (const float *) (gpointer) gguf->tokeniser.scores->data,
                                    get_flag (gguf, WW_GGUF_FLAG_PREFIX_SPACE, TRUE),
                                    gguf->tokeniser.ids[WW_GGUF_ID_UNKNOWN] };
  g_auto (WwTokenFrame) frame = { 0 };
  g_autoptr (WwScored) scored = NULL;
  WwAddedToken token;

  for (gsize i = 0; i < gguf->tokeniser.scores->len; i++)
    if (!isfinite (options.scores[i]))
      {
        *ret_why = g_strdup_printf (_("score %zu is not finite"), i);
        return NULL;
      }
  if (gguf->tokeniser.scores->len == 0)
    {
      *ret_why = g_strdup (_("there are no scores"));
      return NULL;
    }

  ww_token_frame_init (&frame);
  scored = ww_scored_new (vocab, &options);
  for (gsize id = 0; scored != NULL && id < ww_vocab_get_size (vocab); id++)
    if (is_added (gguf, id, &token) && !ww_scored_add_token (scored, &token))
      return NULL;
  if (scored == NULL)
    return NULL;

  fill_frame (gguf, TRUE, FALSE, &frame);
  ww_scored_set_frame (scored, &frame);
  return g_steal_pointer (&scored);
}

/* The files write the beginning of a word with a mark and its continuation without; here it is the other way round,
 * as the models' own vocabularies have it. */
static WwVocab *
make_pieces (const WwGguf *gguf)
{
  g_autoptr (WwVocab) pieces = ww_vocab_new ();
  gsize n = ww_vocab_get_size (gguf->tokens);
  gboolean marked = FALSE;

  for (gsize id = 0; id < n && !marked; id++)
    marked = g_str_has_prefix (ww_vocab_get (gguf->tokens, id), SPACE_MARK);
  for (gsize id = 0; id < n; id++)
    {
      const char *token = ww_vocab_get (gguf->tokens, id);
      gboolean kept = !marked || get_type (gguf, id) == TYPE_CONTROL || get_type (gguf, id) == TYPE_UNKNOWN
                      || (*token == '[' && g_str_has_suffix (token, "]"));
      g_autofree char *piece = kept                                    ? g_strdup (token)
                               : g_str_has_prefix (token, SPACE_MARK) ? g_strdup (token + strlen (SPACE_MARK))
                                                                       : g_strconcat ("##", token, NULL);

      if (ww_vocab_append (pieces, piece, strlen (piece)) == WW_VOCAB_FULL)
        return NULL;
    }

  return g_steal_pointer (&pieces);
}

/* A vocabulary with capitals minds them, and accents as well. */
static gboolean
is_cased (const WwGguf *gguf)
{
  for (gsize id = 0; id < ww_vocab_get_size (gguf->tokens); id++)
    {
      const char *token = ww_vocab_get (gguf->tokens, id);

      if (*token == '[' || get_type (gguf, id) != TYPE_NORMAL)
        continue;
      for (; *token != '\0'; token++)
        if (g_ascii_isupper (*token))
          return TRUE;
    }

  return FALSE;
}

static WwWordPiece *
make_wordpiece (const WwGguf *gguf, const WwVocab *vocab, char **ret_why)
{
  gboolean lower = get_flag (gguf, WW_GGUF_FLAG_LOWER_CASE, !is_cased (gguf));
  const WwWordPieceFlags flags = {
    .lower_case = lower,
    .strip_accents = lower,
    .split_chinese = TRUE,
    .unknown = has_id (gguf, WW_GGUF_ID_UNKNOWN) ? ww_vocab_get (vocab, gguf->tokeniser.ids[WW_GGUF_ID_UNKNOWN]) : NULL,
  };
  WwWordPiece *wordpiece = ww_wordpiece_new (vocab, flags);
  g_auto (WwTokenFrame) frame = { 0 };
  guint32 first = gguf->tokeniser.ids[has_id (gguf, WW_GGUF_ID_CLASS) ? WW_GGUF_ID_CLASS : WW_GGUF_ID_FIRST];
  guint32 last = gguf->tokeniser.ids[has_id (gguf, WW_GGUF_ID_SEPARATOR) ? WW_GGUF_ID_SEPARATOR : WW_GGUF_ID_LAST];

  if (wordpiece == NULL)
    {
      *ret_why = g_strdup (_("there is no token for what is unknown"));
      return NULL;
    }

  ww_wordpiece_add_usual (wordpiece);
  if (first != NO_ID && last != NO_ID)
    {
      ww_token_frame_init (&frame);
      g_array_append_val (frame.before, first);
      g_array_append_val (frame.behind, last);
      ww_wordpiece_set_frame (wordpiece, &frame);
    }
  return wordpiece;
}

static gboolean
check_counts (const WwGguf *gguf, char **ret_why)
{
  gsize n = ww_vocab_get_size (gguf->tokens);

  for (gsize i = 0; i < WW_GGUF_N_IDS; i++)
    if (gguf->tokeniser.ids[i] != NO_ID && gguf->tokeniser.ids[i] >= n)
      {
        *ret_why = g_strdup_printf (_("it names a token %u of %zu"), gguf->tokeniser.ids[i], n);
        return FALSE;
      }
  if ((gguf->tokeniser.scores->len > 0 && gguf->tokeniser.scores->len != n)
      || (gguf->tokeniser.types->len > 0 && gguf->tokeniser.types->len != n))
    {
      *ret_why = g_strdup (_("it has not a score and a type for each token"));
      return FALSE;
    }

  return TRUE;
}

WwTokeniser *
ww_tokeniser_from_gguf (const WwGguf *gguf, char **ret_why)
{
  const char *model = gguf->tokeniser.model;
  g_autoptr (WwVocab) vocab = NULL;
  WwWordPiece *wordpiece = NULL;
  WwScored *scored = NULL;
  WwBpe *bpe = NULL;

  if (!check_counts (gguf, ret_why))
    return NULL;
  vocab = g_strcmp0 (model, "bert") == 0 ? make_pieces (gguf) : ww_vocab_dup_head (gguf->tokens, G_MAXSIZE);
  if (vocab != NULL && g_strcmp0 (model, "gpt2") == 0)
    bpe = make_bpe (gguf, vocab, ret_why);
  else if (vocab != NULL && g_strcmp0 (model, "llama") == 0)
    scored = make_scored (gguf, vocab, ret_why);
  else if (vocab != NULL && g_strcmp0 (model, "bert") == 0)
    wordpiece = make_wordpiece (gguf, vocab, ret_why);
  else if (vocab != NULL)
    {
      g_autofree char *name = ww_dup_one_line (model != NULL ? model : "");

      *ret_why = g_strdup_printf (_("tokenizer.ggml.model is \"%.60s\""), name);
    }

  if (bpe == NULL && scored == NULL && wordpiece == NULL)
    {
      if (*ret_why == NULL)
        *ret_why = g_strdup (_("there is not enough memory"));
      return NULL;
    }
  return ww_tokeniser_new_take (g_steal_pointer (&vocab), wordpiece, bpe, scored);
}
