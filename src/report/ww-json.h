/* Writes one JSON value on one line, members in the order in which they are added. Reading JSON from
 * outside is another matter and is not done here. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WwJson WwJson;

WwJson *ww_json_new (void);
void ww_json_free (WwJson *json); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwJson, ww_json_free)

/* `name` is the member's name inside an object, and NULL inside an array or for the outermost value.
 * Every begin needs its end; ww_json_to_line checks that. */
void ww_json_begin_object (WwJson *json, const char *name);
void ww_json_end_object (WwJson *json);
void ww_json_begin_array (WwJson *json, const char *name);
void ww_json_end_array (WwJson *json);

/* NULL is written as null; bytes that are not UTF-8 become U+FFFD. */
void ww_json_add_string (WwJson *json, const char *name, const char *value);
/* What is not finite has no JSON form and is written as null. */
void ww_json_add_number (WwJson *json, const char *name, double value);
void ww_json_add_integer (WwJson *json, const char *name, guint64 value);
void ww_json_add_boolean (WwJson *json, const char *name, gboolean value);
void ww_json_add_null (WwJson *json, const char *name);
void ww_json_add_numbers (WwJson *json, const char *name, const double *values, gsize n);
void ww_json_add_integers (WwJson *json, const char *name, const gsize *values, gsize n);

/* The complete text with a newline at its end; the writer is left empty. */
char *ww_json_to_line (WwJson *json);

G_END_DECLS
