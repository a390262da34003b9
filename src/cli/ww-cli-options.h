/* Values of options, from the text that the user typed to what they mean. Every function leaves its
 * result alone where `text` is NULL (the option was not given), so that the caller's default stays;
 * every failure is WW_CLI_ERROR_USAGE with the option, what it takes and what was found. */
#pragma once

#include "ww-core.h"

G_BEGIN_DECLS

/* What stands for "n d" in --features. */
#define WW_CLI_FEATURES_ND 0
#define WW_CLI_DEFAULT_FEATURES 4096
#define WW_CLI_DEFAULT_DEPTH 4
#define WW_CLI_DEFAULT_WIDTH 1024

gboolean ww_cli_parse_size (const char *option, const char *text, gsize min, gsize max, gsize *ret_value,
                            GError **error);
gboolean ww_cli_parse_count (const char *option, const char *text, guint min, guint max, guint *ret_value,
                             GError **error);
gboolean ww_cli_parse_real (const char *option, const char *text, double min, double max, double *ret_value,
                            GError **error);
gboolean ww_cli_parse_seed (const char *text, guint64 *ret_seed, GError **error);
/* 0 < radius <= 100. */
gboolean ww_cli_parse_radius (const char *text, double *ret_radius, GError **error);
/* A token counted from 0, or "all" (WW_TOKEN_ALL). */
gboolean ww_cli_parse_token (const char *text, gsize *ret_token, GError **error);
/* A head counted from 0, "mean" (WW_HEAD_MEAN) or "all" (WW_HEAD_ALL). */
gboolean ww_cli_parse_head (const char *text, int *ret_head, GError **error);
/* A number of features, or "nd" (WW_CLI_FEATURES_ND). */
gboolean ww_cli_parse_features (const char *text, gsize *ret_features, GError **error);
/* Layers and their units of DRF. */
gboolean ww_cli_parse_network (const char *depth_text, const char *width_text, gsize *ret_depth, gsize *ret_width,
                               GError **error);
gboolean ww_cli_parse_effort (const char *text, WwEffort *ret_effort, GError **error);
/* "none", "quick" or "tight". */
gboolean ww_cli_parse_bound (const char *text, WwSweepBound *ret_bound, GError **error);
/* "all", "none", or some of "infinite,edge,finite,weights": WW_LAW_BIT of each. */
gboolean ww_cli_parse_laws (const char *text, guint *ret_laws, GError **error);
gboolean ww_cli_parse_normalisation (const char *text, WwNormalisation *ret_normalisation, GError **error);

/* `text` NULL is an error here: no map is the obvious one. */
gboolean ww_cli_parse_map (const char *text, WwMap *ret_map, GError **error);
/* As ww_cli_parse_map, and RF and DRF, which have no attention, are errors. */
gboolean ww_cli_parse_attention_map (const char *text, WwMap *ret_map, GError **error);
/* "rf,raf": no repeats; at most WW_N_MAPS. */
gboolean ww_cli_parse_maps (const char *text, WwMap ret_maps[WW_N_MAPS], gsize *ret_n_maps, GError **error);

/* "10,20,50": ascending, without repeats. GArray of gsize. */
gboolean ww_cli_parse_sizes (const char *option, const char *text, gsize max, GArray **ret_sizes, GError **error);
/* A list as ww_cli_parse_sizes, or "a:b:k": k lengths evenly spaced in log n. */
gboolean ww_cli_parse_lengths (const char *text, GArray **ret_lengths, GError **error);
/* "101,1045,2293". GArray of guint32 in the order given. */
gboolean ww_cli_parse_ids (const char *text, GArray **ret_ids, GError **error);

/* `option` has to be there; `value` is what was given for it, or NULL. */
gboolean ww_cli_require (const char *option, const char *value, GError **error);
/* --provenance only adds to --json. */
gboolean ww_cli_check_provenance (gboolean provenance, gboolean json, GError **error);
/* Not both. */
gboolean ww_cli_exclude (const char *first, gboolean has_first, const char *second, gboolean has_second,
                         GError **error);
/* Whether `path` can be written at all, looked at before the work begins; NULL is fine.
 * WW_CLI_ERROR_FAILED, or _USAGE for an empty name. */
gboolean ww_cli_check_output (const char *option, const char *path, GError **error);

G_END_DECLS
