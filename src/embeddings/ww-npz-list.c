#include "ww-npz-list.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "ww-choice.h"
#include "ww-folder-names.h"
#include "ww-word-list.h"

#define MAX_SHOWN 5

static const WwZipMember *
find_member (const WwZip *zip, const char *name)
{
  for (gsize i = 0; i < ww_zip_get_size (zip); i++)
    if (!ww_zip_get (zip, i)->is_folder && strcmp (ww_zip_get (zip, i)->name, name) == 0)
      return ww_zip_get (zip, i);

  return NULL;
}

static gboolean
read_member (const WwNpz *npz, const WwZipMember *member, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
             gsize *ret_duplicates, GError **error)
{
  g_autoptr (WwSource) source = ww_zip_open_member (npz->zip, member, 0, opening->cancellable, error);

  return source != NULL && ww_word_list_read (source, member->name, rows, opening, ret_vocab, ret_duplicates, error);
}

/* Named after the array. */
static gboolean
find_own (const WwNpz *npz, const char *array, gsize rows, const WwOpening *opening, WwVocab **ret_vocab, char **ret_name,
          gsize *ret_duplicates, GError **error)
{
  const char *const *endings = ww_word_list_get_endings ();

  for (gsize i = 0; endings[i] != NULL; i++)
    {
      g_autofree char *name = ww_name_replace_ending (array, endings[i]);
      const WwZipMember *member = find_member (npz->zip, name);
      g_autoptr (GError) local = NULL;

      if (member == NULL)
        continue;
      if (read_member (npz, member, rows, opening, ret_vocab, ret_duplicates, &local))
        {
          *ret_name = g_steal_pointer (&name);
          return TRUE;
        }
      /* The same table in text goes with many an array. */
      if (g_str_has_suffix (name, ".txt") && g_error_matches (local, WW_SET_ERROR, WW_SET_ERROR_SHAPE))
        continue;
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }

  return TRUE;
}

/* Named after nothing, so that it has to fit. */
static void
find_plain (const WwNpz *npz, const char *array, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
            char **ret_name, gsize *ret_duplicates)
{
  static const char *const names[] = { "words.txt", "vocab.txt" };
  const char *slash = strrchr (array, '/');
  int prefix = slash != NULL ? (int) (slash - array) + 1 : 0;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = g_strdup_printf ("%.*s%s", prefix, array, names[i]);
      const WwZipMember *member = find_member (npz->zip, name);
      g_autoptr (WwVocab) vocab = NULL;

      if (member == NULL || !read_member (npz, member, rows, opening, &vocab, ret_duplicates, NULL))
        continue;
      if (ww_vocab_get_size (vocab) == rows)
        {
          *ret_vocab = g_steal_pointer (&vocab);
          *ret_name = g_steal_pointer (&name);
          return;
        }
      *ret_duplicates = 0;
      if (opening->list != NULL)
        ww_used_list_clear (opening->list);
    }
}

gboolean
ww_npz_find_list (const WwNpz *npz, gsize index, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
                  char **ret_name, gsize *ret_duplicates, GError **error)
{
  const char *array = ww_npz_get (npz, index)->member->name;

  if (!find_own (npz, array, rows, opening, ret_vocab, ret_name, ret_duplicates, error))
    return FALSE;
  if (*ret_vocab == NULL)
    find_plain (npz, array, rows, opening, ret_vocab, ret_name, ret_duplicates);
  if (*ret_vocab == NULL)
    return TRUE;

  ww_opening_note_words (opening, _("the file %s of the same archive"), *ret_name);
  ww_opening_note_guess (opening, _("\"%s\" has the words of the rows, by its name or its kind."), *ret_name);
  return TRUE;
}

static gboolean
is_other (const WwZipMember *member)
{
  return !member->is_folder && !g_str_has_suffix (member->name, ".npy") && !g_str_has_prefix (member->name, "__MACOSX/")
         && !g_str_has_suffix (member->name, ".DS_Store");
}

char *
ww_npz_dup_unused (const WwNpz *npz, const char *used)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;

  for (gsize i = 0; i < ww_zip_get_size (npz->zip); i++)
    {
      const WwZipMember *member = ww_zip_get (npz->zip, i);
      g_autofree char *shown = ww_dup_one_line (member->name);

      if (!is_other (member) || g_strcmp0 (member->name, used) == 0)
        continue;
      if (n < MAX_SHOWN)
        g_string_append_printf (names, "%s\"%.80s\"", n > 0 ? ", " : "", shown);
      n++;
    }
  if (n > MAX_SHOWN)
    g_string_append (names, ", ...");

  return n > 0 ? g_strdup (names->str) : NULL;
}

/* "g.txt#2", the second of that name, is what "g.txt" is. */
gboolean
ww_npz_is_other_member (WwSource *source, const char *member)
{
  g_autoptr (WwZip) zip = ww_zip_open (source, NULL);
  const char *number = strrchr (member, '#');
  g_autofree char *unnumbered = number != NULL ? g_strndup (member, (gsize) (number - member)) : NULL;

  for (gsize i = 0; zip != NULL && i < ww_zip_get_size (zip); i++)
    {
      const WwZipMember *found = ww_zip_get (zip, i);

      if (is_other (found)
          && (strcmp (found->name, member) == 0 || g_strcmp0 (found->name, unnumbered) == 0
              || ww_name_is_shown_as (found->name, member)))
        return TRUE;
    }

  return FALSE;
}
