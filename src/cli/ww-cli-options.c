#include "ww-cli-options.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "ww-cli-output.h"
#include "ww-cli.h"

#define MAX_RADIUS 100
#define MAX_LENGTHS 1000
#define MAX_HEAD 1000

static gboolean
fail (GError **error, const char *option, const char *expected, const char *found)
{
  g_autofree char *valid = g_utf8_make_valid (found, -1);

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "%s takes %s; found “%s”", option, expected, valid);
  return FALSE;
}

/* Decimal digits and nothing else: strtoull would also take signs, spaces and other bases. */
static gboolean
parse_unsigned (const char *text, guint64 *ret_value)
{
  guint64 value = 0;

  if (*text == '\0' || text[strspn (text, "0123456789")] != '\0')
    return FALSE;

  for (const char *c = text; *c != '\0'; c++)
    if (!g_uint64_checked_mul (&value, value, 10) || !g_uint64_checked_add (&value, value, (guint64) (*c - '0')))
      return FALSE;

  *ret_value = value;
  return TRUE;
}

gboolean
ww_cli_parse_size (const char *option, const char *text, gsize min, gsize max, gsize *ret_value, GError **error)
{
  guint64 value = 0;

  if (text == NULL)
    return TRUE;

  if (!parse_unsigned (text, &value) || value < min || value > max)
    {
      g_autofree char *expected
        = g_strdup_printf ("a whole number from %" G_GSIZE_FORMAT " to %" G_GSIZE_FORMAT, min, max);

      return fail (error, option, expected, text);
    }

  *ret_value = (gsize) value;
  return TRUE;
}

gboolean
ww_cli_parse_count (const char *option, const char *text, guint min, guint max, guint *ret_value, GError **error)
{
  gsize value = *ret_value;

  if (!ww_cli_parse_size (option, text, min, max, &value, error))
    return FALSE;

  *ret_value = (guint) value;
  return TRUE;
}

gboolean
ww_cli_parse_real (const char *option, const char *text, double min, double max, double *ret_value, GError **error)
{
  char *end = NULL;
  double value = 0;

  if (text == NULL)
    return TRUE;

  value = g_ascii_strtod (text, &end);
  /* Plain decimal numbers: strtod also knows hexadecimal ones, spaces, "inf" and "nan". */
  if (end == text || *end != '\0' || text[strspn (text, "+-.0123456789eE")] != '\0' || !(value >= min && value <= max))
    {
      g_autofree char *expected = g_strdup_printf ("a number from %g to %g", min, max);

      return fail (error, option, expected, text);
    }

  *ret_value = value;
  return TRUE;
}

gboolean
ww_cli_parse_seed (const char *text, guint64 *ret_seed, GError **error)
{
  if (text == NULL || parse_unsigned (text, ret_seed))
    return TRUE;

  return fail (error, "--seed", "a whole number from 0 to 18446744073709551615", text);
}

gboolean
ww_cli_parse_radius (const char *text, double *ret_radius, GError **error)
{
  double radius = *ret_radius;

  if (!ww_cli_parse_real ("--radius", text, 0, MAX_RADIUS, &radius, NULL) || radius <= 0)
    return fail (error, "--radius", "a number above 0, at most 100", text);

  *ret_radius = radius;
  return TRUE;
}

gboolean
ww_cli_parse_token (const char *text, gsize *ret_token, GError **error)
{
  guint64 token = 0;

  if (text == NULL)
    return TRUE;
  if (g_str_equal (text, "all"))
    {
      *ret_token = WW_TOKEN_ALL;
      return TRUE;
    }
  if (!parse_unsigned (text, &token) || token >= WW_MAX_ROWS)
    return fail (error, "--token", "the position of a token, counted from 0, or “all”", text);

  *ret_token = (gsize) token;
  return TRUE;
}

gboolean
ww_cli_parse_head (const char *text, int *ret_head, GError **error)
{
  guint64 head = 0;

  if (text == NULL)
    return TRUE;
  if (g_str_equal (text, "all") || g_str_equal (text, "mean"))
    {
      *ret_head = *text == 'a' ? WW_HEAD_ALL : WW_HEAD_MEAN;
      return TRUE;
    }
  if (!parse_unsigned (text, &head) || head > MAX_HEAD)
    return fail (error, "--head", "a head, counted from 0, mean or all", text);

  *ret_head = (int) head;
  return TRUE;
}

