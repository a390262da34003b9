/* How long the figures of the window take: laying out and drawing at the size of a page, best of 15. */
#include <math.h>

#include "samples.h"

#define ROUNDS 15

int
main (void)
{
  for (guint sample = 0; sample < N_SAMPLES; sample++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 900, 600);
      double layout = INFINITY, draw = INFINITY;
      WwPlotStyle style;

      ww_plot_style_init_dark (&style);
      for (guint round = 0; round < ROUNDS; round++)
        {
          gint64 start = g_get_monotonic_time ();
          g_autoptr (WwScene) scene = sample_layout ((Sample) sample, 675, 450, &style);
          gint64 middle = g_get_monotonic_time ();
          cairo_t *cr = cairo_create (surface);

          cairo_scale (cr, 4 / 3.0, 4 / 3.0);
          ww_scene_draw (scene, cr, TRUE);
          cairo_destroy (cr);
          layout = fmin (layout, (middle - start) / 1e3);
          draw = fmin (draw, (g_get_monotonic_time () - middle) / 1e3);
        }
      g_print ("%-14s layout %6.2f ms, draw %6.2f ms\n", sample_get_name ((Sample) sample), layout, draw);
      cairo_surface_destroy (surface);
    }
  return 0;
}
