/* The token strip with as many tokens as the page can have: colours, keys and drawing. */
#include "app-fixture.h"

#include <math.h>
#include <time.h>

#include "ww-token-chip.h"
#include "ww-token-strip.h"

#define N_TOKENS 2048
#define N_FRAMES 20

typedef struct
{
  GtkWidget *window, *scroller;
  WwTokenStrip *strip;
  GtkAdjustment *adjustment;
  WwTokens *tokens;
  gboolean painted;
} Strip;

static void
on_painted (Strip *strip)
{
  strip->painted = TRUE;
}

static void
on_scrolled (Strip *strip)
{
  double top = gtk_adjustment_get_value (strip->adjustment);

  ww_token_strip_set_viewport (strip->strip, top,
                               top + gtk_adjustment_get_page_size (strip->adjustment));
}

/* A window with nothing but the strip, as it stands on the page. */
static void
strip_open (Strip *strip, Fixture *fixture)
{
  g_autoptr (GString) text = g_string_new (NULL);
  WwTokens *tokens;

  for (guint i = 0; i < N_TOKENS; i++)
    g_string_append (text, i % 3 == 0 ? "people " : i % 3 == 1 ? "waited " : "the ");
  g_object_set (fixture->session, "layer", WW_LAYER_WORD, "special", FALSE, NULL);
  fixture_finish_curve (fixture);
  ww_session_set_text (fixture->session, text->str);
  WAIT_FOR ((tokens = ww_session_get_tokens (fixture->session)) != NULL && tokens->n == N_TOKENS);
  strip->tokens = ww_tokens_ref (tokens);
  ww_session_cancel_curve (fixture->session);

  strip->strip = g_object_new (WW_TYPE_TOKEN_STRIP, "valign", GTK_ALIGN_START, NULL);
  strip->scroller = gtk_scrolled_window_new ();
  strip->adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (strip->scroller));
  strip->window = gtk_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (strip->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (strip->scroller), GTK_WIDGET (strip->strip));
  gtk_window_set_child (GTK_WINDOW (strip->window), strip->scroller);
  gtk_window_set_default_size (GTK_WINDOW (strip->window), 880, 180);
  g_signal_connect_swapped (strip->adjustment, "value-changed", G_CALLBACK (on_scrolled), strip);
  g_signal_connect_swapped (strip->adjustment, "changed", G_CALLBACK (on_scrolled), strip);
  gtk_window_present (GTK_WINDOW (strip->window));
  WAIT_FOR (gtk_widget_get_mapped (GTK_WIDGET (strip->strip)));
  g_signal_connect_swapped (gtk_widget_get_frame_clock (strip->window), "after-paint",
                            G_CALLBACK (on_painted), strip);
}

static void
strip_close (Strip *strip)
{
  g_signal_handlers_disconnect_by_data (gtk_widget_get_frame_clock (strip->window), strip);
  g_signal_handlers_disconnect_by_data (strip->adjustment, strip);
  gtk_window_destroy (GTK_WINDOW (strip->window));
  ww_tokens_unref (strip->tokens);
}

/* Of this thread alone: others run beside it. */
static double
get_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * (double) now.tv_sec + 1e-6 * (double) now.tv_nsec;
}

/* Milliseconds of work from `started` to the end of the frame that shows what was changed then. */
static double
finish_frame (Strip *strip, double started)
{
  strip->painted = FALSE;
  gtk_widget_queue_draw (strip->window);
  WAIT_FOR (strip->painted);
  return get_cpu_ms () - started;
}

static void
colour (Strip *strip, gsize n_known, double scale)
{
  g_autofree double *ws = g_new (double, N_TOKENS);
  g_autofree WwEffort *efforts = g_new0 (WwEffort, N_TOKENS);
  g_autoptr (WwSensitivity) sensitivity = NULL;

  for (gsize i = 0; i < N_TOKENS; i++)
    ws[i] = i < n_known ? 1 + scale * (double) ((i * 37) % 101) / 100 : NAN;
  sensitivity = ww_sensitivity_new (WW_MAP_SOFTMAX_RAF, ws, efforts, N_TOKENS);
  ww_token_strip_set_sensitivity (strip->strip, sensitivity);
}

/* Asked without a width, as a scrolled window does, it answers for the width that it has. */
static gboolean
knows_its_height (WwTokenStrip *strip)
{
  GtkWidget *widget = GTK_WIDGET (strip);
  int asked, own;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, &asked, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (widget), &own, NULL, NULL,
                      NULL);
  return asked == own;
}

static void
test_many_tokens (Fixture *fixture, gconstpointer data)
{
  Strip strip = { 0 };
  gsize first, last;
  double started, first_frame, colours = 0, scrolls = 0;

  strip_open (&strip, fixture);
  started = get_cpu_ms ();
  ww_token_strip_set_tokens (strip.strip, strip.tokens);
  first_frame = finish_frame (&strip, started);
  g_assert_cmpuint (ww_token_strip_get_n_tokens (strip.strip), ==, N_TOKENS);

  WAIT_FOR (knows_its_height (strip.strip));

  /* Colours that come one after the other, and each time a wider scale. */
  for (guint i = 1; i <= N_FRAMES; i++)
    {
      started = get_cpu_ms ();
      colour (&strip, N_TOKENS * i / N_FRAMES, i);
      colours += finish_frame (&strip, started) / N_FRAMES;
    }
  for (guint i = 1; i <= N_FRAMES; i++)
    {
      started = get_cpu_ms ();
      gtk_adjustment_set_value (strip.adjustment, 40 * i);
      scrolls += finish_frame (&strip, started) / N_FRAMES;
    }
  g_print ("# %d tokens: first frame %.1f ms, colours %.2f ms, a scroll %.2f ms a frame\n", N_TOKENS,
           first_frame, colours, scrolls);

  /* Only what is seen is drawn. */
  g_assert_cmpuint (ww_token_strip_get_n_drawn (strip.strip), >, 0);
  g_assert_cmpuint (ww_token_strip_get_n_drawn (strip.strip), <, N_TOKENS / 4);
  g_assert_true (ww_token_strip_get_visible (strip.strip, 800, 980, &first, &last));
  g_assert_cmpuint (first, >, 0);
  g_assert_cmpuint (last, <, N_TOKENS / 2);
  strip_close (&strip);
}

int
main (int argc, char **argv)
{
  if (!app_test_init (&argc, &argv))
    return 0;

  ADD_TEST ("/strip/many-tokens", test_many_tokens);
  return g_test_run ();
}
