#include "ww-token-lines.h"

#include <math.h>

#include "ww-token-chip.h"

#define GAP 4      /* between words, and between lines */
#define GLUE_GAP 1 /* between the pieces of one word */

/* Places among the chips, and heights. */
typedef struct
{
  guint first, end;
  int top, bottom;
} Line;

GArray *
ww_token_lines_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Line));
}

static void
add_line (GArray *lines, guint first, guint end, int top, int bottom)
{
  Line line = { first, end, top, bottom };

  g_array_append_val (lines, line);
}

int
ww_token_lines_flow (GPtrArray *chips, int width, GArray *lines)
{
  int x = 0, y = 0, line_height = 0;
  guint first = 0;

  if (lines != NULL)
    g_array_set_size (lines, 0);
  for (guint i = 0; i < chips->len; i++)
    {
      GtkWidget *chip = g_ptr_array_index (chips, i);
      int gap = i == 0 ? 0 : ww_token_chip_continues (WW_TOKEN_CHIP (chip)) ? GLUE_GAP : GAP;
      int w, h;

      gtk_widget_measure (chip, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &w, NULL, NULL);
      gtk_widget_measure (chip, GTK_ORIENTATION_VERTICAL, w, NULL, &h, NULL, NULL);
      if (x > 0 && x + gap + w > width)
        {
          if (lines != NULL)
            add_line (lines, first, i, y, y + line_height);
          first = i;
          x = gap = 0;
          y += line_height + GAP;
          line_height = 0;
        }
      else if (x == 0)
        gap = 0;
      if (lines != NULL)
        gtk_widget_size_allocate (chip, &(GtkAllocation) { x + gap, y, w, h }, -1);
      x += gap + w;
      line_height = MAX (line_height, h);
    }
  if (lines != NULL)
    add_line (lines, first, chips->len, y, y + line_height);
  return y + line_height;
}

gboolean
ww_token_lines_find (GArray    *lines,
                     GPtrArray *chips,
                     double     top,
                     double     bottom,
                     guint     *ret_first,
                     guint     *ret_end)
{
  gboolean found = FALSE;

  *ret_first = *ret_end = 0;
  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);

      if (line->bottom < top || line->top > bottom || line->first >= line->end
          || line->end > chips->len)
        continue;
      if (!found)
        *ret_first = line->first;
      *ret_end = line->end;
      found = TRUE;
    }
  return found;
}

static void
get_centre (GtkWidget *chip, double *ret_x, double *ret_y)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT_ZERO;

  if (!gtk_widget_compute_bounds (chip, gtk_widget_get_parent (chip), &bounds))
    bounds = GRAPHENE_RECT_INIT_ZERO;
  *ret_x = bounds.origin.x + bounds.size.width / 2;
  *ret_y = bounds.origin.y + bounds.size.height / 2;
}

guint
ww_token_lines_find_across (GPtrArray *chips, guint from, int down)
{
  double x0, y0, line = NAN, best = INFINITY;
  guint found = from;

  if (from >= chips->len)
    return found;
  get_centre (g_ptr_array_index (chips, from), &x0, &y0);
  for (int i = (int) from + down; i >= 0 && i < (int) chips->len; i += down)
    {
      double x, y;

      get_centre (g_ptr_array_index (chips, i), &x, &y);
      if (fabs (y - y0) < 2)
        continue;
      if (isnan (line))
        line = y;
      if (fabs (y - line) > 2)
        break;
      if (fabs (x - x0) < best)
        {
          best = fabs (x - x0);
          found = (guint) i;
        }
    }
  return found;
}
