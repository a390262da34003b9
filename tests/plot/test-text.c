/* Splitting, measuring, shortening and breaking texts. */
#include <math.h>
#include <string.h>

#include "ww-text-private.h"

static const WwFont font = { "Sans", 10, FALSE };

typedef struct
{
  const char *text;
  gboolean typeset;
  const char *expected; /* raised runs in brackets */
} Row;

static const Row table[] = {
  { "RF: n^-0.50", TRUE, "RF: n[−0.50]" },
  { "RF: n^-0.50", FALSE, "RF: n^-0.50" },
  { "10^6", TRUE, "10[6]" },
  { "×10^-6", TRUE, "×10[−6]" },
  { "n^{-1/2} law", TRUE, "n[−1/2] law" },
  { "n^2.", TRUE, "n[2]." },
  { "n^+3x", TRUE, "n[+3]x" },
  { "a^2 b^3", TRUE, "a[2] b[3]" },
  { "^", TRUE, "^" },
  { "x^y", TRUE, "x^y" },
  { "x^-", TRUE, "x^-" },
  { "x^{open", TRUE, "x^{open" },
  { "x^{}", TRUE, "x^{}" },
  { "^5", TRUE, "[5]" },
  { "", TRUE, "" },
};

static char *
join (const GArray *runs)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < runs->len; i++)
    {
      const WwTextRun *run = &g_array_index (runs, WwTextRun, i);
      g_string_append_printf (text, run->raised ? "[%s]" : "%s", run->text);
    }
  return g_string_free (text, FALSE);
}

static void
test_split (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (GArray) runs = ww_text_split (table[i].text, table[i].typeset);
      g_autofree char *found = join (runs);
      g_assert_cmpstr (found, ==, table[i].expected);
      g_assert_cmpuint (runs->len, >=, 1);
    }
}

static double
width_of (const WwFont *with, const char *text, gboolean typeset)
{
  WwTextExtents extents;

  ww_text_measure (with, text, typeset, &extents);
  return extents.width;
}

static void
test_measure (void)
{
  const WwFont twice = { "Sans", 20, FALSE }, bold = { "Sans", 10, TRUE };
  WwTextExtents plain, raised;

  g_assert_cmpfloat (width_of (&font, "", FALSE), ==, 0);
  g_assert_cmpfloat (width_of (&font, "word", FALSE), >, 10);
  /* Not hinted: exactly linear in the size, whatever the size. */
  g_assert_cmpfloat_with_epsilon (width_of (&twice, "word", FALSE), 2 * width_of (&font, "word", FALSE), 0.05);
  g_assert_cmpfloat (width_of (&bold, "word", FALSE), >, width_of (&font, "word", FALSE));
  g_assert_cmpfloat (width_of (&font, "n^2", TRUE), <, width_of (&font, "n2", FALSE));
  ww_text_measure (&font, "n2", FALSE, &plain);
  ww_text_measure (&font, "n^2", TRUE, &raised);
  g_assert_cmpfloat (raised.ascent, >, plain.ascent - 1);
  g_assert_cmpfloat_with_epsilon (raised.descent, plain.descent, 1e-9);
}

static void
test_fit (void)
{
  const char *text = "unmistakably – ünmißverständlich";
  double whole = width_of (&font, text, FALSE);
  g_autofree char *all = ww_text_fit (&font, text, FALSE, whole);
  g_autofree char *none = ww_text_fit (&font, text, FALSE, 0.5);

  g_assert_cmpstr (all, ==, text);
  g_assert_cmpstr (none, ==, "");
  for (double width = 12; width < whole; width += 3)
    {
      g_autofree char *fitted = ww_text_fit (&font, text, FALSE, width);
      g_assert_cmpfloat (width_of (&font, fitted, FALSE), <=, width);
      g_assert_true (g_utf8_validate (fitted, -1, NULL));
      g_assert_true (*fitted == '\0' || g_str_has_suffix (fitted, "…"));
    }
}

static void
test_wrap (void)
{
  const char *text = "Points: median over 5 trials; band: inter-quartile range";
  g_autoptr (GPtrArray) two = ww_text_wrap (&font, text, FALSE, width_of (&font, text, FALSE) * 0.6, 5);
  g_autoptr (GPtrArray) one = ww_text_wrap (&font, text, FALSE, 80, 1);
  g_autofree char *joined = NULL;

  g_assert_cmpuint (two->len, ==, 2);
  joined = g_strdup_printf ("%s %s", (char *) two->pdata[0], (char *) two->pdata[1]);
  g_assert_cmpstr (joined, ==, text);
  g_assert_cmpuint (one->len, ==, 1);
  g_assert_true (g_str_has_suffix (one->pdata[0], "…"));
}

/* The cache gives the same numbers again, also after it was emptied. */
static void
test_cache (void)
{
  double before = width_of (&font, "cached", FALSE);

  for (guint i = 0; i < 5000; i++)
    {
      char text[16];
      g_snprintf (text, sizeof text, "%u", i);
      g_assert_cmpfloat (width_of (&font, text, FALSE), >, 0);
    }
  g_assert_cmpfloat (width_of (&font, "cached", FALSE), ==, before);
}

static gpointer
measure_in_thread (gpointer data)
{
  double *ret_width = data;

  *ret_width = width_of (&font, "word sensitivity", FALSE);
  return NULL;
}

static void
test_threads (void)
{
  double widths[2] = { 0, 0 };
  GThread *threads[2];

  for (guint i = 0; i < 2; i++)
    threads[i] = g_thread_new ("measure", measure_in_thread, &widths[i]);
  for (guint i = 0; i < 2; i++)
    g_thread_join (threads[i]);
  g_assert_cmpfloat (widths[0], ==, width_of (&font, "word sensitivity", FALSE));
  g_assert_cmpfloat (widths[1], ==, widths[0]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/text/split", test_split);
  g_test_add_func ("/plot/text/measure", test_measure);
  g_test_add_func ("/plot/text/fit", test_fit);
  g_test_add_func ("/plot/text/wrap", test_wrap);
  g_test_add_func ("/plot/text/cache", test_cache);
  g_test_add_func ("/plot/text/threads", test_threads);
  return g_test_run ();
}
