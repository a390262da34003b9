/* What the files of the core share and nobody else sees. */
#pragma once

#include "ww-matrix.h"

G_BEGIN_DECLS

/* Put before a function: the same loops once more for wider registers, chosen when the program starts.
 * Where every operation is elementwise, all clones give the same bits, since contraction to fused
 * operations is off. The thread sanitizer cannot follow a selection at load time. */
#if defined (__x86_64__) && defined (__GNUC__) && !defined (__clang__) && !defined (__SANITIZE_THREAD__)
#define WW_WIDEST_REGISTERS __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define WW_WIDEST_REGISTERS
#endif

/* `rows` x `cols` uninitialised entries of `size` bytes, aligned to a cache line; release with free ().
 * WW_CORE_ERROR_MEMORY where they cannot be had or counted. */
gpointer ww_try_alloc (gsize rows, gsize cols, gsize size, GError **error);

/* `bytes` zeroed bytes, aligned likewise; release *ret_memory with free (). NULL where they cannot be had. */
gpointer ww_try_alloc_zeroed (gsize bytes, gpointer *ret_memory);

/* As ww_random_w; WW_CORE_ERROR_CANCELLED soon after the flag. */
WwMatrix *ww_random_w_cancellable (gsize d, guint64 seed, guint32 trial, const WwCancel *cancel,
                                   GError **error);

/* sum of a[i] b[i]; one fixed order of summation in every run of one program. */
double ww_dot (const double *a, const double *b, gsize count);

/* Scales one row of d finite entries to norm sqrt (d). FALSE, and nothing done, for a zero row. */
gboolean ww_scale_row (double *row, gsize d);

/* The column means of a matrix, to be taken from its rows or from others. A row that vanishes up to
 * rounding (n equal rows, say; a sum of n terms rounds n times) becomes exactly zero, lest a scaling
 * blow its rounding errors up to norm sqrt (d). */
typedef struct
{
  double *values; /* d */
  double negligible;
} WwColumnMeans;

/* `values`: room for d numbers, which outlives `means`. */
void ww_column_means_init (WwColumnMeans *means, const WwMatrix *x, double *values);
void ww_column_means_subtract (const WwColumnMeans *means, double *row, gsize d);

G_END_DECLS
