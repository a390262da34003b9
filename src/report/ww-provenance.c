#include "ww-provenance.h"

#include "ww-number.h"
#include "ww-report-private.h"

void
ww_provenance_init (WwProvenance *provenance)
{
  g_return_if_fail (provenance != NULL);

  *provenance = (WwProvenance) {
    .normalisation = WW_NORMALISATION_PAPER,
    .seed = 1,
    .radius = 1,
    .effort = WW_EFFORT_NORMAL,
    .special = TRUE,
  };
}

void
ww_provenance_clear (WwProvenance *provenance)
{
  g_return_if_fail (provenance != NULL);

  g_clear_pointer (&provenance->set_name, g_free);
  g_clear_pointer (&provenance->set_format, g_free);
  g_clear_pointer (&provenance->set_sha256, g_free);
  g_clear_pointer (&provenance->config_sha256, g_free);
  g_clear_pointer (&provenance->words, g_free);
  g_clear_pointer (&provenance->words_sha256, g_free);
  g_clear_pointer (&provenance->text, g_free);
  g_clear_pointer (&provenance->source, g_free);
  g_clear_pointer (&provenance->source_sha256, g_free);
  g_clear_pointer (&provenance->lengths, g_free);
  g_clear_pointer (&provenance->dims, g_free);
  provenance->n_lengths = 0;
  provenance->n_dims = 0;
}

void
ww_provenance_copy (const WwProvenance *source, WwProvenance *ret_copy)
{
  g_return_if_fail (source != NULL && ret_copy != NULL);

  WwProvenance copy = *source;

  copy.set_name = g_strdup (source->set_name);
  copy.set_format = g_strdup (source->set_format);
  copy.set_sha256 = g_strdup (source->set_sha256);
  copy.config_sha256 = g_strdup (source->config_sha256);
  copy.words = g_strdup (source->words);
  copy.words_sha256 = g_strdup (source->words_sha256);
  copy.text = g_strdup (source->text);
  copy.source = g_strdup (source->source);
  copy.source_sha256 = g_strdup (source->source_sha256);
  copy.lengths = g_memdup2 (source->lengths, source->n_lengths * sizeof (gsize));
  copy.dims = g_memdup2 (source->dims, source->n_dims * sizeof (gsize));
  *ret_copy = copy;
}

/* What else was chosen when the set was opened, in the words of the command line; the default, and what has no effect,
 * goes without saying. */
static char *
format_opening (WwSet *set, gboolean without_words, WwReading reading, WwUnknown unknown, guint64 seed)
{
  GString *format = g_string_new (ww_set_get_format (set));

  if (without_words)
    g_string_append (format, ", words: none");
  if (reading != WW_READING_GUESSED)
    g_string_append_printf (format, ", read as: %s", ww_reading_get_id (reading));
  if (ww_set_get_kind (set) == WW_SET_KIND_CONTEXT)
    return g_string_free (format, FALSE);

  if (unknown == WW_UNKNOWN_RANDOM && !ww_set_spells_words (set))
    g_string_append_printf (format, ", unknown words: random:%" G_GUINT64_FORMAT, seed);
  else if (unknown == WW_UNKNOWN_SKIP)
    g_string_append_printf (format, ", unknown words: %s", ww_unknown_get_id (unknown));
  return g_string_free (format, FALSE);
}

void
ww_provenance_set_set (WwProvenance *provenance, WwSet *set, gboolean without_words, WwReading reading,
                       WwUnknown unknown, guint64 seed)
{
  g_return_if_fail (provenance != NULL && provenance->set_name == NULL);
  g_return_if_fail (WW_IS_SET (set));

  provenance->set_name = g_strdup (ww_set_get_name (set));
  provenance->set_format = format_opening (set, without_words, reading, unknown, seed);
  provenance->config_sha256 = g_strdup (ww_set_get_config_sha256 (set));
  provenance->words = g_strdup (ww_set_get_list_name (set));
}

/* A curve that was stopped, or is written before it is complete. */
static gboolean
is_partial (const WwProvenance *provenance)
{
  return provenance->n_points < provenance->n_expected;
}

static gboolean
has_map (const WwProvenance *provenance, WwMap map)
{
  for (gsize i = 0; i < provenance->n_maps; i++)
    if (provenance->maps[i] == map)
      return TRUE;

  return FALSE;
}

