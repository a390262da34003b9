#include <glib/gi18n.h>
#include <locale.h>

#include "ww-application.h"
#include "ww-core.h"

int
main (int argc, char **argv)
{
  g_autoptr (WwApplication) application = NULL;
  const char *locale_dir = g_getenv ("WORDSWAY_LOCALEDIR");

  ww_core_init ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : WW_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  application = ww_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
