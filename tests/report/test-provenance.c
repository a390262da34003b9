#include <jansson.h>

#include "test-locale.h"
#include "ww-provenance.h"

/* A provenance with every fact there is. */
static void
fill (WwProvenance *provenance)
{
  static const gsize lengths[] = { 10, 50 };
  static const gsize dims[] = { 192, 384 };

  ww_provenance_init (provenance);
  provenance->set_name = g_strdup ("Sample");
  provenance->set_format = g_strdup ("BERT checkpoint");
  provenance->set_sha256 = g_strdup ("00ff");
  provenance->config_sha256 = g_strdup ("0c0f");
  provenance->words = g_strdup ("vocab.txt");
  provenance->words_sha256 = g_strdup ("00aa");
  provenance->text = g_strdup ("One line\nand another \\ with a tab\t.");
  provenance->maps[0] = WW_MAP_RF;
  provenance->maps[1] = WW_MAP_SOFTMAX_RAF;
  provenance->n_maps = 2;
  provenance->lengths = g_memdup2 (lengths, sizeof lengths);
  provenance->n_lengths = 2;
  provenance->dims = g_memdup2 (dims, sizeof dims);
  provenance->n_dims = 2;
  provenance->features = 4096;
  provenance->trials = 5;
  provenance->seed = G_MAXUINT64;
  provenance->radius = 0.5;
  provenance->effort = WW_EFFORT_THOROUGH;
  provenance->token = WW_TOKEN_ALL;
}

static const char full_lines[]
  = "wordsway " WW_VERSION "\n"
    "set: Sample\n"
    "set format: BERT checkpoint\n"
    "set sha256: 00ff\n"
    "config sha256: 0c0f\n"
    "words: vocab.txt\n"
    "words sha256: 00aa\n"
    "text: One line\\nand another \\\\ with a tab\\x09.\n"
    "layer: 0\n"
    "special tokens: kept\n"
    "normalisation: paper\n"
    "maps: rf, raf\n"
    "n: 10, 50\n"
    "d: 192, 384\n"
    "k: 4096\n"
    "trials: 5\n"
    "seed: 18446744073709551615\n"
    "radius: 0.5\n"
    "effort: thorough\n"
    "token: all\n";

static void
test_lines (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree char *lines = NULL;

  fill (&provenance);
  lines = ww_provenance_to_lines (&provenance);
  g_assert_cmpstr (lines, ==, full_lines);
}

/* What does not apply is not there, and what has a default has it. */
static void
test_least (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree char *lines = NULL;

  ww_provenance_init (&provenance);
  provenance.source = g_strdup ("synthetic");
  provenance.maps[0] = WW_MAP_RF;
  provenance.n_maps = 1;
  provenance.token = 3;
  lines = ww_provenance_to_lines (&provenance);

  g_assert_cmpstr (lines, ==,
                   "wordsway " WW_VERSION "\n"
                   "source: synthetic\n"
                   "normalisation: paper\n"
                   "maps: rf\n"
                   "k: n d\n"
                   "seed: 1\n"
                   "radius: 1\n"
                   "effort: normal\n"
                   "token: 3 (counted from 0)\n");
}

static void
test_k_only_with_rf (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree char *lines = NULL;

  ww_provenance_init (&provenance);
  provenance.maps[0] = WW_MAP_SOFTMAX_RAF;
  provenance.n_maps = 1;
  provenance.features = 4096;
  lines = ww_provenance_to_lines (&provenance);

  g_assert_null (strstr (lines, "\nk:"));
}

