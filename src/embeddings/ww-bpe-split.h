/* How GPT-2 cuts a text before it looks at pairs of bytes: a word with the space in front of it, a number
 * likewise, a run of other characters likewise, an English contraction, or white space. Radford et al.,
 * 2019, section 2.2; the pattern of the reference implementation is
 *   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+ */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The ways to cut that are known. */
typedef enum
{
  WW_BPE_CUT_GPT2,
  WW_BPE_CUT_DIGITS, /* as GPT-2, but each digit is a piece of its own (StarCoder, SmolLM) */
  /* (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+ */
  WW_BPE_CUT_LLAMA3,
  WW_BPE_CUT_QWEN2, /* the same with \p{N} alone */
} WwBpeCut;

/* Which of them a regular expression is. */
gboolean ww_bpe_cut_from_pattern (const char *pattern, WwBpeCut *ret_cut);

/* Bytes at the beginning of `length` > 0 bytes of valid UTF-8 that are cut off from what follows in any case: a digit
 * or what stands before the next one, where digits are pieces of their own; else all. */
gsize ww_bpe_cut_get_limit (WwBpeCut cut, const char *text, gsize length);
/* Length in bytes of the piece at the beginning of such bytes. `behind_space`: the text follows a space that was
 * made up, which the first piece takes with it; 0: it is all of that piece. Only GPT-2's cut knows such a space. */
gsize ww_bpe_split (WwBpeCut cut, const char *text, gsize length, gboolean behind_space);

G_END_DECLS
