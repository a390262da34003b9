/* Files of the Embedding Projector: tensors.tsv or raw float32 bytes, metadata.tsv with the words, and a
 * projector_config.json that says what belongs together. */
#pragma once

#include "ww-choice.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

/* The words of the rows of `tensors`: from the options, from the metadata file that a config beside it
 * names, from a list of the same name, or from the only file beside it that is called metadata. `rows` 0: not
 * known yet. *ret_vocab stays NULL where there are none. WW_SET_ERROR_AMBIGUOUS where several files could be
 * meant. */
gboolean ww_projector_find_words (GFile *tensors, gsize rows, const WwOpening *opening,
                                  WwVocab **ret_vocab, char **ret_name, gsize *ret_duplicates,
                                  GError **error);

/* Whether a config beside `tensors` names it, or it is called as such a file is and one with its words lies
 * there. */
gboolean ww_projector_has_list (GFile *tensors);

/* Whether the file is a config of the Embedding Projector, by its first bytes. */
gboolean ww_projector_is_config (GFile *file);

G_END_DECLS
