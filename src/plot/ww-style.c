#include "ww-style.h"

#include <string.h>

/* One grey level as a colour. */
#define GREY(level) { level, level, level, 1.0 }

static const struct
{
  const char *name;
  WwPlotStyle style;
} named_styles[] = {
  { "default",
    { "Sans", 8.0, 1.2, GREY (1.0), GREY (0.10), GREY (0.38), GREY (0.90), FALSE } },
  { "dark",
    { "Sans", 8.0, 1.2, GREY (0.118), GREY (0.94), GREY (0.68), GREY (0.235), TRUE } },
  { "large",
    { "Sans", 14.0, 2.4, GREY (1.0), GREY (0.0), GREY (0.32), GREY (0.88), FALSE } },
};

void
ww_plot_style_init (WwPlotStyle *style)
{
  g_return_if_fail (style != NULL);
  *style = named_styles[0].style;
}

void
ww_plot_style_init_dark (WwPlotStyle *style)
{
  g_return_if_fail (style != NULL);
  *style = named_styles[1].style;
}

gboolean
ww_plot_style_from_name (const char *name, WwPlotStyle *ret_style)
{
  g_return_val_if_fail (name != NULL && ret_style != NULL, FALSE);

  for (gsize i = 0; i < G_N_ELEMENTS (named_styles); i++)
    if (strcmp (name, named_styles[i].name) == 0)
      {
        *ret_style = named_styles[i].style;
        return TRUE;
      }
  return FALSE;
}

const char *const *
ww_plot_style_get_names (void)
{
  static const char *const names[] = { "default", "dark", "large", NULL };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == G_N_ELEMENTS (named_styles) + 1);
  return names;
}
