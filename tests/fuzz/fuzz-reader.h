/* What the fuzz targets of the readers share: bytes go in as a file would, and whatever opens is used as the
 * program uses a set. */
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-choice.h"

/* libFuzzer's entry point. */
int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

#define FUZZ_ROWS 16

static inline void
fuzz_use (WwSet *set)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) pairs = ww_set_describe (set);
  gsize n = MIN (ww_set_get_n_entries (set), FUZZ_ROWS);
  guint32 ids[FUZZ_ROWS];
  g_autoptr (WwTokens) rows = NULL, tokens = NULL;
  g_autoptr (WwMatrix) context = NULL;

  if (pairs[0] == NULL || n == 0 || ww_set_get_dims (set) == 0)
    abort ();
  for (gsize i = 0; pairs[i] != NULL; i++)
    if (!g_utf8_validate (pairs[i], -1, NULL))
      abort ();
  for (gsize i = 0; i < n; i++)
    ids[i] = (guint32) i;
  rows = ww_set_tokens_from_ids (set, ids, n, &error);
  if (rows == NULL)
    abort ();
  for (gsize i = 0; i < rows->n; i++)
    if (!g_utf8_validate (rows->tokens[i].text, -1, NULL) || *rows->tokens[i].display == '\0')
      abort ();

  context = ww_set_get_context (set, rows, WW_LAYER_WORD, &error);
  if ((context == NULL) != (error != NULL))
    abort ();
  for (gsize i = 0; context != NULL && i < context->rows * context->cols; i++)
    if (!isfinite (context->data[i]))
      abort ();

  g_clear_error (&error);
  tokens = ww_set_tokenise_full (set, "the word, I smile 1,000 caf\303\251 [UNK]", TRUE, WW_UNKNOWN_RANDOM, 1, &error);
  if ((tokens == NULL) != (error != NULL))
    abort ();
}

/* Opens the bytes with one reader, under a name in a folder that does not exist. */
static inline void
fuzz_open_as (const WwReader *reader, const char *name, const char *member, WwReading reading, const guint8 *data,
              gsize size, WwPreview *preview)
{
  const WwOpenOptions options = { .member = member, .reading = reading };
  const WwOpening opening = { NULL, NULL, NULL, &options, preview };
  g_autofree char *path = g_strconcat ("/nonexistent/wordsway/", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (WwSource) source = ww_source_new_for_bytes (name, bytes);
  guint8 head[WW_PROBE_BYTES + 1] = { 0 };
  WwProbe probe = { file, source, head, MIN (size, WW_PROBE_BYTES), &options };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  memcpy (head, data, probe.head_length);
  if (!reader->recognises (&probe))
    return;

  set = reader->open (&probe, &opening, &error);
  if ((set == NULL) != (error != NULL))
    abort ();
  if (error != NULL && !g_utf8_validate (error->message, -1, NULL))
    abort ();
  if (set != NULL)
    fuzz_use (set);
}

static inline void
fuzz_open (const WwReader *reader, const char *name, const char *member, const guint8 *data, gsize size,
           WwPreview *preview)
{
  fuzz_open_as (reader, name, member, WW_READING_GUESSED, data, size, preview);
}

/* As it is opened, as it is looked at, and each with the first candidate chosen. */
static inline int
fuzz_reader (const WwReader *reader, const char *name, const guint8 *data, gsize size)
{
  g_autoptr (WwPreview) preview = NULL;
  g_autofree char *first = NULL;

  if (size == 0)
    return 0;

  fuzz_open (reader, name, NULL, data, size, NULL);
  preview = ww_preview_new ();
  fuzz_open (reader, name, NULL, data, size, preview);
  if (preview->candidates->len > 0)
    first = g_strdup (ww_candidates_get (preview->candidates, preview->candidates->len - 1)->id);
  if (first != NULL)
    fuzz_open (reader, name, first, data, size, NULL);
  return 0;
}
