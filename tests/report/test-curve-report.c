#include <glib/gstdio.h>
#include <jansson.h>
#include <math.h>

#include "test-locale.h"
#include "ww-curve-theory.h"
#include "ww-curve-undefined.h"
#include "ww-report.h"

/* A made-up curve, deliberately out of order: two maps, two lengths, two trials; the medians of RF
 * are n^-0.5 exactly, those of softmax-RAF constant. */
static const WwCurvePoint points[] = {
  { WW_MAP_SOFTMAX_RAF, 64, 16, 0, 1, 1, 0, 2.5, NAN, 900 },
  { WW_MAP_RF, 64, 16, 4096, 1, 1, 0, 0.375, NAN, 80 },
  { WW_MAP_RF, 64, 16, 4096, 0, 1, 0, 0.125, 0.5, 81 },
  { WW_MAP_RF, 64, 4, 4096, 0, 1, 0, 0.5, NAN, 82 },
  { WW_MAP_SOFTMAX_RAF, 64, 4, 0, 0, 1, 0, 2.25, NAN, 901 },
  { WW_MAP_RF, 64, 4, 4096, 1, 1, 0, 0.5, NAN, 83 },
  { WW_MAP_SOFTMAX_RAF, 64, 16, 0, 0, 1, 0, 2, NAN, 902 },
  { WW_MAP_SOFTMAX_RAF, 64, 4, 0, 1, 1, 0, 2.25, NAN, 903 },
};

static const char rows[] = "map,d,n,k,trial,seed,token,ws,upper_bound,evaluations\n"
                           "rf,64,4,4096,0,1,0,0.5,,82\n"
                           "rf,64,4,4096,1,1,0,0.5,,83\n"
                           "rf,64,16,4096,0,1,0,0.125,0.5,81\n"
                           "rf,64,16,4096,1,1,0,0.375,,80\n"
                           "raf,64,4,0,0,1,0,2.25,,901\n"
                           "raf,64,4,0,1,1,0,2.25,,903\n"
                           "raf,64,16,0,0,1,0,2,,902\n"
                           "raf,64,16,0,1,1,0,2.5,,900\n";

static void
fill (WwProvenance *provenance, WwCurveReport *report)
{
  static const gsize lengths[] = { 4, 16 };
  static const gsize dims[] = { 64 };

  ww_provenance_init (provenance);
  provenance->source = g_strdup ("synthetic");
  provenance->maps[0] = WW_MAP_RF;
  provenance->maps[1] = WW_MAP_SOFTMAX_RAF;
  provenance->n_maps = 2;
  provenance->lengths = g_memdup2 (lengths, sizeof lengths);
  provenance->n_lengths = 2;
  provenance->dims = g_memdup2 (dims, sizeof dims);
  provenance->n_dims = 1;
  provenance->features = 4096;
  provenance->trials = 2;

  *report = (WwCurveReport) {
    .points = points,
    .n_points = G_N_ELEMENTS (points),
    .provenance = provenance,
    .x_log = TRUE,
    .y_log = TRUE,
  };
}

