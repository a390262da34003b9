/* The jobs that open a set and turn a text into its tokens. */
#pragma once

#include "ww-inputs.h"
#include "ww-origin.h"
#include "ww-worker.h"

G_BEGIN_DECLS

/* ---- Opening a set; emits WwLoad ---- */

typedef struct
{
  double fraction;
  WwSet *set; /* with the last one; else NULL */
} WwLoad;

extern const WwJobClass ww_load_job;
/* The set gets `origin`, too. `cancellable` is what interrupts it. */
gpointer ww_load_request_new (const WwOrigin *origin, GCancellable *cancellable);

/* ---- Text to tokens; emits one WwTokenised ---- */

typedef struct
{
  WwTokens *tokens, *rows; /* NULL: the text has none */
  char *message;           /* why it has none, or which are unknown; NULL: fine */
} WwTokenised;

/* Why a text has no token of the set, and what to write instead. */
const char *ww_text_describe_unknown_to (WwSet *set);

extern const WwJobClass ww_text_job;
gpointer ww_text_request_new (const WwInputs *inputs);

G_END_DECLS
