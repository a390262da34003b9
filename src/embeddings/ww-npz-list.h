/* What an archive of arrays holds besides them: a list of words in a file of its own, as it may lie beside an array. */
#pragma once

#include "ww-npz-private.h"
#include "ww-set-private.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

/* The words of the `rows` rows of the array at `index`: in a member that is called like it but for its ending, or in one
 * called words.txt or vocab.txt, which must have as many words. *ret_vocab stays NULL where there is none. *ret_name: of
 * the member. The errors of ww_word_list_load and of members. */
gboolean ww_npz_find_list (const WwNpz *npz, gsize index, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
                           char **ret_name, gsize *ret_duplicates, GError **error);
/* The members that are neither arrays nor called `used` (NULL: none is), to be shown; NULL: there are none. */
char *ww_npz_dup_unused (const WwNpz *npz, const char *used);
/* Whether `member` names one of the members that are no array. */
gboolean ww_npz_is_other_member (WwSource *source, const char *member);

G_END_DECLS
