#include "ww-cli-figure.h"

#include <string.h>

#include "ww-cli-options.h"
#include "ww-cli-output.h"
#include "ww-cli.h"

#define MIN_DPI 30
#define MAX_DPI 2400
#define LARGE_WIDTH_CM 18
#define LARGE_HEIGHT_CM 11

void
ww_cli_figure_options_clear (WwCliFigureOptions *options)
{
  g_clear_pointer (&options->output, g_free);
  g_clear_pointer (&options->format, g_free);
  g_clear_pointer (&options->size, g_free);
  g_clear_pointer (&options->dpi, g_free);
  g_clear_pointer (&options->style, g_free);
}

GOptionEntry *
ww_cli_figure_options_get_entries (WwCliFigureOptions *options, gboolean large)
{
  const GOptionEntry entries[] = {
    { "output", 0, 0, G_OPTION_ARG_FILENAME, &options->output,
      "Where it goes: .svg, .pdf, .png, .csv or .json; - for standard output", "FIG.svg" },
    { "format", 0, 0, G_OPTION_ARG_FILENAME, &options->format,
      "svg, pdf, png, csv or json (default: by the ending; csv for standard output)", "FORMAT" },
    { "size", 0, 0, G_OPTION_ARG_FILENAME, &options->size,
      large ? "Size of a figure (default: 18cmx11cm)" : "Size of a figure (default: 8.9cmx6.5cm)", "WxH" },
    { "dpi", 0, 0, G_OPTION_ARG_FILENAME, &options->dpi, "Resolution of a .png (default: 300)", "DPI" },
    { "style", 0, 0, G_OPTION_ARG_FILENAME, &options->style, "default, dark or large", "NAME" },
    { NULL },
  };

  return g_memdup2 (entries, sizeof entries);
}

static gboolean
parse_style (const char *text, WwPlotStyle *ret_style, GError **error)
{
  g_autofree char *names = NULL;

  if (text == NULL || ww_plot_style_from_name (text, ret_style))
    return TRUE;

  names = g_strjoinv (", ", (char **) ww_plot_style_get_names ());
  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--style takes one of %s; found “%s”", names, text);
  return FALSE;
}

static gboolean
parse_size (const char *text, WwReportOptions *report_options, GError **error)
{
  if (text == NULL || ww_report_parse_size (text, &report_options->width_cm, &report_options->height_cm))
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE,
               "--size takes width and height as 8.9cmx6.5cm, each from 0.5 to 200 cm; found “%s”", text);
  return FALSE;
}

/* A format by its name, which is an ending without its dot. */
static gboolean
parse_format_name (const char *name, WwReportFormat *ret_format, GError **error)
{
  g_autofree char *path = g_strconcat ("figure.", name, NULL);

  if (strchr (name, '.') == NULL && ww_report_format_from_path (path, ret_format, NULL))
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--format takes svg, pdf, png, csv or json; found “%s”", name);
  return FALSE;
}

static gboolean
parse_format (const char *output, const char *name, WwReportFormat *ret_format, GError **error)
{
  g_autoptr (GError) problem = NULL;
  WwReportFormat by_name = WW_REPORT_CSV;
  gboolean has_ending;

  if (!ww_cli_require ("--output", output, error) || (name != NULL && !parse_format_name (name, &by_name, error)))
    return FALSE;

  has_ending = !ww_cli_is_standard_output (output) && ww_report_format_from_path (output, ret_format, &problem);
  if (has_ending && name != NULL && *ret_format != by_name)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--format %s and the ending of “%s” contradict each other",
                   name, output);
      return FALSE;
    }
  if (has_ending)
    return TRUE;
  if (name != NULL || ww_cli_is_standard_output (output))
    {
      *ret_format = by_name;
      return TRUE;
    }

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--output: %s", problem->message);
  return FALSE;
}

gboolean
ww_cli_figure_options_check (const WwCliFigureOptions *options, gboolean large, WwReportOptions *ret_report_options,
                             GError **error)
{
  WwReportFormat format = WW_REPORT_SVG;
  WwReportOptions report_options;

  if (!parse_format (options->output, options->format, &format, error))
    return FALSE;

  ww_report_options_init (&report_options, format);
  if (large)
    {
      report_options.width_cm = LARGE_WIDTH_CM;
      report_options.height_cm = LARGE_HEIGHT_CM;
    }
  if (!parse_size (options->size, &report_options, error)
      || !ww_cli_parse_real ("--dpi", options->dpi, MIN_DPI, MAX_DPI, &report_options.dpi, error)
      || !parse_style (options->style, &report_options.style, error)
      || !ww_cli_check_output ("--output", options->output, error))
    return FALSE;

  *ret_report_options = report_options;
  return TRUE;
}
