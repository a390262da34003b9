#include "ww-heatmap-grid.h"

#include <glib/gi18n.h>

#define N_VIEWS 3
#define GAP 6
/* A map narrower than this loses labels that its reader needs: fewer stand side by side then. */
#define ROOM_WIDTH 240
#define MIN_WIDTH 180
/* What stands beside a map in its card, and above and below it, in pixels at the usual size of text. */
#define BESIDE_MAP 180
#define ABOVE_MAP 96

/* Softmax first, as a reader meets them; the trained one beside those with random weights. */
static const WwMap panels[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF, WW_HEATMAP_TRAINED };
#define N_PANELS G_N_ELEMENTS (panels)

struct _WwHeatmapGrid
{
  GtkWidget parent_instance;

  WwHeatmapView *heatmaps[N_PANELS][N_VIEWS];
  GtkWidget *cards[N_PANELS][N_VIEWS];
  WwShownNudge *shown;
  guint view;
  gboolean has_trained;
};

G_DEFINE_FINAL_TYPE (WwHeatmapGrid, ww_heatmap_grid, GTK_TYPE_WIDGET)

static gboolean
is_present (WwHeatmapGrid *self, guint panel, guint view)
{
  return (self->view == WW_PERTURB_VIEW_ALL || self->view == view)
         && (panels[panel] != WW_HEATMAP_TRAINED || self->has_trained);
}

/* ---- Layout ---- */

/* The cards that are there, map by map. */
static guint
collect_cards (WwHeatmapGrid *self, GtkWidget *ret_cards[N_PANELS * N_VIEWS])
{
  guint n = 0;

  for (guint i = 0; i < N_PANELS; i++)
    for (guint v = 0; v < N_VIEWS; v++)
      if (is_present (self, i, v))
        ret_cards[n++] = self->cards[i][v];
  return n;
}

/* As many columns as the width has room for. */
static guint
count_columns (WwHeatmapGrid *self, int width)
{
  guint wanted = self->view == WW_PERTURB_VIEW_ALL || self->has_trained ? 3 : 2;
  double text = ww_widget_get_text_scale (GTK_WIDGET (self));

  if (width < 0)
    return wanted;
  if (width < 2 * (int) (MIN_WIDTH * MAX (1, text)) + GAP)
    return 1;
  return wanted == 3 && width < 3 * (int) (ROOM_WIDTH * text) + 2 * GAP ? 2 : wanted;
}

/* The three views of a map, or one view of each map, stay together; what is left over of them in two
 * columns has a row of its own. */
static guint
get_group (WwHeatmapGrid *self, guint n)
{
  return self->view == WW_PERTURB_VIEW_ALL ? N_VIEWS : n;
}

static guint
count_rows (WwHeatmapGrid *self, guint n, guint columns)
{
  guint group = get_group (self, n);

  return n == 0 ? 0 : n / group * ((group + columns - 1) / columns);
}

static int
get_card_size (int whole, guint n)
{
  return n == 0 ? 0 : (whole - (int) (n - 1) * GAP) / (int) n;
}

/* The height that a map, which is square, fills in a card of this width. */
static int
get_useful_height (WwHeatmapGrid *self, int width)
{
  double text = ww_widget_get_text_scale (GTK_WIDGET (self));

  return width - (int) ((BESIDE_MAP - ABOVE_MAP) * text);
}

static int
get_least_height (GtkWidget *const *cards, guint n)
{
  int least = 0;

  for (guint i = 0; i < n; i++)
    {
      int low;

      gtk_widget_measure (cards[i], GTK_ORIENTATION_VERTICAL, -1, &low, NULL, NULL, NULL);
      least = MAX (least, low);
    }
  return least;
}

/* The columns whose maps come out largest within `width` and `height`: a tall window has them in two rows. */
static guint
choose_columns (WwHeatmapGrid *self, guint n, int width, int height, int least)
{
  double text = ww_widget_get_text_scale (GTK_WIDGET (self)), best = -G_MAXDOUBLE;
  guint most = count_columns (self, width), chosen = most;

  if (self->view == WW_PERTURB_VIEW_ALL)
    return most;
  for (guint columns = most; columns >= 1; columns--)
    {
      double across = get_card_size (width, columns) - BESIDE_MAP * text;
      int each = get_card_size (height, count_rows (self, n, columns));
      double down = each - ABOVE_MAP * text;

      if (MIN (across, down) > best + 1 && (columns == most || each >= least))
        {
          best = MIN (across, down);
          chosen = columns;
        }
    }
  return chosen;
}

