#include "ww-text-private.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

/* A layout is bound to its font, its words and the transformation it is drawn under (all but the
 * translation). Making one costs some ten microseconds and a page has hundreds that stay the same
 * from frame to frame, hence a cache; one for each thread, as Pango's font map is. */
typedef struct
{
  char *family;
  double size;
  gboolean bold;
  double matrix[4];
  char *text;
} Key;

typedef struct
{
  GHashTable *layouts; /* Key -> PangoLayout */
} Cache;

#define CACHE_LIMIT 4096

static guint
hash_double (double value)
{
  return g_double_hash (&value);
}

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint hash = g_str_hash (key->text) * 31 + g_str_hash (key->family);

  hash = hash * 31 + hash_double (key->size * 1024) + (guint) key->bold;
  for (guint i = 0; i < 4; i++)
    hash = hash * 31 + hash_double (key->matrix[i] * 65536);
  return hash;
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *p = a, *q = b;

  return p->size == q->size && p->bold == q->bold
         && memcmp (p->matrix, q->matrix, sizeof p->matrix) == 0 && strcmp (p->text, q->text) == 0
         && strcmp (p->family, q->family) == 0;
}

static void
key_free (gpointer data)
{
  Key *key = data;

  g_free (key->family);
  g_free (key->text);
  g_free (key);
}

static void
cache_free (gpointer data)
{
  Cache *cache = data;

  g_hash_table_unref (cache->layouts);
  g_free (cache);
}

static Cache *
get_cache (void)
{
  static GPrivate private = G_PRIVATE_INIT (cache_free);
  Cache *cache = g_private_get (&private);

  if (cache == NULL)
    {
      cache = g_new0 (Cache, 1);
      cache->layouts = g_hash_table_new_full (key_hash, key_equal, key_free, g_object_unref);
      g_private_set (&private, cache);
    }
  return cache;
}

static PangoContext *
create_context (const double matrix[4])
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();
  PangoMatrix transform = { matrix[0], matrix[1], matrix[2], matrix[3], 0, 0 };

  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  pango_context_set_round_glyph_positions (context, FALSE);
  /* Texts come from all languages, figures do not: what is laid out must not depend on the locale. */
  pango_context_set_language (context, pango_language_from_string ("en"));
  pango_context_set_matrix (context, &transform);
  return context;
}

