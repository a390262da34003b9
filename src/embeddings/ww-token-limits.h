/* The lengths at which the files of a tokeniser tell other programs to cut a text. Nothing is cut there here, but who
 * compares numbers with those programs must know. */
#pragma once

#include "ww-jansson.h"

G_BEGIN_DECLS

typedef struct
{
  const char *file; /* static */
  gsize tokens;     /* with those that stand around a text */
} WwTokenLimit;

/* GArray of WwTokenLimit; `value` is left out unless it is a whole number from 1 on: a file that has no length says so
 * with null, or with a number of 31 digits. */
void ww_token_limits_add (GArray *limits, const char *file, json_t *value);
/* "128 tokens (tokenizer.json), 256 tokens (sentence_bert_config.json)": those below `most`. NULL: none; `limits` may
 * be NULL. */
char *ww_token_limits_list (const GArray *limits, gsize most);

G_END_DECLS
