/* One token of the strip: its word on the colour of its sensitivity. */
#pragma once

#include <adwaita.h>

#include "ww-plot.h"
#include "ww-tokens.h"

G_BEGIN_DECLS

#define WW_TYPE_TOKEN_CHIP (ww_token_chip_get_type ())
G_DECLARE_FINAL_TYPE (WwTokenChip, ww_token_chip, WW, TOKEN_CHIP, GtkWidget)

/* `index` is 0-based; `token` is only read during the call. */
GtkWidget *ww_token_chip_new (const WwToken *token, gsize index, gsize count);
/* An unknown word that is no row: seen, but neither chosen nor coloured. */
GtkWidget *ww_token_chip_new_left_out (const WwToken *token);
char *ww_token_chip_describe (WwTokenChip *self); /* what its tooltip says */
gsize ww_token_chip_get_index (WwTokenChip *self); /* G_MAXSIZE: it is left out */
/* Glued to the token before it: no space between them. */
gboolean ww_token_chip_continues (WwTokenChip *self);
/* NULL: not known yet. `words` says the value, for those who do not see the colour. */
void ww_token_chip_set_fill (WwTokenChip *self, const WwColour *fill, const char *words);
void ww_token_chip_set_chosen (WwTokenChip *self, gboolean chosen);

G_END_DECLS