gboolean
ww_cli_parse_features (const char *text, gsize *ret_features, GError **error)
{
  guint64 features = 0;

  if (text == NULL)
    return TRUE;
  if (g_str_equal (text, "nd"))
    {
      *ret_features = WW_CLI_FEATURES_ND;
      return TRUE;
    }
  if (!parse_unsigned (text, &features) || features < 1 || features > WW_MAX_FEATURES)
    return fail (error, "--features", "a whole number from 1 to 16777216, or “nd”", text);

  *ret_features = (gsize) features;
  return TRUE;
}

gboolean
ww_cli_parse_network (const char *depth_text, const char *width_text, gsize *ret_depth, gsize *ret_width,
                      GError **error)
{
  return ww_cli_parse_size ("--depth", depth_text, 1, WW_MAX_DEPTH, ret_depth, error)
         && ww_cli_parse_size ("--width", width_text, 1, WW_MAX_WIDTH, ret_width, error);
}

gboolean
ww_cli_parse_effort (const char *text, WwEffort *ret_effort, GError **error)
{
  if (text == NULL || ww_effort_from_id (text, ret_effort))
    return TRUE;

  return fail (error, "--effort", "quick, normal or thorough", text);
}

gboolean
ww_cli_parse_bound (const char *text, WwSweepBound *ret_bound, GError **error)
{
  static const char *const names[] = { "none", "quick", "tight" };

  if (text == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (text, names[i]))
      {
        *ret_bound = (WwSweepBound) i;
        return TRUE;
      }

  return fail (error, "--bound", "none, quick or tight", text);
}

gboolean
ww_cli_parse_laws (const char *text, guint *ret_laws, GError **error)
{
  g_auto (GStrv) names = NULL;
  guint laws = 0;

  if (text == NULL)
    return TRUE;

  names = g_strsplit (text, ",", -1);
  for (guint i = 0; names[i] != NULL; i++)
    {
      WwLaw law;

      if (g_str_equal (names[i], "all"))
        laws |= WW_ALL_LAW_BITS;
      else if (ww_law_from_id (names[i], &law))
        laws |= WW_LAW_BIT (law);
      else if (!g_str_equal (names[i], "none") || names[1] != NULL)
        return fail (error, "--theory", "all, none, or some of infinite, edge, finite, weights", text);
    }
  if (names[0] == NULL)
    return fail (error, "--theory", "all, none, or some of infinite, edge, finite, weights", text);

  *ret_laws = laws;
  return TRUE;
}

gboolean
ww_cli_parse_normalisation (const char *text, WwNormalisation *ret_normalisation, GError **error)
{
  if (text == NULL || ww_normalisation_from_id (text, ret_normalisation))
    return TRUE;

  return fail (error, "--normalise", "paper, none or centre", text);
}

static gboolean
parse_one_map (const char *option, const char *text, WwMap *ret_map, GError **error)
{
  if (ww_map_from_id (text, ret_map))
    return TRUE;

  return fail (error, option, "rf, relu-raf, raf or drf", text);
}

gboolean
ww_cli_parse_map (const char *text, WwMap *ret_map, GError **error)
{
  return ww_cli_require ("--map", text, error) && parse_one_map ("--map", text, ret_map, error);
}

gboolean
ww_cli_parse_attention_map (const char *text, WwMap *ret_map, GError **error)
{
  WwMap map = WW_MAP_SOFTMAX_RAF;

  if (!ww_cli_require ("--map", text, error))
    return FALSE;
  if (!ww_map_from_id (text, &map) || (map != WW_MAP_SOFTMAX_RAF && map != WW_MAP_RELU_RAF))
    return fail (error, "--map", "raf or relu-raf here (rf and drf have no attention)", text);

  *ret_map = map;
  return TRUE;
}

gboolean
ww_cli_parse_maps (const char *text, WwMap ret_maps[WW_N_MAPS], gsize *ret_n_maps, GError **error)
{
  g_auto (GStrv) words = NULL;
  gboolean wanted[WW_N_MAPS] = { FALSE };
  gsize n = 0;

  if (text == NULL)
    return TRUE;

  words = g_strsplit (text, ",", -1);
  for (gsize i = 0; words[i] != NULL || i == 0; i++)
    {
      WwMap map = WW_MAP_RF;

      if (!parse_one_map ("--maps", words[i] != NULL ? words[i] : "", &map, error))
        return FALSE;
      wanted[map] = TRUE;
    }

  /* One order whatever the order asked for, so that the same question gives the same bytes. */
  for (guint map = 0; map < WW_N_MAPS; map++)
    if (wanted[map])
      ret_maps[n++] = (WwMap) map;
  *ret_n_maps = n;
  return TRUE;
}

