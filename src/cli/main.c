#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ww-cli.h"
#include "ww-core.h"
#include "ww-set.h"

#define EXIT_DONE 0
#define EXIT_WORK_FAILED 1
#define EXIT_WRONG_USAGE 2

static const WwCliCommand *const commands[] = {
  &ww_cli_features_command, &ww_cli_attention_command, &ww_cli_ws_command,
  &ww_cli_nudge_command,    &ww_cli_curve_command,     &ww_cli_swap_command,
  &ww_cli_context_command,  &ww_cli_tokens_command,    &ww_cli_info_command,
};

/* A signal handler can reach nothing but what is static. */
static WwCancel cancel;
/* What it writes into wakes the thread that cancels a GCancellable, which a handler must not do itself. */
static int wake[2] = { -1, -1 };

WwCancel *
ww_cli_get_cancel (void)
{
  return &cancel;
}

static void
on_signal (int number)
{
  int saved = errno;
  ssize_t written;

  ww_cancel_set (&cancel, TRUE);
  written = write (wake[1], "", 1);
  (void) written;
  errno = saved;
}

static gpointer
wait_for_signal (gpointer data)
{
  char byte;

  while (read (wake[0], &byte, 1) < 0 && errno == EINTR)
    ;
  g_cancellable_cancel (data);
  return NULL;
}

GCancellable *
ww_cli_get_cancellable (void)
{
  static GCancellable *cancellable;
  sigset_t both, before;

  if (cancellable != NULL || wake[0] < 0)
    return cancellable;

  cancellable = g_cancellable_new ();
  /* Signals are for the main thread, whose reading of a text they interrupt. */
  sigemptyset (&both);
  sigaddset (&both, SIGINT);
  sigaddset (&both, SIGTERM);
  pthread_sigmask (SIG_BLOCK, &both, &before);
  g_thread_unref (g_thread_new ("signals", wait_for_signal, cancellable));
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return cancellable;
}

static void
catch_signals (void)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND };

  if (!g_unix_open_pipe (wake, FD_CLOEXEC, NULL))
    wake[0] = wake[1] = -1;
  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
}

static char *
make_overview (void)
{
  GString *text = g_string_new (
    "Usage:\n"
    "  wordsway-cli COMMAND [OPTION…]\n"
    "\n"
    "How far the features of a text move when one of its words is nudged: the word\n"
    "sensitivity (WS) of random and attention features.\n"
    "\n"
    "Commands:\n");

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (text, "  %-11s%s\n", commands[i]->name, commands[i]->summary);

  g_string_append (text,
                   "  help       Show the help of a command: wordsway-cli help ws\n"
                   "\n"
                   "Options:\n"
                   "  -h, --help     Show this help, or the help of a command\n"
                   "  --version      Show the version\n"
                   "\n"
                   "Data goes to standard output or to the file named, messages to standard error.\n"
                   "Exit status: 0 done, 1 the work failed, 2 wrong usage.\n"
                   "\n"
                   "Example:\n"
                   "  wordsway-cli ws --map raf --text \"I love her much\" --json\n");
  return g_string_free (text, FALSE);
}

static const WwCliCommand *
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i]->name, name))
      return commands[i];

  return NULL;
}

/* One line, whatever a file name or a typed value brought into the message; what acts upon a terminal
 * is taken out of it. A refusal goes on with the lines of its recipe, to be copied; the names in it are
 * on one line already. */
static char *
make_one_line (const char *message, gboolean has_recipe)
{
  char *line = g_strdup (message);

  for (char *c = line; *c != '\0'; c++)
    if (((guchar) *c < 0x20 || *c == 0x7f) && !(has_recipe && g_str_has_prefix (c, "\n  ")))
      *c = ' ';

  return line;
}

static int
run_command (const WwCliCommand *command, int argc, char **argv)
{
  g_autofree char *name = g_strdup_printf ("wordsway-cli %s", command->name);
  g_autofree char *line = NULL;
  g_autoptr (GError) error = NULL;

  /* The usage line of --help starts with the program's name. */
  g_set_prgname (name);
  if (command->run (command, argc, argv, &error) || g_error_matches (error, WW_CLI_ERROR, WW_CLI_ERROR_ANSWERED))
    {
      g_clear_error (&error);
      if (ww_cli_flush (&error))
        return EXIT_DONE;
    }

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_error (&error);
      ww_cli_is_cancelled (&error);
    }
  line = make_one_line (error != NULL ? error->message : "The work failed for an unknown reason",
                        g_error_matches (error, WW_SET_ERROR, WW_SET_ERROR_REFUSED));
  if (!g_error_matches (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE))
    {
      ww_cli_message ("%s: %s", name, line);
      return EXIT_WORK_FAILED;
    }
  ww_cli_message ("%s: %s (see “%s --help”)", name, line, name);
  return EXIT_WRONG_USAGE;
}

static int
finish_output (void)
{
  g_autoptr (GError) error = NULL;

  if (ww_cli_flush (&error))
    return EXIT_DONE;

  ww_cli_message ("wordsway-cli: %s", error->message);
  return EXIT_WORK_FAILED;
}

/* `wordsway-cli help [COMMAND]`, --help and --version before any command. */
static int
run_global (int argc, char **argv)
{
  g_autofree char *overview = make_overview ();
  gboolean is_help = g_str_equal (argv[1], "help");

  if (is_help && argc == 3 && find_command (argv[2]) != NULL)
    {
      char *words[] = { argv[2], (char *) "--help", NULL };

      return run_command (find_command (argv[2]), 2, words);
    }
  if (argc == 2 && g_str_equal (argv[1], "--version"))
    {
      ww_cli_print ("wordsway-cli %s\n", WW_VERSION);
      return finish_output ();
    }
  if (argc == 2 && (is_help || g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h")))
    {
      ww_cli_print ("%s", overview);
      return finish_output ();
    }

  ww_cli_message ("wordsway-cli: There is no command “%s” (see “wordsway-cli --help”)",
                  is_help && argc > 2 ? argv[2] : argv[1]);
  return EXIT_WRONG_USAGE;
}

int
main (int argc, char **argv)
{
  /* Only the character set of the terminal is taken from the locale: numbers have a dot, and what is
   * written into a figure does not depend on who writes it. */
  setlocale (LC_CTYPE, "");
  g_set_prgname ("wordsway-cli");
  ww_core_init ();
  catch_signals ();

  if (argc < 2)
    {
      g_autofree char *overview = make_overview ();

      fputs (overview, stderr);
      return EXIT_WRONG_USAGE;
    }

  const WwCliCommand *command = find_command (argv[1]);

  if (command != NULL)
    return run_command (command, argc - 1, argv + 1);
  return run_global (argc, argv);
}
