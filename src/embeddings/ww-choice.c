#include "ww-choice.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_LISTED 12
/* "g.txt#2" is the second of several "g.txt". */
#define NUMBERED "%s#%u"

static void
free_candidate (gpointer data)
{
  WwCandidate *candidate = data;

  g_free (candidate->id);
  g_free (candidate->shape);
  g_free (candidate->type);
  g_free (candidate->remark);
  g_free (candidate);
}

GPtrArray *
ww_candidates_new (void)
{
  return g_ptr_array_new_with_free_func (free_candidate);
}

void
ww_candidates_add (GPtrArray *candidates, const char *id, const char *shape, const char *type,
                   gboolean usable, const char *remark)
{
  WwCandidate *candidate = g_new0 (WwCandidate, 1);

  candidate->id = g_utf8_make_valid (id, -1);
  candidate->shape = g_strdup (shape != NULL ? shape : "");
  candidate->type = g_strdup (type != NULL ? type : "");
  candidate->usable = usable;
  candidate->remark = g_strdup (remark != NULL ? remark : "");
  g_ptr_array_add (candidates, candidate);
}

const WwCandidate *
ww_candidates_get (const GPtrArray *candidates, gsize index)
{
  return g_ptr_array_index (candidates, index);
}

/* Those of one name are told apart by a number, which the first goes without. */
static void
number_names (GPtrArray *candidates)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal); /* id to how many there were */

  for (guint i = 0; i < candidates->len; i++)
    {
      WwCandidate *candidate = g_ptr_array_index (candidates, i);
      g_autofree char *name = NULL;
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (seen, candidate->id));

      if (n == 0)
        {
          g_hash_table_insert (seen, candidate->id, GUINT_TO_POINTER (1));
          continue;
        }

      name = g_steal_pointer (&candidate->id);
      do
        {
          g_free (candidate->id);
          candidate->id = g_strdup_printf (NUMBERED, name, ++n);
        }
      while (g_hash_table_contains (seen, candidate->id));
      g_hash_table_replace (seen, candidate->id, GUINT_TO_POINTER (1));
      /* The key of the name stays that of its first. */
      g_hash_table_insert (seen, name, GUINT_TO_POINTER (n));
    }
}

static void G_GNUC_PRINTF (2, 0)
note (WwPreview *preview, const char *format, va_list args)
{
  g_autofree char *sentence = g_strdup_vprintf (format, args);
  g_autofree char *valid = g_utf8_make_valid (sentence, -1);
  g_autofree char *before = preview->guess;

  preview->guess = before == NULL ? g_steal_pointer (&valid) : g_strconcat (before, "\n", valid, NULL);
}

void
ww_opening_note (const WwOpening *opening, const char *format, ...)
{
  va_list args;

  if (opening->preview == NULL)
    return;

  va_start (args, format);
  note (opening->preview, format, args);
  va_end (args);
}

void
ww_opening_note_guess (const WwOpening *opening, const char *format, ...)
{
  va_list args;

  if (opening->preview == NULL)
    return;

  opening->preview->guessed = TRUE;
  va_start (args, format);
  note (opening->preview, format, args);
  va_end (args);
}

void
ww_opening_note_words (const WwOpening *opening, const char *format, ...)
{
  va_list args;

  if (opening->preview == NULL)
    return;

  g_free (opening->preview->words_from);
  va_start (args, format);
  opening->preview->words_from = g_strdup_vprintf (format, args);
  va_end (args);
}

void
ww_opening_note_list (const WwOpening *opening, const char *name, gsize n_words)
{
  ww_opening_note_words (opening, g_dngettext (GETTEXT_PACKAGE, "%s, with %zu word", "%s, with %zu words", n_words),
                         name, n_words);
  if (opening->preview != NULL)
    {
      g_free (opening->preview->list_name);
      opening->preview->list_name = g_strdup (name);
    }
}

void
ww_opening_note_unread_list (const WwOpening *opening, const char *name)
{
  ww_opening_note_words (opening, _("%s, which cannot be read"), name);
  if (opening->preview == NULL)
    return;

  opening->preview->needs_choice = TRUE;
  g_free (opening->preview->list_name);
  opening->preview->list_name = g_strdup (name);
}

gboolean
ww_opening_report (const WwOpening *opening, double fraction, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (opening->cancellable, error))
    return FALSE;
  if (opening->progress != NULL)
    opening->progress (fraction, opening->user_data);
  return TRUE;
}

static gboolean
parse_number (const char *text, gsize *ret_number)
{
  gsize number = 0;

  if (*text == '\0' || strlen (text) > 9)
    return FALSE;
  for (; *text != '\0'; text++)
    {
      if (!g_ascii_isdigit (*text))
        return FALSE;
      number = number * 10 + (gsize) (*text - '0');
    }

  *ret_number = number;
  return number > 0;
}

gboolean
ww_member_split (const char *member, char **ret_name, gsize *ret_text)
{
  const char *colon = strrchr (member, ':');
  const char *number = colon != NULL ? colon + 1 : member;

  if (!parse_number (number, ret_text))
    return FALSE;

  *ret_name = colon != NULL && colon > member ? g_strndup (member, (gsize) (colon - member)) : NULL;
  return TRUE;
}

/* "wte.weight (50257 x 768, F32)" and so on. */
static char *
list_candidates (const GPtrArray *candidates)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < MIN (candidates->len, MAX_LISTED); i++)
    {
      const WwCandidate *candidate = ww_candidates_get (candidates, i);
      g_autofree char *shown = ww_dup_one_line (candidate->id);

      g_string_append_printf (list, "%s\"%.80s\"", i > 0 ? ", " : "", shown);
      if (*candidate->shape != '\0')
        g_string_append_printf (list, " (%s%s%s)", candidate->shape,
                                *candidate->type != '\0' ? ", " : "", candidate->type);
    }
  if (candidates->len > MAX_LISTED)
    g_string_append_printf (list, _(" and %u more"), candidates->len - MAX_LISTED);

  return g_string_free (list, FALSE);
}

