/* Text tables made by hand: what is accepted, and what is refused at which line and column. */
#include <locale.h>

#include "test-util.h"

typedef struct
{
  const char *content;
  int code;         /* -1: opens */
  const char *says; /* in the error or in the warnings; "": no warnings */
  gsize rows, dims;
  double last;      /* the last number of the last row */
} Case;

#define OPENS -1
#define E(name) WW_SET_ERROR_##name

static const Case cases[] = {
  { "a 1 2\nb 3 4\n", OPENS, "", 2, 2, 4 },
  { "a 1 2\nb 3 4", OPENS, "", 2, 2, 4 },
  { "a 1 2\r\nb 3 4\r\n", OPENS, "", 2, 2, 4 },
  { "\xef\xbb\xbf" "a 1 2\nb 3 4\n", OPENS, "", 2, 2, 4 },
  { "a 1 2 \nb 3 4 \n", OPENS, "", 2, 2, 4 },
  { "a  1   2\nb 3 4\n", OPENS, "", 2, 2, 4 },
  { "a\t1 2\nb\t3 4\n", OPENS, "", 2, 2, 4 },
  { "a\t1\t2\nb b\t3\t4\n", OPENS, "", 2, 2, 4 },
  { "a b 1 2\nc 3 4\nd e f 5 6\n", OPENS, "", 3, 2, 6 },
  { "a 1 2\n\n\nb 3 4\n\n", OPENS, "", 2, 2, 4 },
  { "a -1.5e-3 +2\nb .5 5.\n", OPENS, "", 2, 2, 5 },
  /* Headers, and numbers that are words. */
  { "2 2\na 1 2\nb 3 4\n", OPENS, "", 2, 2, 4 },
  { "2 1\na 1\nb 3\n", OPENS, "", 2, 1, 3 },
  { "1 2\na 1 2", OPENS, "", 1, 2, 2 },
  { "3 5\n4 6\n5 7\n", E (AMBIGUOUS), "--read-as glove or --read-as tensors" },
  { "3 5.5 1\n4 6.5 1\n5 7 1\n", OPENS, "All words are whole numbers", 3, 2, 1 },
  { "a 5\nb 6\n", E (UNKNOWN), "line 1 is \"a 5\", with one number at its end" },
  { "1 2 3\n4 5 6\na 7 8\n", OPENS, "", 3, 2, 8 },
  { "7 5\n", E (TRUNCATED), "no line follows", },
  { "2 3\na 1 2\nb 3 4\n", E (SHAPE), "line 1 says 3 numbers a line, line 2 has 2" },
  { "2 1\na 1 2\nb 3 4\n", E (SHAPE), "line 1 says 1 numbers a line, line 2 has 2" },
  { "3 2\na 1 2\nb 3 4\n", OPENS, "announces 3 words, the file has 2", 2, 2, 4 },
  { "1 2\na 1 2\nb 3 4\n", OPENS, "announces 1 word, the file has 2; all of them", 2, 2, 4 },
  /* Repeated and nameless words. */
  { "a 1 2\nb 3 4\na 5 6\na 7 8\n", OPENS, "2 duplicate words (\"a\" on line 3)", 2, 2, 4 },
  { "a 1 2\n 3 4\nb 5 6\n", OPENS, "1 line has numbers but no word (line 2)", 2, 2, 6 },
  { "\xff 1 2\n\xfe\xff 3 4\nb 5 6\n", OPENS, "2 words are not in UTF-8 (line 1)", 3, 2, 6 },
  /* Ends that are missing. */
  { "a 1 2\nb 3", OPENS, "Line 2 is cut off", 1, 2, 2 },
  { "a 1 2\nb", OPENS, "Line 2 is cut off", 1, 2, 2 },
  { "a 1 2\nb 3 -", OPENS, "Line 2 is cut off", 1, 2, 2 },
  { "2 2\na 1 2\nb 3 -", OPENS, "Line 3 is cut off", 1, 2, 2 },
  /* Damage. */
  { "a 1 2\nb 3\nc 5 6\n", E (SHAPE), "line 2: 2 fields; a word and 2 numbers" },
  { "a 1 2\nb 3\n", E (SHAPE), "line 2: 2 fields" },
  { "a 1 2\nb 1 2\nb 3.5 4 5\n", E (SHAPE), "line 3: more than 2 numbers" },
  { "a 1 2\nb x 4\nc 5 6\n", E (NUMBER), "line 2, column 3: \"x\" is no number" },
  { "a 1 2\nb 3 4x\nc 5 6\n", E (NUMBER), "line 2, column 5: \"4x\"" },
  { "a 1 2\n\u00e9\u00e9 3 4x\nc 5 6\n", E (NUMBER), "line 2, column 6: \"4x\"" },
  { "a 1 2\nb nan 4\nc 5 6\n", E (NON_FINITE), "line 2, column 3: \"nan\"" },
  { "a 1 2\nb 3 -inf\nc 5 6\n", E (NON_FINITE), "line 2, column 5: \"-inf\"" },
  { "a 1 2\nb 3 1e39\nc 5 6\n", E (NON_FINITE), "line 2, column 5: \"1e39\"" },
  { "a 1 2\nb 3,5 4\nc 5 6\n", E (NUMBER), "line 2, column 3: \"3,5\" is no number; with a decimal" },
  { "a 1,5 2,5\nb 3,5 4,5\n", E (NUMBER), "line 1, column 3: \"1,5\" has a decimal comma" },
  /* No table at all. */
  { "\n\n\n", E (EMPTY), "empty lines" },
  { "word\n", E (UNKNOWN), "Line 1 is \"word\"" },
  { "It was a dark and stormy night.\nThe rain fell in torrents.\n", E (UNKNOWN), "Line 1 is" },
  { "{\"a\": 1}\n", E (UNKNOWN), "Line 1 is" },
  { "0.5 1 2\n0.5 1 2\n0.25 3 4 5\n", E (SHAPE), "line 3: not the 3 numbers, and nothing else" },
  { "0.5 1 2\n0.25 1\n0.5 1 2\n", E (SHAPE), "line 2: 2 fields; 3 numbers were expected" },
  { "0.5 1 2\n0.25 x 4\n0.5 1 2\n", E (NUMBER), "line 2, column 6: \"x\"" },
  { "\1\2\3\4", E (UNKNOWN), "binary" },
};

