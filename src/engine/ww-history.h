/* Undo and redo of property values. Changes of the same property within a second of each other are
 * one step. The caller brings the clock, so that tests need not wait. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef struct _WwHistory WwHistory;

/* Puts `value` back into the property; must not record. */
typedef void (*WwHistoryApply) (const char *property, const GValue *value, gpointer user_data);

WwHistory *ww_history_new (WwHistoryApply apply, gpointer user_data);
void ww_history_free (WwHistory *history); /* NULL is fine */

/* `property` is a static string; the values are copied. Forgets what could have been redone. */
void ww_history_record (WwHistory *history, const char *property, const GValue *old_value,
                        const GValue *new_value, gint64 now_us);
/* What is recorded between the two is undone and redone at once. */
void ww_history_begin_group (WwHistory *history);
void ww_history_end_group (WwHistory *history);
/* FALSE: nothing to do. */
gboolean ww_history_undo (WwHistory *history);
gboolean ww_history_redo (WwHistory *history);
void ww_history_clear (WwHistory *history);

gboolean ww_history_can_undo (const WwHistory *history);
gboolean ww_history_can_redo (const WwHistory *history);

G_END_DECLS