static int
find_usual (const GPtrArray *candidates, const char *const *usual)
{
  for (gsize k = 0; usual != NULL && usual[k] != NULL; k++)
    for (guint i = 0; i < candidates->len; i++)
      if (ww_candidates_get (candidates, i)->usable
          && ww_name_has_tail (ww_candidates_get (candidates, i)->id, usual[k]))
        return (int) i;

  return -1;
}

static guint
count_usable (const GPtrArray *candidates, int *ret_first)
{
  guint n = 0;

  *ret_first = -1;
  for (guint i = 0; i < candidates->len; i++)
    if (ww_candidates_get (candidates, i)->usable && n++ == 0)
      *ret_first = (int) i;

  return n;
}

gboolean
ww_name_is_shown_as (const char *name, const char *member)
{
  g_autofree char *shown = ww_dup_one_line (name);

  return strcmp (shown, member) == 0;
}

/* By the name itself, else by what is shown of it: a newline in it cannot be told from a space. */
static int
find_member (const GPtrArray *candidates, const char *member)
{
  for (guint i = 0; i < candidates->len; i++)
    if (strcmp (ww_candidates_get (candidates, i)->id, member) == 0)
      return (int) i;
  for (guint i = 0; i < candidates->len; i++)
    if (ww_name_is_shown_as (ww_candidates_get (candidates, i)->id, member))
      return (int) i;

  return -1;
}

static void
note_candidates (const WwOpening *opening, GPtrArray *candidates, int chosen, gboolean asks)
{
  WwPreview *preview = opening->preview;

  if (preview == NULL)
    return;

  g_clear_pointer (&preview->candidates, g_ptr_array_unref);
  preview->candidates = g_ptr_array_ref (candidates);
  preview->chosen = chosen;
  preview->needs_choice = asks;
}

static void
fail (GPtrArray *candidates, const WwOpening *opening, WwSource *source, const char *member,
      guint usable, int first, GError **error)
{
  g_autofree char *list = list_candidates (candidates);
  g_autofree char *example = first >= 0 ? ww_dup_one_line (ww_candidates_get (candidates, (gsize) first)->id) : NULL;

  if (member != NULL)
    ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                         _("has no \"%.200s\"; there is %s"), member, list);
  else if (usable == 0 && candidates->len == 1)
    ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                         _("what is in it cannot be used as rows of numbers: %s; %s"), list,
                         ww_candidates_get (candidates, 0)->remark);
  else if (usable == 0)
    ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                         _("none of the %u in it can be used as rows of numbers: %s"), candidates->len, list);
  else
    ww_source_set_error (source, error, WW_SET_ERROR_AMBIGUOUS,
                         _("has %u to choose from, and none is surely the one meant: %s. Choose one (command line:"
                           " --member \"%.80s\")"), candidates->len, list, example);
}

/* The one that a name, or the lack of another, points out; -1: none. */
static int
find_meant (const GPtrArray *candidates, const WwOpening *opening, const char *const *usual, guint usable,
            int first)
{
  int found = usable == 1 ? first : find_usual (candidates, usual);
  const char *id = found >= 0 ? ww_candidates_get (candidates, (gsize) found)->id : NULL;

  if (found < 0)
    return -1;

  if (candidates->len == 1)
    ww_opening_note (opening, _("There is only \"%s\"."), id);
  else if (usable == 1)
    ww_opening_note (opening, _("Only \"%s\" can be used as rows of numbers."), id);
  else
    ww_opening_note_guess (opening, _("\"%s\" has a usual name."), id);
  return found;
}

gboolean
ww_choose (GPtrArray *candidates, const WwOpening *opening, WwSource *source, const char *member,
           const char *const *usual, gsize *ret_index, GError **error)
{
  int first, found;
  guint usable = count_usable (candidates, &first);

  number_names (candidates);
  if (member != NULL)
    {
      found = find_member (candidates, member);
      if (found >= 0)
        ww_opening_note (opening, _("You chose \"%s\"."), member);
    }
  else
    found = find_meant (candidates, opening, usual, usable, first);

  note_candidates (opening, candidates, found >= 0 ? found : first,
                   member == NULL && found < 0 && usable > 0);
  /* Whoever looks is shown the first one, and what else there is. */
  if (member == NULL && found < 0 && usable > 0 && opening->preview != NULL)
    {
      found = first;
      ww_opening_note_guess (opening, _("Nothing tells which of %u is meant; \"%s\" is shown."), usable,
                             ww_candidates_get (candidates, (gsize) found)->id);
    }
  if (found < 0)
    {
      fail (candidates, opening, source, member, usable, first, error);
      return FALSE;
    }

  *ret_index = (gsize) found;
  return TRUE;
}

gboolean
ww_choose_with_text (GPtrArray *candidates, const WwOpening *opening, WwSource *source,
                     const char *const *usual, gsize *ret_index, gsize *ret_text, GError **error)
{
  const char *member = opening->options->member;
  g_autofree char *name = NULL;

  number_names (candidates);
  /* What is really called "X:2" is meant by that. */
  *ret_text = 0;
  if (member != NULL && find_member (candidates, member) < 0 && ww_member_split (member, &name, ret_text))
    member = name;

  return ww_choose (candidates, opening, source, member, usual, ret_index, error);
}
