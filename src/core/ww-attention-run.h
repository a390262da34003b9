/* One search at work: its memory, the plans that it runs through at a token, and what it has found. */
#pragma once

#include "ww-attention-recipes.h"

G_BEGIN_DECLS

/* Allocates everything: what follows allocates nothing but results. A run that is zero, or whose
 * initialisation failed, may be cleared. WW_CORE_ERROR_MEMORY. */
gboolean ww_attention_run_init (WwAttentionRun *run, const WwAttention *attention,
                                const WwSearchSettings *settings, const WwCancel *cancel, GError **error);
void ww_attention_run_clear (WwAttentionRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwAttentionRun, ww_attention_run_clear)

/* Searches a token with every plan up to `plan`, or screens it alone; run->best is then the best nudge of any
 * plan and *ret_ws its change by the incremental formulas in double precision. Each effort does first what
 * the shorter ones do, so that none finds less than they. FALSE if cancelled, or where a change overflows. */
gboolean ww_attention_run_search (WwAttentionRun *run, gsize token, WwAttentionPlan plan, double *ret_ws,
                                  GError **error);
/* Nudges evaluated so far; and, roughly, in one search with every plan up to `plan`. */
guint64 ww_attention_run_count (const WwAttentionRun *run);
double ww_attention_run_estimate (const WwAttentionRun *run, WwAttentionPlan plan);

/* What follows is the work from `from` to `from` + `span` of all, some `expected` nudges. */
void ww_attention_run_begin_part (WwAttentionRun *run, double from, double span, double expected);
/* Lets the listener to the search's progress hear how far that part is. */
void ww_attention_run_report (const WwAttentionRun *run);

/* The change of run->best by the definition. FALSE likewise. */
gboolean ww_attention_run_confirm (WwAttentionRun *run, gsize token, double *ret_ws, GError **error);

/* An empty result, with room for n_tokens values (0: none). WW_CORE_ERROR_MEMORY. */
WwSearchResult *ww_attention_run_make_result (const WwAttentionRun *run, gsize n_tokens, GError **error);
/* The result takes run->best at `token` if it beats what the result holds. */
void ww_attention_run_offer (const WwAttentionRun *run, WwSearchResult *result, gsize token, double ws);

G_END_DECLS
