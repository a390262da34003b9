#include "ww-report.h"

static void
test_formats (void)
{
  static const struct
  {
    const char *path;
    WwReportFormat format;
  } rows[] = {
    { "a.svg", WW_REPORT_SVG },          { "a.pdf", WW_REPORT_PDF },      { "a.png", WW_REPORT_PNG },
    { "a.csv", WW_REPORT_CSV },          { "a.json", WW_REPORT_JSON },    { "/x.y/A.SVG", WW_REPORT_SVG },
    { "figure.csv.Json", WW_REPORT_JSON }, { ".pdf", WW_REPORT_PDF },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      WwReportFormat format = (WwReportFormat) 99;

      g_assert_true (ww_report_format_from_path (rows[i].path, &format, &error));
      g_assert_no_error (error);
      g_assert_cmpint (format, ==, rows[i].format);
    }
}

/* A known ending names the format, else the format gives the ending. */
static void
test_settled_paths (void)
{
  static const struct
  {
    const char *path;
    WwReportFormat format;
    const char *settled;
    WwReportFormat becomes;
  } rows[] = {
    { "/a/pp.svg", WW_REPORT_CSV, "/a/pp.svg", WW_REPORT_SVG },
    { "/a/pp", WW_REPORT_CSV, "/a/pp.csv", WW_REPORT_CSV },
    { "/a.svg/pp", WW_REPORT_PNG, "/a.svg/pp.png", WW_REPORT_PNG },
    { "/a/v1.2", WW_REPORT_JSON, "/a/v1.2.json", WW_REPORT_JSON },
    { "/a/pp.", WW_REPORT_PDF, "/a/pp.pdf", WW_REPORT_PDF },
    { "/a/PP.PnG", WW_REPORT_PDF, "/a/PP.PnG", WW_REPORT_PNG },
    { "/a/.svg", WW_REPORT_PDF, "/a/.svg.pdf", WW_REPORT_PDF },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      WwReportFormat format = rows[i].format;
      g_autofree char *settled = ww_report_settle_path (rows[i].path, &format);

      g_assert_cmpstr (settled, ==, rows[i].settled);
      g_assert_cmpint (format, ==, rows[i].becomes);
    }
}

static void
test_unknown_formats (void)
{
  static const char *const paths[] = { "", "figure", "a.svgz", "svg", "a.svg/", "a.jpg", "a.json.gz" };

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;
      WwReportFormat format = (WwReportFormat) 99;

      g_assert_false (ww_report_format_from_path (paths[i], &format, &error));
      g_assert_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, ".svg, .pdf, .png, .csv and .json"));
      g_assert_cmpint (format, ==, 99);
    }
}

static void
test_sizes (void)
{
  static const struct
  {
    const char *text;
    double width, height;
  } rows[] = {
    { "8.9cmx6.5cm", 8.9, 6.5 }, { "8.9x6.5", 8.9, 6.5 }, { "8.9cmx6.5", 8.9, 6.5 },
    { "0.5x200", 0.5, 200 },     { "12x.5cm", 12, 0.5 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      double width = 0, height = 0;

      g_assert_true (ww_report_parse_size (rows[i].text, &width, &height));
      g_assert_cmpfloat (width, ==, rows[i].width);
      g_assert_cmpfloat (height, ==, rows[i].height);
    }
}

static void
test_bad_sizes (void)
{
  static const char *const texts[] = {
    "",          "x",       "8.9",     "8.9cm",    "8.9cmx",  "x6.5",       "8.9x6.5x1", "8.9 x 6.5",
    "8,9x6,5",   "-8.9x6.5", "0.4x6.5", "8.9x0.49", "201x6",   "8.9x200.01", "nanxnan",   "infxinf",
    "1e1x6",     "0x8x6",   "8.9cmx6.5mm", "8.9cmcmx6.5", "8.9.1x6", "cmxcm",  "8.9x6.5cmc", "8.9xc",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      double width = 1, height = 2;

      g_assert_false (ww_report_parse_size (texts[i], &width, &height));
      g_assert_cmpfloat (width, ==, 1);
      g_assert_cmpfloat (height, ==, 2);
    }
}

static void
test_options (void)
{
  WwReportOptions options;

  ww_report_options_init (&options, WW_REPORT_PNG);
  g_assert_cmpint (options.format, ==, WW_REPORT_PNG);
  g_assert_cmpfloat (options.width_cm, ==, 8.9);
  g_assert_cmpfloat (options.height_cm, ==, 6.5);
  g_assert_cmpfloat (options.dpi, ==, 300);
  g_assert_cmpfloat (options.style.font_size, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/formats", test_formats);
  g_test_add_func ("/report/settled-paths", test_settled_paths);
  g_test_add_func ("/report/unknown-formats", test_unknown_formats);
  g_test_add_func ("/report/sizes", test_sizes);
  g_test_add_func ("/report/bad-sizes", test_bad_sizes);
  g_test_add_func ("/report/options", test_options);

  return g_test_run ();
}