static int
compare_sizes (gconstpointer first, gconstpointer second)
{
  gsize a = *(const gsize *) first;
  gsize b = *(const gsize *) second;

  return (a > b) - (a < b);
}

gboolean
ww_cli_parse_sizes (const char *option, const char *text, gsize max, GArray **ret_sizes, GError **error)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_auto (GStrv) words = NULL;
  guint kept = 0;

  if (text == NULL)
    return TRUE;

  words = g_strsplit (text, ",", MAX_LENGTHS + 1);
  for (gsize i = 0; words[i] != NULL || i == 0; i++)
    {
      gsize size = 0;

      if (!ww_cli_parse_size (option, words[i] != NULL ? words[i] : "", 1, max, &size, error))
        return FALSE;
      g_array_append_val (sizes, size);
    }

  g_array_sort (sizes, compare_sizes);
  for (guint i = 0; i < sizes->len; i++)
    if (i == 0 || g_array_index (sizes, gsize, i) != g_array_index (sizes, gsize, kept - 1))
      g_array_index (sizes, gsize, kept++) = g_array_index (sizes, gsize, i);
  g_array_set_size (sizes, kept);

  *ret_sizes = g_steal_pointer (&sizes);
  return TRUE;
}

gboolean
ww_cli_parse_lengths (const char *text, GArray **ret_lengths, GError **error)
{
  static const char expected[] = "lengths as 10,20,50 or as FIRST:LAST:COUNT (up to 65536, COUNT up to 1000)";
  g_auto (GStrv) words = NULL;
  guint64 range[3] = { 0 };

  if (text == NULL)
    return TRUE;
  if (strchr (text, ':') == NULL)
    return ww_cli_parse_sizes ("--n", text, WW_MAX_ROWS, ret_lengths, NULL) || fail (error, "--n", expected, text);

  words = g_strsplit (text, ":", -1);
  if (g_strv_length (words) != 3)
    return fail (error, "--n", expected, text);
  for (guint i = 0; i < 3; i++)
    if (!parse_unsigned (words[i], &range[i]))
      return fail (error, "--n", expected, text);
  if (range[0] < 1 || range[1] < range[0] || range[1] > WW_MAX_ROWS || range[2] < 1 || range[2] > MAX_LENGTHS)
    return fail (error, "--n", expected, text);

  *ret_lengths = ww_curve_spaced_lengths ((gsize) range[0], (gsize) range[1], (gsize) range[2]);
  return TRUE;
}

gboolean
ww_cli_parse_ids (const char *text, GArray **ret_ids, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_auto (GStrv) words = NULL;

  if (text == NULL)
    return TRUE;

  words = g_strsplit (text, ",", -1);
  for (gsize i = 0; words[i] != NULL || i == 0; i++)
    {
      guint64 value = 0;
      guint32 id = 0;

      if (words[i] == NULL || !parse_unsigned (g_strstrip (words[i]), &value) || value > G_MAXUINT32)
        return fail (error, "--ids", "token ids as 101,1045,2293", words[i] != NULL ? words[i] : "");
      id = (guint32) value;
      g_array_append_val (ids, id);
    }

  *ret_ids = g_steal_pointer (&ids);
  return TRUE;
}

gboolean
ww_cli_require (const char *option, const char *value, GError **error)
{
  if (value != NULL)
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "%s is missing", option);
  return FALSE;
}

gboolean
ww_cli_check_provenance (gboolean provenance, gboolean json, GError **error)
{
  if (!provenance || json)
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--provenance is for --json");
  return FALSE;
}

gboolean
ww_cli_exclude (const char *first, gboolean has_first, const char *second, gboolean has_second, GError **error)
{
  if (!has_first || !has_second)
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "%s and %s contradict each other", first, second);
  return FALSE;
}

gboolean
ww_cli_check_output (const char *option, const char *path, GError **error)
{
  g_autofree char *folder = NULL;
  const char *target = path;

  if (path == NULL)
    return TRUE;
  if (*path == '\0')
    return fail (error, option, "the name of a file", path);
  if (ww_cli_is_standard_output (path))
    return TRUE;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "“%s” cannot be written: it is a folder", path);
      return FALSE;
    }

  /* A file is replaced by renaming, so its folder has to be writable; a device is written as it is. */
  if (!g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (path, G_FILE_TEST_IS_REGULAR))
    target = folder = g_path_get_dirname (path);
  if (access (target, W_OK) == 0)
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "“%s” cannot be written: %s", path, g_strerror (errno));
  return FALSE;
}
