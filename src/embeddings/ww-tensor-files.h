/* The tensors of a checkpoint folder: model.safetensors, or the shards that
 * model.safetensors.index.json names. */
#pragma once

#include "ww-safetensors.h"

G_BEGIN_DECLS

typedef struct _WwTensorFiles WwTensorFiles;

/* WW_SET_ERROR_MISSING without either file; WW_SET_ERROR_REFUSED where the weights are there, but
 * as a pickle. */
WwTensorFiles *ww_tensor_files_open (GFile *folder, GError **error);
void ww_tensor_files_free (WwTensorFiles *files); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwTensorFiles, ww_tensor_files_free)

const WwTensor *ww_tensor_files_find (const WwTensorFiles *files, const char *name);
/* The first tensor whose name ends in `suffix` after nothing or after a dot. */
const WwTensor *ww_tensor_files_find_suffix (const WwTensorFiles *files, const char *suffix);
/* The files in the order of their names. */
WwSource *const *ww_tensor_files_get_sources (const WwTensorFiles *files, gsize *ret_n);
/* For messages: the first file. */
WwSource *ww_tensor_files_get_source (const WwTensorFiles *files);
gsize ww_tensor_files_count (const WwTensorFiles *files); /* tensors */

G_END_DECLS