static void
append_sizes (GString *lines, const char *name, const gsize *sizes, gsize n)
{
  if (n == 0)
    return;

  g_string_append_printf (lines, "%s: ", name);
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (lines, "%s%" G_GSIZE_FORMAT, i == 0 ? "" : ", ", sizes[i]);
  g_string_append_c (lines, '\n');
}

static void
append_maps (GString *lines, const WwProvenance *provenance)
{
  if (provenance->n_maps == 0)
    return;

  g_string_append (lines, "maps: ");
  for (gsize i = 0; i < provenance->n_maps; i++)
    g_string_append_printf (lines, "%s%s", i == 0 ? "" : ", ", ww_map_get_id (provenance->maps[i]));
  g_string_append_c (lines, '\n');
}

static const char *
format_layer (char buffer[WW_NUMBER_BUFFER_SIZE], int layer)
{
  if (layer == WW_LAYER_WORD)
    return "word";

  g_snprintf (buffer, WW_NUMBER_BUFFER_SIZE, "%d", layer);
  return buffer;
}

/* Where the rows of the context came from. */
static void
append_origin (GString *lines, const WwProvenance *provenance)
{
  char buffer[WW_NUMBER_BUFFER_SIZE];

  ww_report_append_fact (lines, "set", provenance->set_name);
  ww_report_append_fact (lines, "set format", provenance->set_format);
  ww_report_append_fact (lines, "set sha256", provenance->set_sha256);
  ww_report_append_fact (lines, "config sha256", provenance->config_sha256);
  ww_report_append_fact (lines, "words", provenance->words);
  ww_report_append_fact (lines, "words sha256", provenance->words_sha256);
  ww_report_append_fact (lines, "source", provenance->source);
  ww_report_append_fact (lines, "source sha256", provenance->source_sha256);
  ww_report_append_fact (lines, "text", provenance->text);
  if (provenance->set_name != NULL)
    {
      ww_report_append_fact (lines, "layer", format_layer (buffer, provenance->layer));
      ww_report_append_fact (lines, "special tokens", provenance->special ? "kept" : "left out");
    }
  ww_report_append_fact (lines, "normalisation", ww_normalisation_get_id (provenance->normalisation));
}

/* A curve over all tokens has the quick bound of each, whatever was asked for (see WwSweepBound); a single
 * search of all of them has the bounds that were asked for. */
static const char *
get_bound_id (const WwProvenance *provenance)
{
  gboolean curve = provenance->trials != 0;

  if (provenance->bound == WW_SWEEP_BOUND_TIGHT && !(curve && provenance->token == WW_TOKEN_ALL))
    return "tight";

  return "quick";
}

/* What was asked of them. */
static void
append_question (GString *lines, const WwProvenance *provenance)
{
  char buffer[WW_NUMBER_BUFFER_SIZE];

  append_maps (lines, provenance);
  append_sizes (lines, "n", provenance->lengths, provenance->n_lengths);
  append_sizes (lines, "d", provenance->dims, provenance->n_dims);
  if (has_map (provenance, WW_MAP_RF) && provenance->features != 0)
    append_sizes (lines, "k", &provenance->features, 1);
  else if (has_map (provenance, WW_MAP_RF))
    ww_report_append_fact (lines, "k", "n d");
  if (has_map (provenance, WW_MAP_DRF))
    {
      append_sizes (lines, "depth", &provenance->depth, 1);
      append_sizes (lines, "width", &provenance->width, 1);
    }
  if (provenance->trials != 0)
    g_string_append_printf (lines, "trials: %u\n", provenance->trials);
  if (is_partial (provenance))
    g_string_append_printf (lines, "points: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " measured\n",
                            provenance->n_points, provenance->n_expected);
  g_string_append_printf (lines, "seed: %" G_GUINT64_FORMAT "\n", provenance->seed);
  ww_report_append_fact (lines, "radius", ww_number_format (buffer, provenance->radius));
  ww_report_append_fact (lines, "effort", ww_effort_get_id (provenance->effort));
  if (provenance->bound != WW_SWEEP_BOUND_NONE)
    ww_report_append_fact (lines, "upper bound", get_bound_id (provenance));
  if (provenance->token == WW_TOKEN_ALL)
    ww_report_append_fact (lines, "token", "all");
  else
    g_string_append_printf (lines, "token: %" G_GSIZE_FORMAT " (counted from 0)\n", provenance->token);
}

char *
ww_provenance_to_lines (const WwProvenance *provenance)
{
  g_return_val_if_fail (provenance != NULL, NULL);

  GString *lines = g_string_new ("wordsway " WW_VERSION "\n");

  append_origin (lines, provenance);
  append_question (lines, provenance);

  return g_string_free (lines, FALSE);
}

