/* Which of several arrays of a file is meant: by its id, by a usual name, or because it is the only
 * one; else the person is asked. */
#pragma once

#include "ww-set-private.h"

G_BEGIN_DECLS

GPtrArray *ww_candidates_new (void);
/* `shape`, `type` and `remark` may be NULL. */
void ww_candidates_add (GPtrArray *candidates, const char *id, const char *shape, const char *type,
                        gboolean usable, const char *remark);
const WwCandidate *ww_candidates_get (const GPtrArray *candidates, gsize index);

/* Whether this is how the name is shown: on one line. */
gboolean ww_name_is_shown_as (const char *name, const char *member);

/* Several of one name get a number in their ids, "g.txt", "g.txt#2".
 * Chooses `member` (NULL: none was asked for), or the first of the usual names (NULL-terminated; a
 * name also fits behind a dot, "transformer.wte.weight") that is usable, or the only usable one. Notes
 * candidates and choice in the preview, which is also shown the first usable one where nothing tells.
 * Errors: WW_SET_ERROR_MISSING, _AMBIGUOUS, and _UNSUPPORTED where none is usable. */
gboolean ww_choose (GPtrArray *candidates, const WwOpening *opening, WwSource *source, const char *member,
                    const char *const *usual, gsize *ret_index, GError **error);

/* The same for the member of the options, which may name a text of an array as well, "X:2" or "2". *ret_text:
 * from 1; 0: not said. */
gboolean ww_choose_with_text (GPtrArray *candidates, const WwOpening *opening, WwSource *source,
                              const char *const *usual, gsize *ret_index, gsize *ret_text, GError **error);

/* One more sentence on what the file is, if somebody wants to know. */
void ww_opening_note (const WwOpening *opening, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The same for what only looks so and may be meant otherwise: a person is shown it before it is believed. */
void ww_opening_note_guess (const WwOpening *opening, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Where the words come from. */
void ww_opening_note_words (const WwOpening *opening, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The same for a list in a file `name` of so many words. */
void ww_opening_note_list (const WwOpening *opening, const char *name, gsize n_words);
/* The same for one that cannot be read, which need not end the opening while somebody looks: another one can be chosen,
 * or none. */
void ww_opening_note_unread_list (const WwOpening *opening, const char *name);
/* Reports progress; FALSE with G_IO_ERROR_CANCELLED. */
gboolean ww_opening_report (const WwOpening *opening, double fraction, GError **error);

/* "X:2" is text 2 of X, "2" alone text 2 of whatever is chosen. FALSE: it names no text. */
gboolean ww_member_split (const char *member, char **ret_name, gsize *ret_text);

G_END_DECLS
