/* Limited-memory quasi-Newton descent (L-BFGS; Nocedal 1980) for the smoothed dual of the bound. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Value and gradient at `point`. */
typedef double (*WwBoundFunc) (const double *point, double *ret_gradient, gpointer user_data);

typedef struct _WwBoundDescent WwBoundDescent;
WwBoundDescent *ww_bound_descent_new (gsize size, GError **error);
void ww_bound_descent_free (WwBoundDescent *descent); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwBoundDescent, ww_bound_descent_free)

/* About the diagonal of the second derivatives where `func` was last called. */
typedef void (*WwBoundDiagonalFunc) (double *ret_diagonal, gpointer user_data);

/* At most `evaluations` calls of `func` from `point`, which ends at the best point met. Stops earlier
 * where a step gains less than `tolerance` of the value. Allocates nothing. */
void ww_bound_descent_run (WwBoundDescent *descent, double *point, guint evaluations, double tolerance,
                           WwBoundFunc func, WwBoundDiagonalFunc diagonal, gpointer user_data);

G_END_DECLS
