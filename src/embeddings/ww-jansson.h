/* JSON from outside: size limited, duplicate keys refused, every error with file, line and column. */
#pragma once

#include <jansson.h>

#include "ww-source.h"

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (json_t, json_decref)

/* The content must be an object or an array. WW_SET_ERROR_MALFORMED, _TOO_LARGE, _EMPTY, _READ. */
json_t *ww_json_load (WwSource *source, gsize limit, GError **error);
/* As above from a part of the source; `offset` is where it begins there, for messages. */
json_t *ww_json_parse (WwSource *source, const char *text, gsize length, guint64 offset,
                       GError **error);

/* A whole number between `least` and `most` under `key`. Without the key: FALSE with
 * WW_SET_ERROR_MISSING. */
gboolean ww_json_get_size (WwSource *source, json_t *object, const char *key, gsize least,
                           gsize most, gsize *ret_value, GError **error);
/* NULL if absent or no string; owned by the object. */
const char *ww_json_get_string (json_t *object, const char *key);
/* `fallback` if absent, null or no truth value. */
gboolean ww_json_get_boolean (json_t *object, const char *key, gboolean fallback);

G_END_DECLS