/* What the template puts in below the maps. */
static GtkWidget *
get_below (WwHeatmapGrid *self)
{
  GtkWidget *last = gtk_widget_get_last_child (GTK_WIDGET (self));

  for (guint i = 0; i < N_PANELS; i++)
    for (guint v = 0; v < N_VIEWS; v++)
      if (self->cards[i][v] == last)
        return NULL;
  return last;
}

static void
measure_below (WwHeatmapGrid *self, GtkOrientation orientation, int *ret_minimum, int *ret_natural)
{
  GtkWidget *below = get_below (self);

  *ret_minimum = *ret_natural = 0;
  if (below != NULL)
    gtk_widget_measure (below, orientation, -1, ret_minimum, ret_natural, NULL, NULL);
}

static void
ww_heatmap_grid_measure (GtkWidget     *widget,
                         GtkOrientation orientation,
                         int            for_size,
                         int           *minimum,
                         int           *natural,
                         int           *minimum_baseline,
                         int           *natural_baseline)
{
  WwHeatmapGrid *self = WW_HEATMAP_GRID (widget);
  GtkWidget *cards[N_PANELS * N_VIEWS];
  guint columns = count_columns (self, orientation == GTK_ORIENTATION_VERTICAL ? for_size : -1);
  guint n = collect_cards (self, cards);
  guint rows = count_rows (self, n, columns);
  guint across = orientation == GTK_ORIENTATION_HORIZONTAL ? columns : rows;
  int each_minimum = 0, each_natural = 0, below_minimum, below_natural;

  for (guint i = 0; i < n; i++)
    {
      int low, high;

      gtk_widget_measure (cards[i], orientation, -1, &low, &high, NULL, NULL);
      each_minimum = MAX (each_minimum, low);
      each_natural = MAX (each_natural, high);
    }
  if (orientation == GTK_ORIENTATION_VERTICAL)
    each_minimum = get_least_height (cards, n);
  if (orientation == GTK_ORIENTATION_VERTICAL && for_size >= 0)
    each_natural = CLAMP (get_useful_height (self, get_card_size (for_size, columns)), each_minimum,
                          MAX (each_minimum, each_natural));
  *natural = (int) across * each_natural + (int) (across - 1) * GAP;
  /* One below the other is always possible. */
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    across = 1;
  *minimum = (int) across * each_minimum + (int) (across - 1) * GAP;

  measure_below (self, orientation, &below_minimum, &below_natural);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MAX (*minimum, below_minimum);
      *natural = MAX (*natural, below_natural);
      return;
    }
  *minimum += GAP + below_minimum;
  *natural += GAP + below_natural;
}

static GtkSizeRequestMode
ww_heatmap_grid_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
allocate_cards (WwHeatmapGrid *self, GtkWidget **cards, guint n, guint columns, int width, int height)
{
  guint group = get_group (self, n);
  gboolean right_to_left = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  int w = get_card_size (width, columns);
  int h = get_card_size (height, count_rows (self, n, columns));

  for (guint i = 0; i < n; i++)
    {
      guint at = i % group, column = at % columns;
      int row = (int) (i / group * ((group + columns - 1) / columns) + at / columns);
      gboolean alone = at == group - 1 && column == 0 && columns > 1;
      int x = (int) column * (w + GAP);

      if (right_to_left)
        x = width - x - w;
      gtk_widget_size_allocate (cards[i],
                                &(GtkAllocation) { alone ? 0 : x, row * (h + GAP),
                                                   alone ? width : w, h },
                                -1);
    }
}

/* The maps take what they fill, what stands below them the rest. */
static void
ww_heatmap_grid_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  WwHeatmapGrid *self = WW_HEATMAP_GRID (widget);
  GtkWidget *cards[N_PANELS * N_VIEWS], *below = get_below (self);
  guint n = collect_cards (self, cards), columns, rows;
  int below_minimum, below_natural, each = get_least_height (cards, n), maps, useful;

  measure_below (self, GTK_ORIENTATION_VERTICAL, &below_minimum, &below_natural);
  rows = count_rows (self, n, count_columns (self, width));
  maps = (int) rows * each + (int) (rows - 1) * GAP;
  if (below != NULL)
    maps = MAX (maps, height - GAP - below_natural);
  if (below == NULL || maps > height - GAP - below_minimum)
    maps = below != NULL ? height - GAP - below_minimum : height;
  columns = choose_columns (self, n, width, maps, each);
  rows = count_rows (self, n, columns);
  useful = MAX (each, get_useful_height (self, get_card_size (width, columns)));
  if (below != NULL)
    maps = MIN (maps, (int) rows * useful + (int) (rows - 1) * GAP);
  allocate_cards (self, cards, n, columns, width, maps);
  if (below != NULL)
    gtk_widget_size_allocate (below,
                              &(GtkAllocation) { 0, maps + GAP, width,
                                                 MAX (below_minimum, height - maps - GAP) },
                              -1);
}