char *
ww_provenance_to_csv_comment (const WwProvenance *provenance)
{
  g_autofree char *lines = ww_provenance_to_lines (provenance);
  g_auto (GStrv) each = NULL;
  GString *comment = g_string_new (NULL);

  if (lines != NULL)
    each = g_strsplit (lines, "\n", -1);
  for (gsize i = 0; each != NULL && each[i] != NULL; i++)
    if (each[i][0] != '\0')
      g_string_append_printf (comment, "# %s\n", each[i]);

  return g_string_free (comment, FALSE);
}

static void
add_origin (WwJson *json, const WwProvenance *provenance)
{
  char buffer[WW_NUMBER_BUFFER_SIZE];

  ww_json_add_string (json, "set", provenance->set_name);
  ww_json_add_string (json, "set_format", provenance->set_format);
  ww_json_add_string (json, "set_sha256", provenance->set_sha256);
  if (provenance->config_sha256 != NULL)
    ww_json_add_string (json, "config_sha256", provenance->config_sha256);
  if (provenance->words != NULL)
    {
      ww_json_add_string (json, "words", provenance->words);
      ww_json_add_string (json, "words_sha256", provenance->words_sha256);
    }
  ww_json_add_string (json, "source", provenance->source);
  ww_json_add_string (json, "source_sha256", provenance->source_sha256);
  ww_json_add_string (json, "text", provenance->text);
  if (provenance->set_name != NULL)
    {
      ww_json_add_string (json, "layer", format_layer (buffer, provenance->layer));
      ww_json_add_boolean (json, "special", provenance->special);
    }
  else
    {
      ww_json_add_null (json, "layer");
      ww_json_add_null (json, "special");
    }
  ww_json_add_string (json, "normalisation", ww_normalisation_get_id (provenance->normalisation));
}

static void
add_question (WwJson *json, const WwProvenance *provenance)
{
  ww_json_begin_array (json, "maps");
  for (gsize i = 0; i < provenance->n_maps; i++)
    ww_json_add_string (json, NULL, ww_map_get_id (provenance->maps[i]));
  ww_json_end_array (json);

  ww_json_add_integers (json, "n", provenance->lengths, provenance->n_lengths);
  ww_json_add_integers (json, "d", provenance->dims, provenance->n_dims);
  if (!has_map (provenance, WW_MAP_RF))
    ww_json_add_null (json, "k");
  else if (provenance->features != 0)
    ww_json_add_integer (json, "k", provenance->features);
  else
    ww_json_add_string (json, "k", "nd");
  if (has_map (provenance, WW_MAP_DRF))
    {
      ww_json_add_integer (json, "depth", provenance->depth);
      ww_json_add_integer (json, "width", provenance->width);
    }
  if (provenance->trials != 0)
    ww_json_add_integer (json, "trials", provenance->trials);
  else
    ww_json_add_null (json, "trials");
  if (is_partial (provenance))
    {
      ww_json_add_integer (json, "points", provenance->n_points);
      ww_json_add_integer (json, "points_expected", provenance->n_expected);
    }
  ww_json_add_integer (json, "seed", provenance->seed);
  ww_json_add_number (json, "radius", provenance->radius);
  ww_json_add_string (json, "effort", ww_effort_get_id (provenance->effort));
  if (provenance->bound != WW_SWEEP_BOUND_NONE)
    ww_json_add_string (json, "bound", get_bound_id (provenance));
  if (provenance->token == WW_TOKEN_ALL)
    ww_json_add_string (json, "token", "all");
  else
    ww_json_add_integer (json, "token", provenance->token);
}

void
ww_provenance_add_to_json (const WwProvenance *provenance, WwJson *json, const char *name)
{
  g_return_if_fail (provenance != NULL && json != NULL);

  ww_json_begin_object (json, name);
  ww_json_add_string (json, "version", WW_VERSION);
  add_origin (json, provenance);
  add_question (json, provenance);
  ww_json_end_object (json);
}

char *
ww_provenance_to_json (const WwProvenance *provenance)
{
  g_autoptr (WwJson) json = ww_json_new ();
  char *line = NULL;

  g_return_val_if_fail (provenance != NULL, NULL);

  ww_provenance_add_to_json (provenance, json, NULL);
  line = ww_json_to_line (json);

  return g_strchomp (line);
}