static char *path;

static WwSet *
open_content (const char *content, gsize length, GError **error)
{
  test_write_file (path, content, length);
  return ww_set_open_argument (path, NULL, error);
}

static void
check_last (WwSet *set, const Case *expected)
{
  guint32 id = (guint32) expected->rows - 1;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokens_from_ids (set, &id, 1, &error);
  g_autoptr (WwMatrix) row = NULL;

  g_assert_no_error (error);
  row = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (row->data[expected->dims - 1], ==, expected->last);
}

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = open_content (expected->content, strlen (expected->content), &error);
  const char *warnings;

  if (expected->code != OPENS)
    {
      g_assert_null (set);
      g_assert_error (error, WW_SET_ERROR, expected->code);
      test_assert_says (error, expected->content, expected->says);
      return;
    }

  g_assert_no_error (error);
  g_assert_cmpint (ww_set_get_kind (set), ==, WW_SET_KIND_WORDS);
  g_assert_cmpuint (ww_set_get_n_entries (set), ==, expected->rows);
  g_assert_cmpuint (ww_set_get_dims (set), ==, expected->dims);
  check_last (set, expected);
  warnings = ww_set_get_warnings (set);
  if (*expected->says == '\0')
    g_assert_cmpstr (warnings, ==, NULL);
  else if (warnings == NULL || strstr (warnings, expected->says) == NULL)
    g_error ("\"%s\" is missing in the warnings: %s", expected->says, warnings);
}

static void
test_nul (void)
{
  static const char content[] = "a 1 2\nb\0c 3 4\n";
  g_autoptr (GError) error = NULL;

  g_assert_null (open_content (content, sizeof content - 1, &error));
  g_assert_true (error->domain == WW_SET_ERROR);
}

/* NUL behind the part that decides the layout. */
static void
test_late_nul (void)
{
  g_autoptr (GString) content = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 100000; i++)
    g_string_append_printf (content, "word%d 1 2\n", i);
  g_string_append_len (content, "b\0c 3 4\n", 8);
  g_assert_null (open_content (content->str, content->len, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MALFORMED);
  test_assert_says (error, "late NUL", "line 100001, column 2");
}

/* Larger than the buffer, so that lines cross its borders; progress goes from 0 to 1. */
static void
note_progress (double fraction, gpointer data)
{
  double *last = data;

  g_assert_cmpfloat (fraction, >=, *last);
  g_assert_cmpfloat (fraction, <=, 1);
  *last = fraction;
}

static void
test_large (void)
{
  g_autoptr (GString) content = g_string_new ("60000 16\n");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;
  double last = 0;

  for (int i = 0; i < 60000; i++)
    {
      g_string_append_printf (content, "w%d", i);
      for (int c = 0; c < 16; c++)
        g_string_append_printf (content, " %d.%06d", i % 7 - 3, (i * 31 + c * 7919) % 1000000);
      g_string_append_c (content, '\n');
    }
  test_write_file (path, content->str, content->len);
  set = ww_set_open (file, NULL, note_progress, &last, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (last, ==, 1);
  g_assert_null (ww_set_get_warnings (set));
  g_assert_cmpuint (ww_set_get_n_entries (set), ==, 60000);

  for (guint32 id = 0; id < 60000; id += 977)
    {
      g_autoptr (WwTokens) tokens = ww_set_tokens_from_ids (set, &id, 1, &error);
      g_autoptr (WwMatrix) row = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
      g_autofree char *name = g_strdup_printf ("w%u", id);

      g_assert_cmpstr (tokens->tokens[0].text, ==, name);
      for (int c = 0; c < 16; c++)
        {
          g_autofree char *text = g_strdup_printf ("%d.%06d", (int) id % 7 - 3,
                                                   ((int) id * 31 + c * 7919) % 1000000);

          g_assert_cmpfloat (row->data[c], ==, (double) (float) g_ascii_strtod (text, NULL));
        }
    }
}

/* One line longer than any that is accepted. */
static void
test_endless_line (void)
{
  g_autofree char *content = g_strnfill (20 * 1024 * 1024, 'x');
  g_autoptr (GError) error = NULL;

  g_assert_null (open_content (content, strlen (content), &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_TOO_LARGE);
  test_assert_says (error, "endless line", "line 1");
}

/* A locale with a decimal comma changes nothing. */
static void
test_locale (void)
{
  const Case expected = { "a 1.5 2\nb 3 4.25\n", OPENS, "", 2, 2, 4.25 };

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("the locale de_DE.UTF-8 is not on this computer");
      return;
    }

  test_case (&expected);
  setlocale (LC_NUMERIC, "C");
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-text-XXXXXX", NULL);
  int status;

  path = g_build_filename (folder, "table.txt", NULL);
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/text/case-%02" G_GSIZE_FORMAT, i + 1);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  g_test_add_func ("/text/nul", test_nul);
  g_test_add_func ("/text/late-nul", test_late_nul);
  g_test_add_func ("/text/large", test_large);
  g_test_add_func ("/text/endless-line", test_endless_line);
  g_test_add_func ("/text/locale", test_locale);
  status = g_test_run ();

  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  return status;
}
