/* The nudge that the Perturb page shows now, with its words and its provenance: one immutable thing
 * that every view of the page, and export, shares by reference count. */
#pragma once

#include "ww-report.h"
#include "ww-session.h"

G_BEGIN_DECLS

typedef struct _WwShownNudge WwShownNudge;

/* What the session shows; NULL while it has no nudge. */
WwShownNudge *ww_shown_nudge_new (WwSession *session);
WwShownNudge *ww_shown_nudge_ref (WwShownNudge *self);
void ww_shown_nudge_unref (WwShownNudge *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwShownNudge, ww_shown_nudge_unref)

WwSet *ww_shown_nudge_get_set (const WwShownNudge *self); /* NULL: none */
const WwNudge *ww_shown_nudge_get_nudge (const WwShownNudge *self);
/* Valid as long as `self`. */
const WwNudgeReport *ww_shown_nudge_get_report (const WwShownNudge *self);
/* The token as a person reads it; its number, from 1, where there are no words. Never NULL. */
char *ww_shown_nudge_dup_word (const WwShownNudge *self, gsize token);

G_END_DECLS