static PangoFontDescription *
create_description (const WwFont *font)
{
  PangoFontDescription *description = pango_font_description_new ();

  pango_font_description_set_family (description, font->family);
  pango_font_description_set_absolute_size (description, font->size * PANGO_SCALE);
  pango_font_description_set_weight (description, font->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  return description;
}

static PangoLayout *
create_layout (const Key *key)
{
  PangoContext *context = create_context (key->matrix);
  PangoLayout *layout = pango_layout_new (context);
  WwFont font = { key->family, key->size, key->bold };
  PangoFontDescription *description = create_description (&font);

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_font_description (layout, description);
  pango_layout_set_text (layout, key->text, -1);
  pango_font_description_free (description);
  g_object_unref (context);
  return layout;
}

/* Borrowed from the cache: valid until the next call. */
static PangoLayout *
get_layout (const WwFont *font, const char *text, const double matrix[4])
{
  Cache *cache = get_cache ();
  Key probe = { (char *) font->family, font->size, font->bold, { 0 }, (char *) text };
  PangoLayout *layout;
  Key *key;

  memcpy (probe.matrix, matrix, sizeof probe.matrix);
  layout = g_hash_table_lookup (cache->layouts, &probe);
  if (layout != NULL)
    return layout;
  if (g_hash_table_size (cache->layouts) >= CACHE_LIMIT)
    g_hash_table_remove_all (cache->layouts);
  layout = create_layout (&probe);
  key = g_memdup2 (&probe, sizeof probe);
  key->family = g_strdup (font->family);
  key->text = g_strdup (text);
  g_hash_table_insert (cache->layouts, key, layout);
  return layout;
}

static const double identity[4] = { 1, 0, 0, 1 };

static void
run_free (gpointer data)
{
  g_free (((WwTextRun *) data)->text);
}

static void
add_run (GArray *runs, const char *start, gsize length, gboolean raised)
{
  g_autofree char *valid = g_utf8_make_valid (start, (gssize) length);
  WwTextRun run = { NULL, raised };

  if (raised)
    {
      /* A minus sign, not a hyphen. */
      g_auto (GStrv) parts = g_strsplit (valid, "-", -1);
      run.text = g_strjoinv ("\xe2\x88\x92", parts);
    }
  else
    run.text = g_steal_pointer (&valid);
  g_array_append_val (runs, run);
}

/* Length of the exponent that follows a "^", 0 if there is none; *ret_skip is 1 in front of "{". */
static gsize
exponent_length (const char *text, gsize *ret_skip)
{
  gsize length = 0;

  *ret_skip = 0;
  if (*text == '{')
    {
      const char *end = strchr (text, '}');
      *ret_skip = 1;
      return end != NULL ? (gsize) (end - text - 1) : 0;
    }
  if (text[0] == '-' || text[0] == '+')
    length = 1;
  else if (g_str_has_prefix (text, "\xe2\x88\x92"))
    length = 3;
  if (!g_ascii_isdigit (text[length]))
    return 0;
  while (g_ascii_isdigit (text[length]) || (text[length] == '.' && g_ascii_isdigit (text[length + 1])))
    length++;
  return length;
}

GArray *
ww_text_split (const char *text, gboolean typeset)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (WwTextRun));
  const char *start = text;

  g_array_set_clear_func (runs, run_free);
  for (const char *p = text; typeset && *p != '\0';)
    {
      gsize skip = 0;
      gsize length = *p == '^' ? exponent_length (p + 1, &skip) : 0;

      if (length == 0)
        {
          p++;
          continue;
        }
      if (p > start)
        add_run (runs, start, (gsize) (p - start), FALSE);
      add_run (runs, p + 1 + skip, length, TRUE);
      p += 1 + length + 2 * skip;
      start = p;
    }
  if (*start != '\0' || runs->len == 0)
    add_run (runs, start, strlen (start), FALSE);
  return runs;
}

static WwFont
run_font (const WwFont *font, gboolean raised)
{
  WwFont copy = *font;

  if (raised)
    copy.size *= WW_TEXT_RAISED_SIZE;
  return copy;
}

static double
layout_width (PangoLayout *layout)
{
  PangoRectangle logical;

  pango_layout_get_extents (layout, NULL, &logical);
  return (double) logical.width / PANGO_SCALE;
}

/* Widens `extents` by one run. */
static void
add_extents (const WwFont *font, const char *text, gboolean raised, WwTextExtents *extents)
{
  WwFont piece = run_font (font, raised);
  PangoLayout *layout = get_layout (&piece, text, identity);
  double height, ascent;
  PangoRectangle logical;

  pango_layout_get_extents (layout, NULL, &logical);
  ascent = (double) pango_layout_get_baseline (layout) / PANGO_SCALE;
  height = (double) logical.height / PANGO_SCALE;
  extents->width += (double) logical.width / PANGO_SCALE;
  extents->descent = MAX (extents->descent, raised ? 0 : height - ascent);
  extents->ascent = MAX (extents->ascent, ascent + (raised ? WW_TEXT_RAISED_BY * font->size : 0));
}

void
ww_text_measure (const WwFont *font, const char *text, gboolean typeset, WwTextExtents *ret_extents)
{
  WwTextExtents extents = { 0, 0, 0 };

  /* Nearly all texts are one run as they stand, and a layout measures hundreds. */
  if ((!typeset || strchr (text, '^') == NULL) && g_utf8_validate (text, -1, NULL))
    add_extents (font, text, FALSE, &extents);
  else
    {
      g_autoptr (GArray) runs = ww_text_split (text, typeset);
      for (guint i = 0; i < runs->len; i++)
        {
          const WwTextRun *run = &g_array_index (runs, WwTextRun, i);
          add_extents (font, run->text, run->raised, &extents);
        }
    }
  *ret_extents = extents;
}

