#include "ww-wrap-layout.h"

#define GAP 6 /* between children, and between lines */

struct _WwWrapLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (WwWrapLayout, ww_wrap_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkWidget *
get_next (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* What the child wants, within a line of `width`. */
static void
get_size (GtkWidget *child, int width, int *ret_width, int *ret_height)
{
  int minimum, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  *ret_width = MIN (natural, MAX (minimum, width));
  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, *ret_width, NULL, ret_height, NULL, NULL);
}

/* The first child that has no room in the line that `first` begins; NULL: all have. */
static GtkWidget *
find_line_end (GtkWidget *first, int width, int *ret_height)
{
  GtkWidget *child = first;
  int x = 0;

  *ret_height = 0;
  for (; child != NULL; child = get_next (gtk_widget_get_next_sibling (child)))
    {
      int w, h;

      get_size (child, width, &w, &h);
      if (child != first && x + w > width)
        break;
      x += w + GAP;
      *ret_height = MAX (*ret_height, h);
    }
  return child;
}

static void
place_line (GtkWidget *first, GtkWidget *end, int y, int width, int height, gboolean mirrored)
{
  int x = 0;

  for (GtkWidget *child = first; child != end;
       child = get_next (gtk_widget_get_next_sibling (child)))
    {
      GtkAllocation place = { 0, y, 0, height };
      int h;

      get_size (child, width, &place.width, &h);
      place.x = gtk_widget_get_halign (child) == GTK_ALIGN_END ? MAX (x, width - place.width) : x;
      x = place.x + place.width + GAP;
      if (mirrored)
        place.x = width - place.x - place.width;
      gtk_widget_size_allocate (child, &place, -1);
    }
}

static GtkSizeRequestMode
ww_wrap_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ww_wrap_layout_measure (GtkLayoutManager *manager,
                        GtkWidget        *widget,
                        GtkOrientation    orientation,
                        int               for_size,
                        int              *minimum,
                        int              *natural,
                        int              *minimum_baseline,
                        int              *natural_baseline)
{
  int widest = 0, all = 0, height = 0;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      for (GtkWidget *child = get_next (gtk_widget_get_first_child (widget)); child != NULL;
           child = get_next (gtk_widget_get_next_sibling (child)))
        {
          int low, high;

          gtk_widget_measure (child, orientation, -1, &low, &high, NULL, NULL);
          widest = MAX (widest, low);
          all += high + (all > 0 ? GAP : 0);
        }
      *minimum = widest;
      *natural = all;
      return;
    }
  for (GtkWidget *first = get_next (gtk_widget_get_first_child (widget)); first != NULL;)
    {
      int line;

      first = find_line_end (first, for_size >= 0 ? for_size : G_MAXINT, &line);
      height += line + (height > 0 ? GAP : 0);
    }
  *minimum = *natural = height;
}

static void
ww_wrap_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int y = 0;

  for (GtkWidget *first = get_next (gtk_widget_get_first_child (widget)); first != NULL;)
    {
      int line;
      GtkWidget *end = find_line_end (first, width, &line);

      place_line (first, end, y, width, line, mirrored);
      y += line + GAP;
      first = end;
    }
}

static void
ww_wrap_layout_class_init (WwWrapLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = ww_wrap_layout_get_request_mode;
  layout_class->measure = ww_wrap_layout_measure;
  layout_class->allocate = ww_wrap_layout_allocate;
}

static void
ww_wrap_layout_init (WwWrapLayout *self)
{
}
