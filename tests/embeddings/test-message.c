/* Sentences without what only the command line has. */
#include "ww-message.h"

static void
test_plain (void)
{
  static const char *const pairs[][2] = {
    { "it takes ids only (command line: --ids)", "it takes ids only" },
    { "the list (command line: --words) has no effect", "the list has no effect" },
    { "Choose one (command line: --member \"a (1)\")", "Choose one" },
    { "Bitte so wählen (Befehlszeile: --read-as glove)", "Bitte so wählen" },
    { "the column “b” of x (another one: --column on the command line)\nA mask (of 2)", "the column “b” of x\nA mask (of 2)" },
    { "/a (--new)/b: the array (3 x 2) has no words", "/a (--new)/b: the array (3 x 2) has no words" },
    { "", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *plain = ww_message_dup_plain (pairs[i][0]);

      g_assert_cmpstr (plain, ==, pairs[i][1]);
    }
  g_assert_null (ww_message_dup_plain (NULL));
}

static void
test_no_text (void)
{
  g_autofree char *plain = ww_message_dup_plain ("\xff (command line: --ids)");

  g_assert_cmpstr (plain, ==, "\xff (command line: --ids)");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/message/plain", test_plain);
  g_test_add_func ("/message/no-text", test_no_text);

  return g_test_run ();
}
