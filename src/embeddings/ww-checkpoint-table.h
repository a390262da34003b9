/* A folder with the weights of a model that is not computed here: its table of word vectors. */
#pragma once

#include "ww-set-private.h"

G_BEGIN_DECLS

/* Why the folder is no checkpoint although there are weights: a family that is not known, or no config.json at all. NULL:
 * it is one, or there is nothing to open in its place. Free with g_free. */
char *ww_checkpoint_dup_lack (GFile *folder);
/* The table that has a usual name among the weights of `folder`, or of a single file the tensor of the options. `why`: as
 * of above. Errors of reading, and of a choice between tensors. */
WwSet *ww_checkpoint_open_table (GFile *folder, const char *why, const WwOpening *opening, GError **error);

G_END_DECLS
