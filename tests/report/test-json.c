#include <jansson.h>
#include <math.h>

#include "ww-json.h"

static void
test_order_and_form (void)
{
  g_autoptr (WwJson) json = ww_json_new ();
  g_autofree char *line = NULL;
  const double numbers[] = { 0.1, NAN, INFINITY, -3 };
  const gsize sizes[] = { 10, 250 };

  ww_json_begin_object (json, NULL);
  ww_json_add_string (json, "z", "first");
  ww_json_add_integer (json, "a", G_MAXUINT64);
  ww_json_add_boolean (json, "yes", TRUE);
  ww_json_add_null (json, "nothing");
  ww_json_add_string (json, "none", NULL);
  ww_json_add_numbers (json, "numbers", numbers, G_N_ELEMENTS (numbers));
  ww_json_add_integers (json, "sizes", sizes, G_N_ELEMENTS (sizes));
  ww_json_add_numbers (json, "empty", NULL, 0);
  ww_json_begin_array (json, "objects");
  ww_json_begin_object (json, NULL);
  ww_json_end_object (json);
  ww_json_begin_object (json, NULL);
  ww_json_add_number (json, "x", 0.5);
  ww_json_end_object (json);
  ww_json_end_array (json);
  ww_json_end_object (json);
  line = ww_json_to_line (json);

  g_assert_cmpstr (line, ==,
                   "{\"z\": \"first\", \"a\": 18446744073709551615, \"yes\": true, \"nothing\": null, "
                   "\"none\": null, \"numbers\": [0.1, null, null, -3], \"sizes\": [10, 250], \"empty\": [], "
                   "\"objects\": [{}, {\"x\": 0.5}]}\n");
}

/* Whatever a text holds, a strict reader gets the same text back. */
static void
test_strings (void)
{
  static const char *const texts[] = {
    "",     "plain",       "quote \" and \\ backslash", "tab\tline\nreturn\r", "\x01\x1f\x7f",
    "Größe", "\xe2\x80\xa8", "emoji \xf0\x9f\xa6\x86",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (WwJson) json = ww_json_new ();
      g_autofree char *line = NULL;
      json_t *read = NULL;

      ww_json_begin_object (json, NULL);
      ww_json_add_string (json, texts[i], texts[i]);
      ww_json_end_object (json);
      line = ww_json_to_line (json);

      g_assert_null (strchr (line, '\x7f'));
      g_assert_cmpuint (strcspn (line, "\n"), ==, strlen (line) - 1);
      read = json_loads (line, JSON_REJECT_DUPLICATES, NULL);
      g_assert_nonnull (read);
      g_assert_cmpstr (json_string_value (json_object_get (read, texts[i])), ==, texts[i]);
      json_decref (read);
    }
}

static void
test_invalid_utf8 (void)
{
  g_autoptr (WwJson) json = ww_json_new ();
  g_autofree char *line = NULL;

  ww_json_begin_array (json, NULL);
  ww_json_add_string (json, NULL, "a\xff" "b");
  ww_json_end_array (json);
  line = ww_json_to_line (json);

  g_assert_cmpstr (line, ==, "[\"a\xef\xbf\xbd" "b\"]\n");
}

static void
test_reuse (void)
{
  g_autoptr (WwJson) json = ww_json_new ();
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  ww_json_add_integer (json, NULL, 1);
  first = ww_json_to_line (json);
  ww_json_add_integer (json, NULL, 2);
  second = ww_json_to_line (json);

  g_assert_cmpstr (first, ==, "1\n");
  g_assert_cmpstr (second, ==, "2\n");
}

static void
test_unbalanced (void)
{
  g_autoptr (WwJson) json = ww_json_new ();

  ww_json_begin_object (json, NULL);
  g_test_expect_message ("ww-report", G_LOG_LEVEL_CRITICAL, "*depth == 0*");
  g_assert_null (ww_json_to_line (json));
  g_test_assert_expected_messages ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/order-and-form", test_order_and_form);
  g_test_add_func ("/json/strings", test_strings);
  g_test_add_func ("/json/invalid-utf8", test_invalid_utf8);
  g_test_add_func ("/json/reuse", test_reuse);
  g_test_add_func ("/json/unbalanced", test_unbalanced);

  return g_test_run ();
}
