/* The arrays of a .npz archive, for the readers of this folder. */
#pragma once

#include "ww-npy-private.h"
#include "ww-zip.h"

G_BEGIN_DECLS

typedef struct
{
  char *name;        /* without ".npy" */
  WwNpyHeader header;
  GError *failure;   /* why the header cannot be used; NULL: it can */
  const WwZipMember *member;
} WwNpzArray;

typedef struct
{
  WwSource *source;
  WwZip *zip;
  GArray *arrays; /* WwNpzArray */
} WwNpz;

/* Reads the directory and the header of every array. */
WwNpz *ww_npz_open (WwSource *source, GCancellable *cancellable, GError **error);
void ww_npz_free (WwNpz *npz); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwNpz, ww_npz_free)

const WwNpzArray *ww_npz_get (const WwNpz *npz, gsize index);
/* Index of the array of that name, or -1. */
int ww_npz_find (const WwNpz *npz, const char *name);
/* Its bytes, from the magic on. Errors of ww_zip_open_member, and what was wrong with the header. */
WwSource *ww_npz_open_array (const WwNpz *npz, gsize index, GCancellable *cancellable,
                             GError **error);

G_END_DECLS