/* ---- What is shown ---- */

/* A view that was away has missed what was computed meanwhile. */
static void
arrange (WwHeatmapGrid *self)
{
  gboolean all = self->view == WW_PERTURB_VIEW_ALL;

  for (guint i = 0; i < N_PANELS; i++)
    for (guint v = 0; v < N_VIEWS; v++)
      {
        gboolean present = is_present (self, i, v);

        gtk_widget_set_child_visible (self->cards[i][v], present);
        gtk_widget_set_visible (self->cards[i][v], present);
        if (!present)
          continue;
        ww_figure_view_set_sizes (WW_FIGURE_VIEW (self->heatmaps[i][v]), MIN_WIDTH,
                                  all ? 190 : 200, all ? 300 : 420, all ? 240 : 300);
        ww_heatmap_view_set_shown (self->heatmaps[i][v], self->shown);
      }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ww_heatmap_grid_set_shown (WwHeatmapGrid *self, WwShownNudge *shown)
{
  gboolean has_trained;

  g_return_if_fail (WW_IS_HEATMAP_GRID (self));

  has_trained = shown != NULL && ww_shown_nudge_get_report (shown)->trained_after != NULL;
  if (shown != NULL)
    ww_shown_nudge_ref (shown);
  g_clear_pointer (&self->shown, ww_shown_nudge_unref);
  self->shown = shown;

  if (has_trained != self->has_trained)
    {
      self->has_trained = has_trained;
      arrange (self);
      return;
    }
  for (guint i = 0; i < N_PANELS; i++)
    for (guint v = 0; v < N_VIEWS; v++)
      if (is_present (self, i, v))
        ww_heatmap_view_set_shown (self->heatmaps[i][v], self->shown);
}

void
ww_heatmap_grid_set_view (WwHeatmapGrid *self, guint view)
{
  g_return_if_fail (WW_IS_HEATMAP_GRID (self));
  g_return_if_fail (view <= WW_PERTURB_VIEW_ALL);

  self->view = view;
  arrange (self);
}

WwHeatmapView *
ww_heatmap_grid_get_heatmap (WwHeatmapGrid *self, WwMap map, WwNudgeView view)
{
  g_return_val_if_fail (WW_IS_HEATMAP_GRID (self), NULL);
  g_return_val_if_fail (view < N_VIEWS, NULL);

  for (guint i = 0; i < N_PANELS; i++)
    if (panels[i] == map)
      return self->heatmaps[i][view];
  return NULL;
}

/* ---- The object ---- */

static void
ww_heatmap_grid_dispose (GObject *object)
{
  WwHeatmapGrid *self = WW_HEATMAP_GRID (object);

  for (guint i = 0; i < N_PANELS; i++)
    for (guint v = 0; v < N_VIEWS; v++)
      g_clear_pointer (&self->cards[i][v], gtk_widget_unparent);
  if (gtk_widget_get_first_child (GTK_WIDGET (self)) != NULL)
    gtk_widget_unparent (gtk_widget_get_first_child (GTK_WIDGET (self)));
  g_clear_pointer (&self->shown, ww_shown_nudge_unref);
  G_OBJECT_CLASS (ww_heatmap_grid_parent_class)->dispose (object);
}

static void
ww_heatmap_grid_class_init (WwHeatmapGridClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_heatmap_grid_dispose;
  widget_class->measure = ww_heatmap_grid_measure;
  widget_class->get_request_mode = ww_heatmap_grid_get_request_mode;
  widget_class->size_allocate = ww_heatmap_grid_size_allocate;
}

static void
ww_heatmap_grid_init (WwHeatmapGrid *self)
{
  self->view = WW_NUDGE_VIEW_DIFFERENCE;
  for (guint i = 0; i < N_PANELS; i++)
    for (guint v = 0; v < N_VIEWS; v++)
      {
        gboolean trained = panels[i] == WW_HEATMAP_TRAINED;
        GtkWidget *card = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
        GtkWidget *heatmap
          = g_object_new (WW_TYPE_HEATMAP_VIEW, "map", trained ? WW_MAP_SOFTMAX_RAF : panels[i],
                          "trained", trained, "view", v, "hexpand", TRUE, "vexpand", TRUE, NULL);

        gtk_widget_add_css_class (card, "card");
        gtk_widget_add_css_class (card, "figure-card");
        gtk_box_append (GTK_BOX (card), heatmap);
        gtk_widget_set_parent (card, GTK_WIDGET (self));
        self->heatmaps[i][v] = WW_HEATMAP_VIEW (heatmap);
        self->cards[i][v] = card;
      }
  arrange (self);
}
