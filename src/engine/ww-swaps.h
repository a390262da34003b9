/* Words ranked by what they change in the place of a token. Immutable, boxed, shared by reference
 * count. */
#pragma once

#include <glib-object.h>

#include "ww-core.h"
#include "ww-entries.h"
#include "ww-inputs.h"

G_BEGIN_DECLS

typedef struct
{
  const char *word; /* as ww_entries_get_text has it */
  guint32 id;
  double change; /* ||phi (new) - phi (old)|| / ||phi (old)|| */
} WwSwapWord;

typedef struct
{
  WwMap map;
  gsize token;       /* that is replaced */
  WwSwapWord *words; /* strongest first */
  gsize n;
  gsize n_entries;   /* of the set */
  gsize n_ranked;    /* of them, so far: those that can stand in a text */
  double fraction;   /* of the entries that were looked at */
  gboolean complete; /* every value is then one by the plain definition */
  WwInputs *inputs;  /* what the changes were computed from */
  WwEntries *entries;
} WwSwaps;

#define WW_TYPE_SWAPS (ww_swaps_get_type ())
GType ww_swaps_get_type (void);
/* What `run` has found so far at its token `i`. Copies the inputs. */
WwSwaps *ww_swaps_new (WwMap map, gsize token, WwSwapRun *run, gsize i, WwEntries *entries,
                       const WwInputs *inputs);
WwSwaps *ww_swaps_ref (WwSwaps *swaps);
void ww_swaps_unref (WwSwaps *swaps); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSwaps, ww_swaps_unref)

G_END_DECLS
