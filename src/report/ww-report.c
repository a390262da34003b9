#include "ww-report.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ww-number.h"
#include "ww-report-private.h"

#define MIN_SIZE_CM 0.5
#define MAX_SIZE_CM 200

static const struct
{
  const char *ending;
  WwReportFormat format;
} endings[] = {
  { ".svg", WW_REPORT_SVG }, { ".pdf", WW_REPORT_PDF },   { ".png", WW_REPORT_PNG },
  { ".csv", WW_REPORT_CSV }, { ".json", WW_REPORT_JSON },
};

gboolean
ww_report_format_from_path (const char *path, WwReportFormat *ret_format, GError **error)
{
  g_return_val_if_fail (path != NULL && ret_format != NULL, FALSE);

  g_autofree char *display = NULL;
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i].ending))
      {
        *ret_format = endings[i].format;
        return TRUE;
      }

  display = g_filename_display_basename (path);
  g_set_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_FORMAT,
               _("The ending of “%s” names no format; known are .svg, .pdf, .png, .csv and .json"), display);
  return FALSE;
}

const char *
ww_report_format_get_ending (WwReportFormat format)
{
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (endings[i].format == format)
      return endings[i].ending;

  g_return_val_if_reached ("");
}

char *
ww_report_settle_path (const char *path, WwReportFormat *format)
{
  g_return_val_if_fail (path != NULL && format != NULL, NULL);

  g_autofree char *name = g_path_get_basename (path);

  /* ".svg" alone is a hidden file without an ending. */
  if (name[0] == '.' && strchr (name + 1, '.') == NULL)
    return g_strconcat (path, ww_report_format_get_ending (*format), NULL);
  if (ww_report_format_from_path (path, format, NULL))
    return g_strdup (path);
  return g_strconcat (path, g_str_has_suffix (path, ".") ? ww_report_format_get_ending (*format) + 1
                                                         : ww_report_format_get_ending (*format), NULL);
}

void
ww_report_options_init (WwReportOptions *options, WwReportFormat format)
{
  g_return_if_fail (options != NULL);

  /* One column of a two-column journal. */
  *options = (WwReportOptions) { .format = format, .width_cm = 8.9, .height_cm = 6.5, .dpi = 300 };
  ww_plot_style_init (&options->style);
}

/* Reads a length in cm at `*text` and moves `*text` behind it and behind an optional "cm". */
static gboolean
parse_length (const char **text, double *ret_cm)
{
  char *end = NULL;
  double cm = g_ascii_strtod (*text, &end);

  if (end == *text || !(cm >= MIN_SIZE_CM && cm <= MAX_SIZE_CM))
    return FALSE;
  if (g_str_has_prefix (end, "cm"))
    end += 2;

  *text = end;
  *ret_cm = cm;
  return TRUE;
}

gboolean
ww_report_parse_size (const char *text, double *ret_width_cm, double *ret_height_cm)
{
  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (ret_width_cm != NULL && ret_height_cm != NULL, FALSE);

  const char *separator = strchr (text, 'x');
  double width = 0, height = 0;

  /* strtod also takes signs, exponents, hexadecimal numbers and names; none of them is a size. */
  if (text[strspn (text, "0123456789.cmx")] != '\0' || separator == NULL || strchr (separator + 1, 'x') != NULL)
    return FALSE;
  if (!parse_length (&text, &width) || text != separator)
    return FALSE;
  text = separator + 1;
  if (!parse_length (&text, &height) || *text != '\0')
    return FALSE;

  *ret_width_cm = width;
  *ret_height_cm = height;
  return TRUE;
}

gboolean
ww_report_format_is_figure (WwReportFormat format)
{
  return format == WW_REPORT_SVG || format == WW_REPORT_PDF || format == WW_REPORT_PNG;
}

static WwFigureFormat
get_figure_format (WwReportFormat format)
{
  if (format == WW_REPORT_PDF)
    return WW_FIGURE_FORMAT_PDF;
  if (format == WW_REPORT_PNG)
    return WW_FIGURE_FORMAT_PNG;
  return WW_FIGURE_FORMAT_SVG;
}

gboolean
ww_report_write_figure (WwReportSceneFunc get_scene, gconstpointer report, const char *path,
                        const WwReportOptions *options, const char *title, const char *description,
                        GError **error)
{
  g_autoptr (WwScene) scene = get_scene (report, options->width_cm * WW_REPORT_POINTS_PER_CM,
                                         options->height_cm * WW_REPORT_POINTS_PER_CM, &options->style);

  return ww_scene_write (scene, path, get_figure_format (options->format), options->dpi, title,
                         description, error);
}

void
ww_report_append_csv_number (GString *csv, double value)
{
  char buffer[WW_NUMBER_BUFFER_SIZE];

  if (!isnan (value))
    g_string_append (csv, ww_number_format (buffer, value));
}

void
ww_report_append_csv_text (GString *csv, const char *text)
{
  /* A leading # would make the row a comment to many readers. */
  if (text[0] != '#' && strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (csv, text);
      return;
    }

  g_string_append_c (csv, '"');
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *c);
    }
  g_string_append_c (csv, '"');
}

/* `text` on one line: a file of lines must not gain a line from what somebody typed. The backslash is
 * escaped as well, so that the original can be told from the escape. */
static void
append_one_line (GString *lines, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *c = valid; *c != '\0'; c++)
    {
      if (*c == '\n')
        g_string_append (lines, "\\n");
      else if (*c == '\\')
        g_string_append (lines, "\\\\");
      else if ((guchar) *c < 0x20 || *c == 0x7f)
        g_string_append_printf (lines, "\\x%02x", (guint) (guchar) *c);
      else
        g_string_append_c (lines, *c);
    }
}

void
ww_report_append_fact (GString *lines, const char *name, const char *value)
{
  if (value == NULL)
    return;

  g_string_append_printf (lines, "%s: ", name);
  append_one_line (lines, value);
  g_string_append_c (lines, '\n');
}
