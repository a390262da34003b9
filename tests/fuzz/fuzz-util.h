/* What the fuzz targets share. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ww-source.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static inline WwSource *
fuzz_source (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);

  return ww_source_new_for_bytes ("input", bytes);
}

/* The input as valid UTF-8 without a NUL, as every text is before it reaches a tokeniser. */
static inline char *
fuzz_text (const uint8_t *data, size_t size)
{
  g_autofree char *bytes = g_strndup ((const char *) data, size);

  return g_utf8_make_valid (bytes, -1);
}

/* A reader says what is wrong exactly where it gives nothing. */
static inline void
fuzz_check (gconstpointer result, const GError *error)
{
  if ((result == NULL) == (error == NULL))
    g_error ("a result and an error, or neither");
}
