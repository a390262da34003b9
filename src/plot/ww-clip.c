#include "ww-clip-private.h"

/* Narrows [*from, *to] of the parameter along a line to where start + t * step <= limit (Liang and
 * Barsky 1984). */
static gboolean
narrow (double start, double step, double limit, double *from, double *to)
{
  double t;

  if (step == 0)
    return start <= limit;
  t = (limit - start) / step;
  if (step > 0)
    *to = MIN (*to, t);
  else
    *from = MAX (*from, t);
  return *from <= *to;
}

static gboolean
clip_segment (const WwClipBox *box, WwPoint a, WwPoint b, double *ret_from, double *ret_to)
{
  double from = 0, to = 1;
  double dx = b.x - a.x, dy = b.y - a.y;

  if (!narrow (a.x, dx, box->right, &from, &to) || !narrow (-a.x, -dx, -box->left, &from, &to)
      || !narrow (a.y, dy, box->bottom, &from, &to) || !narrow (-a.y, -dy, -box->top, &from, &to))
    return FALSE;
  *ret_from = from;
  *ret_to = to;
  return TRUE;
}

static WwPoint
between (WwPoint a, WwPoint b, double t)
{
  /* The ends themselves, not their rounded neighbours. */
  if (t <= 0)
    return a;
  if (t >= 1)
    return b;
  return (WwPoint) { a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t };
}

static void
emit (GArray *piece, WwClipFunc func, gpointer user_data)
{
  if (piece->len > 1)
    func ((const WwPoint *) (const void *) piece->data, piece->len, user_data);
  g_array_set_size (piece, 0);
}

void
ww_clip_polyline (const WwClipBox *box, const WwPoint *points, gsize n_points, WwClipFunc func,
                  gpointer user_data)
{
  g_autoptr (GArray) piece = g_array_new (FALSE, FALSE, sizeof (WwPoint));

  for (gsize i = 0; i + 1 < n_points; i++)
    {
      double from, to;

      if (!clip_segment (box, points[i], points[i + 1], &from, &to))
        {
          emit (piece, func, user_data);
          continue;
        }
      WwPoint start = between (points[i], points[i + 1], from);
      WwPoint end = between (points[i], points[i + 1], to);
      if (from > 0)
        emit (piece, func, user_data);
      if (piece->len == 0)
        g_array_append_val (piece, start);
      g_array_append_val (piece, end);
      if (to < 1)
        emit (piece, func, user_data);
    }
  emit (piece, func, user_data);
}

/* One side of the box: x or y, kept where sign * coordinate <= limit (Sutherland and Hodgman 1974). */
static GArray *
clip_side (const GArray *from, gboolean vertical, double sign, double limit)
{
  GArray *to = g_array_new (FALSE, FALSE, sizeof (WwPoint));

  for (guint i = 0; i < from->len; i++)
    {
      WwPoint a = g_array_index (from, WwPoint, i);
      WwPoint b = g_array_index (from, WwPoint, (i + 1) % from->len);
      double p = sign * (vertical ? a.y : a.x), q = sign * (vertical ? b.y : b.x);

      if (p <= limit)
        g_array_append_val (to, a);
      if ((p <= limit) != (q <= limit))
        {
          WwPoint cut = between (a, b, (limit - p) / (q - p));
          g_array_append_val (to, cut);
        }
    }
  return to;
}

GArray *
ww_clip_polygon (const WwClipBox *box, const WwPoint *points, gsize n_points)
{
  GArray *polygon = g_array_new (FALSE, FALSE, sizeof (WwPoint));
  const struct { gboolean vertical; double sign, limit; } sides[] = {
    { FALSE, 1, box->right }, { FALSE, -1, -box->left }, { TRUE, 1, box->bottom }, { TRUE, -1, -box->top },
  };

  g_array_append_vals (polygon, points, (guint) n_points);
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      GArray *next = clip_side (polygon, sides[i].vertical, sides[i].sign, sides[i].limit);
      g_array_unref (polygon);
      polygon = next;
    }
  return polygon;
}
