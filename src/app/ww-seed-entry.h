/* A text entry for the seed. A spin button computes in double precision, which has no exact numbers
 * beyond 2^53; a seed has 64 bits. */
#pragma once

#include <adwaita.h>

#include "ww-session.h"

G_BEGIN_DECLS

/* Shows the session's seed and takes what is typed once the entry is activated or left; what is no
 * whole number from 0 to 2^64 - 1 gives way to the seed that there is. */
void ww_seed_entry_bind (GtkEntry *entry, WwSession *session);
/* The same for another seed of the session, by the name of its property. */
void ww_seed_entry_bind_property (GtkEntry *entry, WwSession *session, const char *property);

G_END_DECLS
