#include "ww-private.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include <sys/mman.h>

#define ALIGNMENT 64                    /* a cache line, and the widest vector register */
#define LARGE_PAGE ((gsize) 2 << 20)    /* on the usual machines; elsewhere no more than an alignment */
#define LARGE_BLOCK (2 * LARGE_PAGE)    /* from here on pages count */

static gsize
alignment_of (gsize bytes)
{
  return bytes >= LARGE_BLOCK ? LARGE_PAGE : ALIGNMENT;
}

/* Asks for large pages: touching and giving back hundreds of megabytes in pages of 4 KB takes longer than
 * the 20 ms within which a cancelled computation must be gone. A wish, so its failure is nobody's concern. */
static void
prefer_large_pages (gpointer data, gsize bytes)
{
#ifdef MADV_HUGEPAGE
  if (bytes >= LARGE_BLOCK)
    madvise (data, bytes - bytes % LARGE_PAGE, MADV_HUGEPAGE);
#endif
}

gpointer
ww_try_alloc (gsize rows, gsize cols, gsize size, GError **error)
{
  gsize bytes;
  gpointer data = NULL;

  if (!g_size_checked_mul (&bytes, rows, cols) || !g_size_checked_mul (&bytes, bytes, size)
      || bytes > G_MAXSSIZE
      || posix_memalign (&data, alignment_of (bytes), MAX (bytes, 1)) != 0)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                   _("Not enough memory for an array of %zu x %zu"),
                   rows, cols);
      return NULL;
    }

  prefer_large_pages (data, bytes);
  return data;
}

gpointer
ww_try_alloc_zeroed (gsize bytes, gpointer *ret_memory)
{
  gsize alignment = alignment_of (bytes);
  gpointer data;

  if (bytes > G_MAXSSIZE - alignment)
    return NULL;

  /* Large blocks come from the system zeroed and untouched; only the alignment is ours to see to. */
  *ret_memory = calloc (1, bytes + alignment - 1);
  if (*ret_memory == NULL)
    return NULL;

  data = (gpointer) (((guintptr) *ret_memory + alignment - 1) / alignment * alignment);
  prefer_large_pages (data, bytes);
  return data;
}
