/* The classes of characters by which BERT cuts texts into words. Devlin et al., NAACL 2019, and the implementation that
 * came with it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* White space. `keep_controls`: the text is not cleaned, so that other controls are still there and separate too. */
gboolean ww_wordpiece_is_space (gboolean keep_controls, gunichar c);
/* What the cleaning takes out without a trace. */
gboolean ww_wordpiece_is_dropped (gunichar c);
/* A word of its own. */
gboolean ww_wordpiece_is_punctuation (gunichar c);
gboolean ww_wordpiece_is_chinese (gunichar c);

G_END_DECLS