double
ww_text_digit_height (const WwFont *font)
{
  PangoLayout *layout = get_layout (font, "0", identity);
  PangoRectangle ink;

  pango_layout_get_extents (layout, &ink, NULL);
  return (double) ink.height / PANGO_SCALE;
}

void
ww_text_show (cairo_t *cr, const WwFont *font, const char *text, gboolean typeset)
{
  g_autoptr (GArray) runs = ww_text_split (text, typeset);
  double x = 0;
  cairo_matrix_t transform;
  double matrix[4];

  cairo_get_matrix (cr, &transform);
  matrix[0] = transform.xx;
  matrix[1] = transform.xy;
  matrix[2] = transform.yx;
  matrix[3] = transform.yy;
  for (guint i = 0; i < runs->len; i++)
    {
      const WwTextRun *run = &g_array_index (runs, WwTextRun, i);
      WwFont piece = run_font (font, run->raised);
      PangoLayout *layout = get_layout (&piece, run->text, matrix);

      cairo_move_to (cr, x, run->raised ? -WW_TEXT_RAISED_BY * font->size : 0);
      pango_cairo_show_layout_line (cr, pango_layout_get_line_readonly (layout, 0));
      /* From the untransformed layout, so that pieces follow each other alike on every surface. */
      x += layout_width (get_layout (&piece, run->text, identity));
    }
  cairo_new_path (cr);
}

char *
ww_text_fit (const WwFont *font, const char *text, gboolean typeset, double width)
{
  WwTextExtents extents;
  glong low = 0, high;

  ww_text_measure (font, text, typeset, &extents);
  if (extents.width <= width)
    return g_strdup (text);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  high = g_utf8_strlen (valid, -1);
  /* The longest beginning that fits with an ellipsis behind it, by halving. */
  while (low < high)
    {
      glong middle = (low + high + 1) / 2;
      g_autofree char *start = g_utf8_substring (valid, 0, middle);
      g_autofree char *candidate = g_strconcat (g_strchomp (start), "…", NULL);
      ww_text_measure (font, candidate, typeset, &extents);
      if (extents.width <= width)
        low = middle;
      else
        high = middle - 1;
    }
  if (low == 0)
    return g_strdup ("");
  g_autofree char *start = g_utf8_substring (valid, 0, low);
  return g_strconcat (g_strchomp (start), "…", NULL);
}

GPtrArray *
ww_text_wrap (const WwFont *font, const char *text, gboolean typeset, double width, guint max_lines)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GString) line = g_string_new (NULL);

  for (gsize i = 0; words[i] != NULL; i++)
    {
      g_autofree char *longer = line->len > 0 ? g_strconcat (line->str, " ", words[i], NULL)
                                              : g_strdup (words[i]);
      WwTextExtents extents;

      ww_text_measure (font, longer, typeset, &extents);
      if (extents.width > width && line->len > 0 && lines->len + 1 < max_lines)
        {
          g_ptr_array_add (lines, ww_text_fit (font, line->str, typeset, width));
          g_string_assign (line, words[i]);
        }
      else
        g_string_assign (line, longer);
    }
  if (line->len > 0)
    g_ptr_array_add (lines, ww_text_fit (font, line->str, typeset, width));
  return lines;
}

char *
ww_text_resolve_family (const char *family)
{
  WwFont font = { family, 10, FALSE };
  PangoFontDescription *description = create_description (&font);
  PangoContext *context = create_context (identity);
  PangoFont *loaded = pango_context_load_font (context, description);
  char *name = g_strdup (family);

  pango_font_description_free (description);
  g_object_unref (context);
  if (loaded != NULL)
    {
      PangoFontDescription *found = pango_font_describe (loaded);
      if (pango_font_description_get_family (found) != NULL)
        {
          g_free (name);
          name = g_strdup (pango_font_description_get_family (found));
        }
      pango_font_description_free (found);
      g_object_unref (loaded);
    }
  return name;
}