static char *
read_svg (const WwCurveReport *report)
{
  g_autofree char *folder = g_dir_make_tmp ("ww-report-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "curve.svg", NULL);
  g_autoptr (GError) error = NULL;
  WwReportOptions options;
  char *text = NULL;

  ww_report_options_init (&options, WW_REPORT_SVG);
  g_assert_true (ww_curve_report_write (report, path, &options, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_remove (path);
  g_rmdir (folder);

  return text;
}

static void
check_csv (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  g_autofree char *comment = NULL;
  g_autofree char *csv = NULL;

  fill (&provenance, &report);
  comment = ww_provenance_to_csv_comment (&provenance);
  csv = ww_curve_report_to_csv (&report);

  g_assert_true (g_str_has_prefix (csv, comment));
  g_assert_cmpstr (csv + strlen (comment), ==, rows);
}

static void
test_csv (void)
{
  check_csv ();
}

static void
test_csv_comma_locale (void)
{
  if (!test_locale_use_comma ())
    return;

  check_csv ();
  setlocale (LC_ALL, "C");
}

static void
test_json (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  g_autofree char *line = NULL;
  json_t *read = NULL;
  json_t *list = NULL;
  json_t *curve = NULL;

  fill (&provenance, &report);
  line = ww_curve_report_to_json (&report);
  g_assert_cmpuint (strcspn (line, "\n"), ==, strlen (line) - 1);
  read = json_loads (line, JSON_REJECT_DUPLICATES, NULL);
  g_assert_nonnull (read);

  list = json_object_get (read, "points");
  g_assert_cmpint (json_array_size (list), ==, G_N_ELEMENTS (points));
  g_assert_cmpstr (json_string_value (json_object_get (json_array_get (list, 2), "map")), ==, "rf");
  g_assert_cmpfloat (json_number_value (json_object_get (json_array_get (list, 2), "ws")), ==, 0.125);
  g_assert_cmpfloat (json_number_value (json_object_get (json_array_get (list, 2), "upper_bound")), ==, 0.5);
  g_assert_true (json_is_null (json_object_get (json_array_get (list, 3), "upper_bound")));

  list = json_object_get (read, "curves");
  g_assert_cmpint (json_array_size (list), ==, 2);
  curve = json_array_get (list, 0);
  g_assert_cmpfloat_with_epsilon (json_number_value (json_object_get (curve, "exponent")), -0.5, 1e-12);
  g_assert_cmpfloat (json_number_value (json_array_get (json_object_get (curve, "median"), 1)), ==, 0.25);
  g_assert_cmpfloat (json_number_value (json_array_get (json_object_get (curve, "lower_quartile"), 1)), ==, 0.1875);
  g_assert_cmpfloat (json_number_value (json_array_get (json_object_get (curve, "upper_quartile"), 1)), ==, 0.3125);
  g_assert_cmpstr (json_string_value (json_object_get (json_object_get (read, "provenance"), "source")), ==,
                   "synthetic");
  json_decref (read);
}

/* The figure says everything that it must say, in text that can be read. */
static void
test_svg (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  g_autofree char *svg = NULL;
  g_autofree char *again = NULL;

  fill (&provenance, &report);
  svg = read_svg (&report);
  again = read_svg (&report);

  g_assert_cmpstr (svg, ==, again);
  g_assert_nonnull (strstr (svg, "<text"));
  g_assert_nonnull (strstr (svg, "RF"));
  g_assert_nonnull (strstr (svg, "softmax-RAF"));
  g_assert_null (strstr (svg, "ReLU-RAF"));
  g_assert_nonnull (strstr (svg, "0.50"));
  g_assert_nonnull (strstr (svg, "context length n"));
  g_assert_nonnull (strstr (svg, "word sensitivity (token 1)"));
  /* The note is broken into lines where the legend is narrow. */
  g_assert_nonnull (strstr (svg, "band:"));
  g_assert_nonnull (strstr (svg, "2 trials"));
  g_assert_nonnull (strstr (svg, "source: synthetic"));
  g_assert_nonnull (strstr (svg, "seed: 1"));
}

static void
test_all_tokens_label (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  g_autofree char *svg = NULL;

  fill (&provenance, &report);
  provenance.token = WW_TOKEN_ALL;
  svg = read_svg (&report);

  g_assert_nonnull (strstr (svg, "word sensitivity (largest over tokens)"));
  g_assert_null (strstr (svg, "(token 1)"));
}

static void
test_every_format (void)
{
  static const struct
  {
    WwReportFormat format;
    const char *start;
  } formats[] = {
    { WW_REPORT_SVG, "<?xml" }, { WW_REPORT_PDF, "%PDF" }, { WW_REPORT_PNG, "\x89PNG" },
    { WW_REPORT_CSV, "# wordsway" }, { WW_REPORT_JSON, "{\"provenance\"" },
  };
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  g_autofree char *folder = g_dir_make_tmp ("ww-report-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "curve", NULL);

  fill (&provenance, &report);
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *data = NULL;
      gsize length = 0;
      WwReportOptions options;

      ww_report_options_init (&options, formats[i].format);
      g_assert_true (ww_curve_report_write (&report, path, &options, &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &data, &length, NULL));
      g_assert_true (g_str_has_prefix (data, formats[i].start));
      g_assert_cmpuint (length, >, 400);
    }
  g_remove (path);
  g_rmdir (folder);
}

static void
test_write_failure (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;

  fill (&provenance, &report);
  for (WwReportFormat format = WW_REPORT_SVG; format <= WW_REPORT_JSON; format++)
    {
      g_autoptr (GError) error = NULL;
      WwReportOptions options;

      ww_report_options_init (&options, format);
      g_assert_false (ww_curve_report_write (&report, "/nonexistent-folder/curve", &options, &error));
      g_assert_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_WRITE);
    }
}

/* Legend entries are the hit boxes of the window: one a map, hidden ones among them. */
static void
test_scene (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  WwPlotStyle style;
  WwCurvesLayout layout;
  g_autoptr (WwScene) scene = NULL;
  double width = 0, height = 0;

  fill (&provenance, &report);
  report.hidden[WW_MAP_RF] = TRUE;
  ww_plot_style_init (&style);
  scene = ww_curve_report_get_scene (&report, 400, 300, &style, &layout);

  ww_scene_get_size (scene, &width, &height);
  g_assert_cmpfloat (width, ==, 400);
  g_assert_cmpfloat (height, ==, 300);
  g_assert_cmpuint (layout.n_legend, ==, 2);
  g_assert_cmpfloat (layout.width, >, 100);
  g_assert_true (layout.x_log && layout.y_log);
  g_assert_cmpfloat (layout.x_min, <=, 4);
  g_assert_cmpfloat (layout.x_max, >=, 16);
}

/* The depth stands in the name, once where lines of several d are told apart. */
static void
test_deep (void)
{
  static const WwCurvePoint deep[] = {
    { WW_MAP_DRF, 64, 4, 256, 0, 1, 0, 0.5, NAN, 1 },
    { WW_MAP_DRF, 64, 16, 256, 0, 1, 0, 0.25, NAN, 1 },
  };
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  g_autofree char *svg = NULL;
  g_autofree char *csv = NULL;
  g_autofree char *json = NULL;

  fill (&provenance, &report);
  provenance.maps[0] = WW_MAP_DRF;
  provenance.n_maps = 1;
  provenance.depth = 5;
  provenance.width = 256;
  report.points = deep;
  report.n_points = 2;
  svg = read_svg (&report);
  csv = ww_curve_report_to_csv (&report);
  json = ww_curve_report_to_json (&report);

  g_assert_nonnull (strstr (svg, "DRF, depth 5: n"));
  g_assert_nonnull (strstr (csv, "# depth: 5\n# width: 256\n"));
  g_assert_nonnull (strstr (csv, "\ndrf,64,4,256,0,1,0,0.5,,1\n"));
  g_assert_nonnull (strstr (json, "\"depth\": 5, \"width\": 256"));
  g_assert_null (strstr (json, "\"theory\""));
}

/* Laws follow the measured lines, of the maps that are shown, evaluated and not interpolated; the legend has
 * one key for each. */
static void
test_theory (void)
{
  static const double predictions[3] = { 0.5, 0.7, 0.25 };
  g_autofree WwCurvePoint *predicted = g_memdup2 (points, sizeof points);
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  WwPlotStyle style;
  WwCurvesLayout plain, layout;
  g_autofree char *json = NULL;
  g_autoptr (GPtrArray) fine = NULL;
  g_autoptr (GPtrArray) coarse = NULL;
  guint n_predicted = 0;

  fill (&provenance, &report);
  ww_plot_style_init (&style);
  g_autoptr (WwScene) without = ww_curve_report_get_scene (&report, 400, 300, &style, &plain);
  g_assert_nonnull (without);
  for (gsize i = 0; i < G_N_ELEMENTS (points); i++)
    if (predicted[i].map == WW_MAP_RF && n_predicted < G_N_ELEMENTS (predictions))
      predicted[i].predicted = predictions[n_predicted++];
  report.points = predicted;
  report.laws = WW_ALL_LAW_BITS;
  g_autoptr (WwScene) with = ww_curve_report_get_scene (&report, 400, 300, &style, &layout);
  g_assert_nonnull (with);
  json = ww_curve_report_to_json (&report);
  fine = ww_curve_theory_collect (&report, TRUE);
  coarse = ww_curve_theory_collect (&report, FALSE);

  g_assert_cmpuint (layout.n_legend, ==, plain.n_legend + WW_N_LAWS);
  g_assert_nonnull (strstr (json, "\"theory\": [{\"map\": \"rf\", \"law\": \"infinite\", \"formula\": \"S_inf\""));

  g_assert_cmpuint (fine->len, ==, WW_N_LAWS);
  for (guint i = 0; i < fine->len; i++)
    {
      const WwCurveLaw *law = g_ptr_array_index (fine, i);
      const WwCurveLaw *at_lengths = g_ptr_array_index (coarse, i);

      g_assert_cmpint (law->map, ==, WW_MAP_RF);
      g_assert_cmpint (law->law, ==, i);
      g_assert_cmpfloat (law->n[0], ==, 4);
      g_assert_cmpfloat (law->n[law->n_points - 1], ==, 16);
      g_assert_cmpuint (at_lengths->n_points, ==, 2);
      g_assert_cmpfloat (at_lengths->ws[1], ==, law->ws[law->n_points - 1]);
      if (i == WW_LAW_WEIGHTS)
        continue;
      g_assert_cmpuint (law->n_points, >, 100);
      for (gsize p = 0; p < law->n_points; p++)
        {
          const double expected[] = { ww_theory_rf_infinite (law->n[p], 1), ww_theory_rf_edge (law->n[p], 1, 64, 4096),
                                      ww_theory_rf_finite (law->n[p], 1, 64, 4096) };

          g_assert_cmpfloat (law->ws[p], ==, expected[i]);
        }
    }
  g_assert_cmpstr (((WwCurveLaw *) g_ptr_array_index (fine, 0))->label, ==, "RF, infinite width");
  g_assert_cmpstr (((WwCurveLaw *) g_ptr_array_index (fine, 2))->label, ==, "RF, k = 4096 (F2)");
}

/* Each law that is asked for is a column, empty where it says nothing; without any the table is as ever. */
static void
test_theory_columns (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  g_autofree char *plain = NULL;
  g_autofree char *csv = NULL;
  g_auto (GStrv) plain_lines = NULL;
  g_auto (GStrv) lines = NULL;

  fill (&provenance, &report);
  plain = ww_curve_report_to_csv (&report);
  report.laws = WW_LAW_BIT (WW_LAW_INFINITE) | WW_LAW_BIT (WW_LAW_WEIGHTS);
  csv = ww_curve_report_to_csv (&report);

  plain_lines = g_strsplit (plain, "\n", -1);
  lines = g_strsplit (csv, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, g_strv_length (plain_lines));
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *rest = lines[i] + strlen (plain_lines[i]);

      g_assert_true (g_str_has_prefix (lines[i], plain_lines[i]));
      if (g_str_has_prefix (lines[i], "map,"))
        g_assert_cmpstr (rest, ==, ",theory_infinite,theory_weights");
      else if (g_str_has_prefix (lines[i], "rf,64,4,"))
        g_assert_cmpfloat (fabs (g_ascii_strtod (rest + 1, NULL) / ww_theory_rf_infinite (4, 1) - 1), <, 1e-12);
      else if (g_str_has_prefix (lines[i], "raf,"))
        g_assert_cmpstr (rest, ==, ",,");
    }
}

static guint
count_laws (const WwCurveReport *report)
{
  g_autoptr (GPtrArray) laws = ww_curve_theory_collect (report, TRUE);

  return laws->len;
}

static void
test_theory_where_it_applies (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;

  fill (&provenance, &report);
  g_assert_cmpuint (count_laws (&report), ==, 0);
  report.laws = WW_LAW_BIT (WW_LAW_INFINITE) | WW_LAW_BIT (WW_LAW_FINITE);
  g_assert_cmpuint (count_laws (&report), ==, 2);

  /* k = n d is another law; before any point the lengths asked for are the range. */
  provenance.features = 0;
  report.points = NULL;
  report.n_points = 0;
  g_autoptr (GPtrArray) laws = ww_curve_theory_collect (&report, FALSE);
  g_assert_cmpuint (laws->len, ==, 2);
  const WwCurveLaw *finite = g_ptr_array_index (laws, 1);
  g_assert_cmpstr (finite->label, ==, "RF, k = n d (F2)");
  g_assert_cmpfloat (finite->ws[0], ==, ww_theory_rf_finite (4, 1, 64, 4 * 64));

  /* The largest over all tokens has no law at a finite width, rows as stored have none at all. */
  provenance.token = WW_TOKEN_ALL;
  g_assert_cmpuint (count_laws (&report), ==, 1);
  provenance.normalisation = WW_NORMALISATION_NONE;
  g_assert_cmpuint (count_laws (&report), ==, 0);

  provenance.normalisation = WW_NORMALISATION_CENTRE;
  provenance.token = 0;
  provenance.maps[0] = WW_MAP_RELU_RAF;
  g_assert_cmpuint (count_laws (&report), ==, 0);
  provenance.maps[0] = WW_MAP_DRF; /* of unknown depth */
  g_assert_cmpuint (count_laws (&report), ==, 0);
  provenance.depth = 2;
  provenance.width = 100;
  g_assert_cmpuint (count_laws (&report), ==, 2);
}

static void
test_linear_starts_at_zero (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  WwPlotStyle style;
  WwCurvesLayout layout;
  g_autoptr (WwScene) scene = NULL;

  fill (&provenance, &report);
  report.x_log = report.y_log = FALSE;
  ww_plot_style_init (&style);
  scene = ww_curve_report_get_scene (&report, 400, 300, &style, &layout);

  g_assert_false (layout.y_log);
  g_assert_cmpfloat (layout.y_min, ==, 0);
}

/* Before the first point there are axes and a legend, and no exponent. */
static void
test_no_points (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  g_autofree char *svg = NULL;
  g_autofree char *csv = NULL;

  fill (&provenance, &report);
  report.points = NULL;
  report.n_points = 0;
  svg = read_svg (&report);
  csv = ww_curve_report_to_csv (&report);

  g_assert_nonnull (strstr (svg, "softmax-RAF"));
  g_assert_null (strstr (svg, "softmax-RAF:"));
  g_assert_null (strstr (svg, "band"));
  g_assert_true (g_str_has_suffix (csv, "ws,upper_bound,evaluations\n"));
}

static void
test_one_trial_has_no_band (void)
{
  static const WwCurvePoint one[] = { { WW_MAP_RF, 64, 4, 512, 0, 1, 0, 0.5, NAN, 1 } };
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  g_autofree char *svg = NULL;

  fill (&provenance, &report);
  report.points = one;
  report.n_points = 1;
  svg = read_svg (&report);

  g_assert_nonnull (strstr (svg, "one trial"));
}

/* Two dimensions: both are named, in this order. */
static void
test_several_dims (void)
{
  static const WwCurvePoint two[] = {
    { WW_MAP_RF, 128, 4, 512, 0, 1, 0, 0.5, NAN, 1 },
    { WW_MAP_RF, 64, 4, 512, 0, 1, 0, 0.5, NAN, 1 },
  };
  g_auto (WwProvenance) provenance = { 0 };
  WwCurveReport report;
  g_autofree char *svg = NULL;
  const char *first = NULL;
  const char *second = NULL;

  fill (&provenance, &report);
  provenance.n_maps = 1;
  report.points = two;
  report.n_points = 2;
  svg = read_svg (&report);

  first = strstr (svg, "RF, d = 64");
  second = strstr (svg, "RF, d = 128");
  g_assert_nonnull (first);
  g_assert_nonnull (second);
  g_assert_true (first < second);
}

static double
evaluate_d2 (const WwCurveReport *report, gsize n)
{
  const WwCurvePoint point = { .map = WW_MAP_DRF, .d = 64, .n = n };

  return ww_curve_theory_evaluate (report, WW_LAW_FINITE, &point);
}

/* D2 is drawn where it has been found to hold, called approximate where it is, and left out with a word
 * elsewhere. */
static void
test_theory_of_deep_networks (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree char *close = NULL, *approximate = NULL, *deep = NULL, *narrow = NULL, *json = NULL;
  WwCurveReport report;

  fill (&provenance, &report);
  provenance.maps[0] = WW_MAP_DRF;
  provenance.depth = 4;
  provenance.width = 1024;
  report.n_points = 0;
  report.laws = WW_LAW_BIT (WW_LAW_FINITE);
  close = read_svg (&report);
  g_assert_nonnull (strstr (close, "theory D2, finite width"));
  g_assert_null (strstr (close, "approximate"));
  g_assert_null (strstr (close, "left out"));
  g_assert_cmpfloat (evaluate_d2 (&report, 4), ==, ww_theory_drf_finite (4, 1, 64, 1024, 4));
  g_assert_true (isnan (evaluate_d2 (&report, 2)));

  provenance.depth = 8;
  approximate = read_svg (&report);
  json = ww_curve_report_to_json (&report);
  g_assert_nonnull (strstr (approximate, "theory D2, finite width, approximate"));
  g_assert_nonnull (strstr (json, "\"theory_note\": \"D2 is left out below n = 10, where it does not hold\""));
  g_assert_nonnull (strstr (json, "\"approximate\": true, \"n\": [4, 16], \"ws\": [null, "));
  g_assert_true (isnan (evaluate_d2 (&report, 9)));
  g_assert_cmpfloat (evaluate_d2 (&report, 10), ==, ww_theory_drf_finite (10, 1, 64, 1024, 8));

  provenance.width = 100;
  g_assert_cmpuint (count_laws (&report), ==, 0);
  narrow = ww_curve_theory_describe_gaps (&report);
  g_assert_cmpstr (narrow, ==, "D2 is left out where the layers are less than twice as wide as d");
  g_assert_true (isnan (evaluate_d2 (&report, 100)));

  provenance.width = 1024;
  provenance.depth = 9;
  deep = ww_curve_theory_describe_gaps (&report);
  g_assert_cmpstr (deep, ==, "D2 is left out: it is known to hold up to 8 layers");
  g_assert_true (isnan (evaluate_d2 (&report, 100)));
  g_assert_cmpuint (count_laws (&report), ==, 0);
}

/* Bounds are drawn and said where there are some: at a length the largest, which no trial exceeds. */
static void
test_bounds (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurvePoint bounded[G_N_ELEMENTS (points)];
  g_autofree char *without = NULL, *with = NULL, *hidden = NULL, *json = NULL, *csv = NULL;
  WwCurveReport report;

  fill (&provenance, &report);
  memcpy (bounded, points, sizeof points);
  for (gsize i = 0; i < G_N_ELEMENTS (points); i++)
    bounded[i].upper_bound = NAN;
  report.points = bounded;
  without = read_svg (&report);
  g_assert_null (strstr (without, "certified"));

  provenance.bound = WW_SWEEP_BOUND_TIGHT;
  for (gsize i = 0; i < G_N_ELEMENTS (points); i++)
    if (bounded[i].map == WW_MAP_SOFTMAX_RAF)
      bounded[i].upper_bound = bounded[i].ws + 1;
  with = read_svg (&report);
  g_assert_nonnull (strstr (with, "certified upper bound"));
  g_assert_nonnull (strstr (with, "upper bound: tight"));
  csv = ww_curve_report_to_csv (&report);
  g_assert_nonnull (strstr (csv, "\nraf,64,16,0,1,1,0,2.5,3.5,900\n"));
  g_assert_nonnull (strstr (csv, "# upper bound: tight\n"));
  json = ww_curve_report_to_json (&report);
  g_assert_nonnull (strstr (json, "\"upper_bound\": [3.25, 3.5]"));
  g_assert_nonnull (strstr (json, "\"upper_bounds\": {\"points_with_bound\": 4, \"points\": 4}"));
  g_assert_nonnull (strstr (json, "\"bound\": \"tight\""));

  report.hidden[WW_MAP_SOFTMAX_RAF] = TRUE;
  hidden = read_svg (&report);
  g_assert_null (strstr (hidden, "certified"));
}

/* Stopped while bounds are computed: no line where a trial lacks its bound, and the figure and the files say how
 * many there are. */
static void
test_bounds_stopped (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurvePoint bounded[G_N_ELEMENTS (points)];
  g_autofree char *some = NULL, *few = NULL, *json = NULL, *csv = NULL;
  WwCurveReport report;

  fill (&provenance, &report);
  provenance.bound = WW_SWEEP_BOUND_TIGHT;
  memcpy (bounded, points, sizeof points);
  for (gsize i = 0; i < G_N_ELEMENTS (points); i++)
    bounded[i].upper_bound = bounded[i].map == WW_MAP_SOFTMAX_RAF && i != 0 ? bounded[i].ws + 1 : NAN;
  report.points = bounded;

  some = read_svg (&report);
  g_assert_nonnull (strstr (some, "upper bounds: 3 of 4 points\n"));
  csv = ww_curve_report_to_csv (&report);
  g_assert_nonnull (strstr (csv, "# upper bound: tight\n"));
  g_assert_nonnull (strstr (csv, "# upper bounds: 3 of 4 points\n"));
  json = ww_curve_report_to_json (&report);
  g_assert_nonnull (strstr (json, "\"upper_bound\": [3.25, null]"));
  g_assert_nonnull (strstr (json, "\"upper_bounds\": {\"points_with_bound\": 3, \"points\": 4}"));

  bounded[7].upper_bound = NAN;
  few = read_svg (&report);
  g_assert_nonnull (strstr (few, "too few for a line"));
  g_assert_null (strstr (few, "thin line"));
}

/* Trials without features are empty in the files, named in the figure and left out of every median. */
static void
test_undefined (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  WwCurvePoint some[G_N_ELEMENTS (points)];
  g_autofree char *one = NULL, *svg = NULL, *csv = NULL, *json = NULL, *both = NULL, *none = NULL, *hidden = NULL;
  WwCurveReport report;

  fill (&provenance, &report);
  g_assert_null (ww_curve_report_describe_undefined (&report));
  memcpy (some, points, sizeof points);
  report.points = some;
  some[1].ws = NAN; /* RF, n = 16, trial 1 */
  one = ww_curve_report_describe_undefined (&report);
  g_assert_cmpstr (one, ==, "1 of 4 trials undefined for RF: all features zero");
  svg = read_svg (&report);
  /* The note is broken into lines where words end. */
  g_assert_nonnull (strstr (svg, "undefined"));
  g_assert_nonnull (strstr (svg, "features"));
  g_assert_nonnull (strstr (svg, "RF: n"));
  csv = ww_curve_report_to_csv (&report);
  g_assert_nonnull (strstr (csv, "\nrf,64,16,4096,1,1,0,,,80\n"));

  some[0].ws = NAN; /* softmax-RAF, n = 16, trial 1 */
  some[0].token = WW_TOKEN_ALL;
  json = ww_curve_report_to_json (&report);
  g_assert_nonnull (strstr (json, "\"token\": null, \"ws\": null"));
  g_assert_null (strstr (json, ": nan"));
  both = ww_curve_report_describe_undefined (&report);
  g_assert_cmpstr (both, ==, "1 of 4 trials undefined for RF: all features zero; "
                             "1 of 4 trials undefined for softmax-RAF: all features zero");
  report.hidden[WW_MAP_RF] = TRUE;
  hidden = ww_curve_report_describe_undefined (&report);
  g_assert_cmpstr (hidden, ==, "1 of 4 trials undefined for softmax-RAF: all features zero");

  for (gsize i = 0; i < G_N_ELEMENTS (points); i++)
    some[i].ws = NAN;
  none = ww_curve_report_describe_undefined (&report);
  g_assert_cmpstr (none, ==, "4 of 4 trials undefined for softmax-RAF: all features zero");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/curve-report/csv", test_csv);
  g_test_add_func ("/curve-report/csv-comma-locale", test_csv_comma_locale);
  g_test_add_func ("/curve-report/json", test_json);
  g_test_add_func ("/curve-report/svg", test_svg);
  g_test_add_func ("/curve-report/all-tokens-label", test_all_tokens_label);
  g_test_add_func ("/curve-report/every-format", test_every_format);
  g_test_add_func ("/curve-report/write-failure", test_write_failure);
  g_test_add_func ("/curve-report/scene", test_scene);
  g_test_add_func ("/curve-report/deep", test_deep);
  g_test_add_func ("/curve-report/theory", test_theory);
  g_test_add_func ("/curve-report/theory-columns", test_theory_columns);
  g_test_add_func ("/curve-report/theory-where-it-applies", test_theory_where_it_applies);
  g_test_add_func ("/curve-report/linear-starts-at-zero", test_linear_starts_at_zero);
  g_test_add_func ("/curve-report/no-points", test_no_points);
  g_test_add_func ("/curve-report/one-trial-has-no-band", test_one_trial_has_no_band);
  g_test_add_func ("/curve-report/several-dims", test_several_dims);
  g_test_add_func ("/curve-report/theory-of-deep-networks", test_theory_of_deep_networks);
  g_test_add_func ("/curve-report/bounds", test_bounds);
  g_test_add_func ("/curve-report/bounds-stopped", test_bounds_stopped);
  g_test_add_func ("/curve-report/undefined", test_undefined);

  return g_test_run ();
}
