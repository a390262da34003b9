/* The small files of a checkpoint folder. */
#pragma once

#include "ww-jansson.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

/* Vocabularies and what belongs to them. */
#define WW_MAX_VOCAB_BYTES (256 * 1024 * 1024)

/* Where config.json is, or the weights of a table: the folder itself, or a part that modules.json names (as
 * sentence-transformers stores it). Free with g_object_unref. WW_SET_ERROR_NOT_A_FILE for a folder that is no checkpoint, _MISSING for one without weights and
 * for a part that is not there, and the errors of JSON. */
GFile *ww_checkpoint_find_folder (GFile *folder, GError **error);

gboolean ww_checkpoint_has_child (GFile *folder, const char *name);
/* The name of the file of the folder that its vocabulary is read from, whatever else it lacks; NULL: there is none. */
const char *ww_checkpoint_find_vocabulary (GFile *folder);
gboolean ww_checkpoint_has_vocabulary (GFile *folder);
/* Whether there is a file of weights, in one or as the list of several. */
gboolean ww_checkpoint_has_weights (GFile *folder);

/* A file of the folder; *ret_source stays NULL where there is no such file. */
gboolean ww_checkpoint_open_child (GFile *folder, const char *name, WwSource **ret_source, GError **error);
/* The JSON in such a file; *ret_root stays NULL where there is none. `ret_source` may be NULL. */
gboolean ww_checkpoint_load_json (GFile *folder, const char *name, gsize limit, WwSource **ret_source,
                                  json_t **ret_root, GError **error);

/* One piece a line. */
WwVocab *ww_checkpoint_read_vocab_text (WwSource *source, GError **error);
/* {"piece": id, ...}, with further pieces [{"content": "piece", "id": id, ...}, ...] that may be NULL: in
 * the order of their ids, which must be 0, 1, 2, ... */
WwVocab *ww_checkpoint_order_pieces (WwSource *source, json_t *pieces, json_t *added, GError **error);

G_END_DECLS
