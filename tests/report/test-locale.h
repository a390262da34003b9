/* A locale with a decimal comma, made here if the system has none, so that the tests do not depend
 * on what is installed. */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <stdio.h>

/* Switches to a locale in which printf writes 0,5. FALSE, with the test marked as skipped, where
 * none can be had. */
static inline gboolean
test_locale_use_comma (void)
{
  static const char name[] = "de_DE.UTF-8";
  g_autofree char *folder = NULL;
  g_autofree char *target = NULL;
  char half[8];

  if (setlocale (LC_ALL, name) == NULL)
    {
      folder = g_dir_make_tmp ("ww-locale-XXXXXX", NULL);
      target = g_build_filename (folder, name, NULL);

      const char *const command[] = { "localedef", "-i", "de_DE", "-f", "UTF-8", target, NULL };

      g_spawn_sync (NULL, (char **) command, NULL,
                    G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                    NULL, NULL, NULL);
      g_setenv ("LOCPATH", folder, TRUE);

      gboolean is_set = setlocale (LC_ALL, name) != NULL;
      const char *const removal[] = { "rm", "-rf", folder, NULL };

      /* What is loaded stays loaded. */
      g_spawn_sync (NULL, (char **) removal, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
      if (!is_set)
        {
          g_test_skip ("no locale with a decimal comma, and localedef cannot make one");
          return FALSE;
        }
    }

  g_snprintf (half, sizeof half, "%.1f", 0.5);
  g_assert_cmpstr (half, ==, "0,5");
  return TRUE;
}
