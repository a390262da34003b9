#define _GNU_SOURCE /* memmem */
#include "ww-npz.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-npz-private.h"
#include "ww-set.h"

/* Enough of a member for its header; longer headers are looked for in the whole member. */
#define HEADER_BYTES 65536
#define MAX_LISTED 20

static void
clear_array (gpointer data)
{
  WwNpzArray *array = data;

  g_free (array->name);
  g_clear_error (&array->failure);
}

void
ww_npz_free (WwNpz *npz)
{
  if (npz == NULL)
    return;

  ww_source_unref (npz->source);
  ww_zip_free (npz->zip);
  g_array_unref (npz->arrays);
  g_free (npz);
}

/* The error says that much only in words. */
static gboolean
holds_objects (WwSource *head)
{
  char text[256];
  gsize length = (gsize) MIN (ww_source_get_size (head), sizeof text);

  return ww_source_read (head, 0, text, length, NULL) && memmem (text, length, "'|O'", 4) != NULL;
}

static gboolean
is_named_after_words (const char *name)
{
  static const char *const parts[] = { "word", "token", "vocab", "label", "name", "text", "key" };
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (lower, parts[i]) != NULL)
      return TRUE;

  return FALSE;
}

/* What np.load gives for an archive is no array, so the recipe for an array would not do. */
static void
refuse_objects (const WwNpz *npz, WwNpzArray *array)
{
  g_autofree char *name = ww_dup_one_line (array->name);

  g_clear_error (&array->failure);
  if (is_named_after_words (name))
    ww_source_set_error (npz->source, &array->failure, WW_SET_ERROR_REFUSED,
                         _("\"%.80s\" is an array of Python objects, which is a pickle inside; it is not opened because a"
                           " pickle can run any code. If you trust it, convert:\n"
                           "  import numpy as np; z = dict(np.load('in.npz', allow_pickle=True)); w = z['%.80s'].tolist()\n"
                           "  z['%.80s'] = np.array(sorted(w, key=w.get) if isinstance(w, dict) else w).astype(str);"
                           " np.savez('out.npz', **z)"), name, name, name);
  else
    ww_source_set_error (npz->source, &array->failure, WW_SET_ERROR_REFUSED,
                         _("\"%.80s\" is an array of Python objects, which is a pickle inside; it is not opened because a"
                           " pickle can run any code. If you trust it, convert:\n"
                           "  import numpy as np; z = dict(np.load('in.npz', allow_pickle=True))\n"
                           "  z['%.80s'] = np.array(z['%.80s'].tolist(), dtype='float32'); np.savez('out.npz', **z)"),
                         name, name, name);
}

static void
read_header (const WwNpz *npz, WwNpzArray *array, GCancellable *cancellable)
{
  g_autoptr (WwSource) head = ww_zip_open_member (npz->zip, array->member, HEADER_BYTES, cancellable,
                                                  &array->failure);

  if (head != NULL && !ww_npy_read_any_header (head, array->member->bytes, &array->header, &array->failure)
      && g_error_matches (array->failure, WW_SET_ERROR, WW_SET_ERROR_REFUSED) && holds_objects (head))
    refuse_objects (npz, array);
}

WwNpz *
ww_npz_open (WwSource *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (WwNpz) npz = g_new0 (WwNpz, 1);

  npz->source = ww_source_ref (source);
  npz->arrays = g_array_new (FALSE, TRUE, sizeof (WwNpzArray));
  g_array_set_clear_func (npz->arrays, clear_array);
  npz->zip = ww_zip_open (source, error);
  if (npz->zip == NULL)
    return NULL;

  for (gsize i = 0; i < ww_zip_get_size (npz->zip); i++)
    {
      WwNpzArray array = { NULL };

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      array.member = ww_zip_get (npz->zip, i);
      if (!g_str_has_suffix (array.member->name, ".npy"))
        continue;
      array.name = g_strndup (array.member->name, strlen (array.member->name) - strlen (".npy"));
      read_header (npz, &array, cancellable);
      g_array_append_val (npz->arrays, array);
    }

  if (npz->arrays->len == 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_EMPTY,
                           _("a zip archive without any array (no member ends in .npy)"));
      return NULL;
    }
  return g_steal_pointer (&npz);
}

const WwNpzArray *
ww_npz_get (const WwNpz *npz, gsize index)
{
  return &g_array_index (npz->arrays, WwNpzArray, index);
}

int
ww_npz_find (const WwNpz *npz, const char *name)
{
  for (guint i = 0; i < npz->arrays->len; i++)
    if (strcmp (ww_npz_get (npz, i)->name, name) == 0)
      return (int) i;

  return -1;
}

WwSource *
ww_npz_open_array (const WwNpz *npz, gsize index, GCancellable *cancellable, GError **error)
{
  const WwNpzArray *array = ww_npz_get (npz, index);

  if (array->failure != NULL)
    {
      g_propagate_error (error, g_error_copy (array->failure));
      return NULL;
    }

  return ww_zip_open_member (npz->zip, array->member, 0, cancellable, error);
}

static void
set_missing (const WwNpz *npz, const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < MIN (npz->arrays->len, MAX_LISTED); i++)
    g_string_append_printf (names, "%s\"%.80s\"", i > 0 ? ", " : "", ww_npz_get (npz, i)->name);
  ww_source_set_error (npz->source, error, WW_SET_ERROR_MISSING,
                       _("has no array \"%s\"; there is %s%s"), name, names->str,
                       npz->arrays->len > MAX_LISTED ? ", ..." : "");
}

GPtrArray *
ww_npz_load_matrices (GFile *file, const char *const *names, gsize n, GError **error)
{
  g_autoptr (WwSource) source = NULL;
  g_autoptr (WwNpz) npz = NULL;
  g_autoptr (GPtrArray) matrices = g_ptr_array_new_with_free_func ((GDestroyNotify) ww_matrix_unref);

  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (names != NULL || n == 0, NULL);

  source = ww_source_open (file, error);
  npz = source != NULL ? ww_npz_open (source, NULL, error) : NULL;
  if (npz == NULL)
    return NULL;

  for (gsize i = 0; i < n; i++)
    {
      int index = ww_npz_find (npz, names[i]);
      g_autoptr (WwSource) member = NULL;
      WwMatrix *matrix;

      if (index < 0)
        {
          set_missing (npz, names[i], error);
          return NULL;
        }
      member = ww_npz_open_array (npz, (gsize) index, NULL, error);
      matrix = member != NULL ? ww_npy_read_matrix (member, error) : NULL;
      if (matrix == NULL)
        return NULL;
      g_ptr_array_add (matrices, matrix);
    }

  return g_steal_pointer (&matrices);
}
