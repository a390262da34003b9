#include "ww-cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

G_DEFINE_QUARK (ww-cli-error-quark, ww_cli_error)

static GOptionContext *
make_option_context (const WwCliCommand *command, const GOptionEntry *const *tables, const GOptionEntry *common)
{
  GOptionContext *context = g_option_context_new (command->arguments);

  /* GLib's own --help would leave the program before standard output has been looked at. */
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_summary (context, command->summary);
  g_option_context_set_description (context, command->help);
  for (gsize i = 0; tables[i] != NULL; i++)
    g_option_context_add_main_entries (context, tables[i], NULL);
  g_option_context_add_main_entries (context, common, NULL);

  return context;
}

/* Takes what is left of the line: nothing, or one argument where the command has one. */
static gboolean
take_argument (char **rest, char **ret_argument, GError **error)
{
  if (rest[0] != NULL && g_str_equal (rest[0], "--"))
    rest++;
  if (rest[0] == NULL)
    return TRUE;

  if (ret_argument == NULL || rest[1] != NULL)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "Unexpected argument “%s”",
                   ret_argument == NULL ? rest[0] : rest[1]);
      return FALSE;
    }

  *ret_argument = g_strdup (rest[0]);
  return TRUE;
}

static gboolean
answer (GError **error)
{
  g_set_error_literal (error, WW_CLI_ERROR, WW_CLI_ERROR_ANSWERED, "The question is answered");
  return FALSE;
}

/* GLib takes --json=no for --json; a flag has no value. */
static gboolean
check_flags (const GOptionEntry *entries, const char *word, GError **error)
{
  const char *value = strchr (word, '=');

  for (; value != NULL && g_str_has_prefix (word, "--") && entries->long_name != NULL; entries++)
    if (entries->arg == G_OPTION_ARG_NONE && strlen (entries->long_name) == (gsize) (value - word - 2)
        && strncmp (word + 2, entries->long_name, (gsize) (value - word - 2)) == 0)
      {
        g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "--%s takes no value; found “%s”",
                     entries->long_name, word);
        return FALSE;
      }

  return TRUE;
}

static gboolean
check_all_flags (const GOptionEntry *const *tables, const GOptionEntry *common, int argc, char **argv,
                 GError **error)
{
  for (int i = 1; i < argc && !g_str_equal (argv[i], "--"); i++)
    {
      if (!check_flags (common, argv[i], error))
        return FALSE;
      for (gsize j = 0; tables[j] != NULL; j++)
        if (!check_flags (tables[j], argv[i], error))
          return FALSE;
    }

  return TRUE;
}

gboolean
ww_cli_parse (const WwCliCommand *command, const GOptionEntry *const *tables, int argc, char **argv,
              char **ret_argument, GError **error)
{
  gboolean help = FALSE;
  gboolean version = FALSE;
  const GOptionEntry common[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this help", NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &version, "Show the version", NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = make_option_context (command, tables, common);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) problem = NULL;

  if (!check_all_flags (tables, common, argc, argv, error))
    return FALSE;
  for (int i = 0; i < argc; i++)
    g_strv_builder_add (builder, argv[i]);
  words = g_strv_builder_end (builder);

  if (!g_option_context_parse_strv (context, &words, &problem))
    {
      g_set_error_literal (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, problem->message);
      return FALSE;
    }

  if (help)
    {
      g_autofree char *text = g_option_context_get_help (context, TRUE, NULL);

      ww_cli_print ("%s", text);
      return answer (error);
    }
  if (version)
    {
      ww_cli_print ("wordsway-cli %s\n", WW_VERSION);
      return answer (error);
    }

  return take_argument (words + 1, ret_argument, error);
}

void
ww_cli_print (const char *format, ...)
{
  va_list arguments;

  /* Not g_print, which would turn UTF-8 into the locale's character set. */
  va_start (arguments, format);
  vfprintf (stdout, format, arguments);
  va_end (arguments);
}

void
ww_cli_message (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  vfprintf (stderr, format, arguments);
  va_end (arguments);
  fputc ('\n', stderr);
}

gboolean
ww_cli_flush (GError **error)
{
  errno = 0;
  if (fflush (stdout) == 0 && !ferror (stdout))
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "Standard output cannot be written: %s",
               g_strerror (errno != 0 ? errno : EIO));
  return FALSE;
}

gboolean
ww_cli_is_cancelled (GError **error)
{
  if (!ww_cancel_is_raised (ww_cli_get_cancel ()))
    return FALSE;

  g_set_error_literal (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "Cancelled");
  return TRUE;
}