/* Only a curve of which points lack says how many there are. */
static void
test_points (void)
{
  static const gsize rows[][2] = { { 0, 0 }, { 120, 120 }, { 76, 120 }, { 0, 5 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (WwProvenance) provenance = { 0 };
      g_autofree char *lines = NULL, *json = NULL, *wanted = NULL;
      gboolean partial = rows[i][0] < rows[i][1];

      ww_provenance_init (&provenance);
      provenance.n_points = rows[i][0];
      provenance.n_expected = rows[i][1];
      lines = ww_provenance_to_lines (&provenance);
      json = ww_provenance_to_json (&provenance);
      wanted = g_strdup_printf ("\npoints: %zu of %zu measured\n", rows[i][0], rows[i][1]);
      g_assert_cmpint (strstr (lines, wanted) != NULL, ==, partial);
      g_assert_cmpint (strstr (json, "points") != NULL, ==, partial);
    }
}

/* Of all tokens a curve has quick bounds only, and one search those that were asked for. */
static void
test_bounds (void)
{
  static const struct
  {
    WwSweepBound bound;
    gsize token;
    guint trials;
    const char *id; /* "": not said */
  } rows[] = {
    { WW_SWEEP_BOUND_NONE, 0, 5, "" },        { WW_SWEEP_BOUND_QUICK, 0, 5, "quick" },
    { WW_SWEEP_BOUND_TIGHT, 0, 5, "tight" },  { WW_SWEEP_BOUND_TIGHT, WW_TOKEN_ALL, 5, "quick" },
    { WW_SWEEP_BOUND_TIGHT, 2, 0, "tight" },  { WW_SWEEP_BOUND_TIGHT, WW_TOKEN_ALL, 0, "tight" },
    { WW_SWEEP_BOUND_QUICK, WW_TOKEN_ALL, 0, "quick" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (WwProvenance) provenance = { 0 };
      g_autofree char *lines = NULL, *json = NULL;
      g_autofree char *line = g_strdup_printf ("\nupper bound: %s\n", rows[i].id);
      g_autofree char *member = g_strdup_printf ("\"bound\": \"%s\"", rows[i].id);
      gboolean said = rows[i].id[0] != '\0';

      ww_provenance_init (&provenance);
      provenance.bound = rows[i].bound;
      provenance.token = rows[i].token;
      provenance.trials = rows[i].trials;
      lines = ww_provenance_to_lines (&provenance);
      json = ww_provenance_to_json (&provenance);
      g_assert_cmpint (strstr (lines, said ? line : "bound") != NULL, ==, said);
      g_assert_cmpint (strstr (json, said ? member : "bound") != NULL, ==, said);
    }
}

static void
test_layers (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree char *lines = NULL;

  fill (&provenance);
  provenance.layer = WW_LAYER_WORD;
  provenance.special = FALSE;
  lines = ww_provenance_to_lines (&provenance);

  g_assert_nonnull (strstr (lines, "\nlayer: word\nspecial tokens: left out\n"));
}

static void
test_csv_comment (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree char *comment = NULL;
  g_autofree char *uncommented = NULL;
  g_auto (GStrv) lines = NULL;
  GString *text = g_string_new (NULL);

  fill (&provenance);
  comment = ww_provenance_to_csv_comment (&provenance);
  lines = g_strsplit (comment, "\n", -1);
  for (gsize i = 0; lines[i + 1] != NULL; i++)
    {
      g_assert_true (g_str_has_prefix (lines[i], "# "));
      g_string_append_printf (text, "%s\n", lines[i] + 2);
    }
  uncommented = g_string_free (text, FALSE);

  g_assert_cmpstr (uncommented, ==, full_lines);
}

static void
test_json (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree char *line = NULL;
  json_t *read = NULL;

  fill (&provenance);
  provenance.seed = 7;
  line = ww_provenance_to_json (&provenance);
  g_assert_null (strchr (line, '\n'));

  read = json_loads (line, JSON_REJECT_DUPLICATES, NULL);
  g_assert_nonnull (read);
  g_assert_cmpstr (json_string_value (json_object_get (read, "version")), ==, WW_VERSION);
  g_assert_cmpstr (json_string_value (json_object_get (read, "text")), ==, provenance.text);
  g_assert_cmpstr (json_string_value (json_object_get (read, "set_sha256")), ==, "00ff");
  g_assert_cmpstr (json_string_value (json_object_get (read, "config_sha256")), ==, "0c0f");
  g_assert_true (json_is_null (json_object_get (read, "source")));
  g_assert_cmpint (json_array_size (json_object_get (read, "maps")), ==, 2);
  g_assert_cmpint (json_integer_value (json_array_get (json_object_get (read, "d"), 1)), ==, 384);
  g_assert_cmpint (json_integer_value (json_object_get (read, "k")), ==, 4096);
  g_assert_cmpint (json_integer_value (json_object_get (read, "seed")), ==, 7);
  g_assert_cmpfloat (json_real_value (json_object_get (read, "radius")), ==, 0.5);
  g_assert_cmpstr (json_string_value (json_object_get (read, "token")), ==, "all");
  json_decref (read);
}

static void
test_copy (void)
{
  g_auto (WwProvenance) original = { 0 };
  g_auto (WwProvenance) copy = { 0 };
  g_autofree char *lines = NULL;

  fill (&original);
  ww_provenance_copy (&original, &copy);
  g_assert_true (copy.text != original.text);
  g_assert_true (copy.lengths != original.lengths);
  ww_provenance_clear (&original);
  lines = ww_provenance_to_lines (&copy);

  g_assert_cmpstr (lines, ==, full_lines);
}

static void
test_comma_locale (void)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree char *lines = NULL;

  if (!test_locale_use_comma ())
    return;

  fill (&provenance);
  lines = ww_provenance_to_lines (&provenance);
  setlocale (LC_ALL, "C");

  g_assert_cmpstr (lines, ==, full_lines);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/provenance/lines", test_lines);
  g_test_add_func ("/provenance/least", test_least);
  g_test_add_func ("/provenance/k-only-with-rf", test_k_only_with_rf);
  g_test_add_func ("/provenance/points", test_points);
  g_test_add_func ("/provenance/bounds", test_bounds);
  g_test_add_func ("/provenance/layers", test_layers);
  g_test_add_func ("/provenance/csv-comment", test_csv_comment);
  g_test_add_func ("/provenance/json", test_json);
  g_test_add_func ("/provenance/copy", test_copy);
  g_test_add_func ("/provenance/comma-locale", test_comma_locale);

  return g_test_run ();
}
