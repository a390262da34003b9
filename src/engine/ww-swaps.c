#include "ww-swaps.h"

typedef struct
{
  WwSwaps swaps; /* first, so that the public pointer is the private one */
  gatomicrefcount ref_count;
} SwapsBox;

G_DEFINE_BOXED_TYPE (WwSwaps, ww_swaps, ww_swaps_ref, ww_swaps_unref)

WwSwaps *
ww_swaps_new (WwMap map, gsize token, WwSwapRun *run, gsize i, WwEntries *entries,
              const WwInputs *inputs)
{
  SwapsBox *box = g_new0 (SwapsBox, 1);
  WwSwaps *swaps = &box->swaps;
  const WwSwapEntry *ranked = ww_swap_run_get_entries (run, i, &swaps->n);

  swaps->map = map;
  swaps->token = token;
  swaps->words = g_new (WwSwapWord, swaps->n);
  for (gsize e = 0; e < swaps->n; e++)
    swaps->words[e] = (WwSwapWord) { ww_entries_get_text (entries, ranked[e].index), ranked[e].index,
                                     ranked[e].change };
  swaps->n_ranked = ww_swap_run_get_n_ranked (run, i);
  swaps->n_entries = ww_entries_get_n (entries);
  swaps->fraction = ww_swap_run_get_fraction (run);
  swaps->complete = ww_swap_run_is_done (run);
  swaps->inputs = ww_inputs_copy (inputs);
  swaps->entries = ww_entries_ref (entries);
  g_atomic_ref_count_init (&box->ref_count);

  return swaps;
}

WwSwaps *
ww_swaps_ref (WwSwaps *swaps)
{
  g_return_val_if_fail (swaps != NULL, NULL);

  g_atomic_ref_count_inc (&((SwapsBox *) swaps)->ref_count);
  return swaps;
}

void
ww_swaps_unref (WwSwaps *swaps)
{
  if (swaps == NULL || !g_atomic_ref_count_dec (&((SwapsBox *) swaps)->ref_count))
    return;

  g_free (swaps->words);
  ww_inputs_free (swaps->inputs);
  ww_entries_unref (swaps->entries);
  g_free (swaps);
}
