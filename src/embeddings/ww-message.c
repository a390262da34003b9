#include "ww-message.h"

/* One pair of parentheses may stand in the name that an option takes. */
#define INSIDE "(?:[^()]|\\([^()]*\\))*"
#define HINT " *\\(" INSIDE "--(?:member|words|column|read-as|ids)\\b" INSIDE "\\)"

char *
ww_message_dup_plain (const char *message)
{
  g_autoptr (GRegex) hint = NULL;
  char *plain;

  if (message == NULL)
    return NULL;

  hint = g_regex_new (HINT, 0, 0, NULL);
  /* What is not UTF-8 is left as it is. */
  plain = hint != NULL ? g_regex_replace_literal (hint, message, -1, 0, "", 0, NULL) : NULL;
  return plain != NULL ? plain : g_strdup (message);
}
