/* WwAttentionProblem for one precision: REAL, PROBLEM, NAME (stem), OWN (stem), KERNEL (stem), GEMM,
 * DOT and AXPY come from the includer. No include guard, since it is included once per precision. */

struct TAG
{
  const WwAttention *attention;
  gsize d, batch;
  gsize others; /* n - 1 */
  gsize padded; /* others, rounded up to the lanes of the kernels */

  /* For every token. */
  REAL *all_k; /* n x d: K_l = W x_l / sqrt (d) */
  REAL *m;     /* d x d: (W + W^T) / (2 sqrt (d)) */

  /* For the token that is nudged; rows in the order of the context, without it. */
  gsize token;
  REAL *stack;   /* 3 padded x d: U, E and K of the other rows */
  REAL *rows;    /* padded x d: the other x_l */
  REAL *x;       /* d: x_i */
  REAL *slope0;  /* d: M x_i */
  double *offset; /* d, for the set-up */
  REAL *t0;      /* padded; softmax: t - b before the nudge; ReLU: t */
  REAL *base;    /* padded; ReLU: B_j */
  REAL *q, *e2;  /* padded: old weight on the token; |E_j|^2 */
  REAL *k0, *w0; /* padded: row i before the nudge, scores and weights */
  REAL own_score, own_weight;

  /* Room for one evaluation. */
  REAL *product; /* batch x 3 padded: stack delta, then the factors of the gradient */
  REAL *md;      /* batch x d: M delta */
  REAL *dw, *g;  /* batch x padded: change of row i's weights; x_l . R */
  REAL *change;  /* batch x d: R */
  REAL *scratch; /* 2 padded */
  REAL *own;     /* batch x 4: row i's weight and slope on itself, |delta|^2, sum of p^2 */
};

gsize
NAME (get_dims) (const PROBLEM *self)
{
  return self->d;
}

gsize
NAME (get_batch) (const PROBLEM *self)
{
  return self->batch;
}

void
NAME (free) (PROBLEM *self)
{
  if (self == NULL)
    return;

  free (self->all_k);
  free (self->m);
  free (self->stack);
  free (self->rows);
  free (self->x);
  free (self->slope0);
  free (self->offset);
  free (self->t0);
  free (self->base);
  free (self->q);
  free (self->e2);
  free (self->k0);
  free (self->w0);
  free (self->product);
  free (self->md);
  free (self->dw);
  free (self->g);
  free (self->change);
  free (self->scratch);
  free (self->own);
  g_free (self);
}

static gboolean
OWN (allocate_all) (PROBLEM *self, gsize n)
{
  gsize d = self->d, padded = self->padded, batch = self->batch;

  return (self->all_k = allocate (n, d, sizeof (REAL))) != NULL
         && (self->m = allocate (d, d, sizeof (REAL))) != NULL
         && (self->stack = allocate (3 * padded, d, sizeof (REAL))) != NULL
         && (self->rows = allocate (padded, d, sizeof (REAL))) != NULL
         && (self->x = allocate (1, d, sizeof (REAL))) != NULL
         && (self->slope0 = allocate (1, d, sizeof (REAL))) != NULL
         && (self->offset = allocate (1, d, sizeof (double))) != NULL
         && (self->t0 = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->base = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->q = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->e2 = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->k0 = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->w0 = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->product = allocate (batch, 3 * padded, sizeof (REAL))) != NULL
         && (self->md = allocate (batch, d, sizeof (REAL))) != NULL
         && (self->dw = allocate (batch, padded, sizeof (REAL))) != NULL
         && (self->g = allocate (batch, padded, sizeof (REAL))) != NULL
         && (self->change = allocate (batch, d, sizeof (REAL))) != NULL
         && (self->scratch = allocate (2, padded, sizeof (REAL))) != NULL
         && (self->own = allocate (batch, 4, sizeof (REAL))) != NULL;
}

/* K and M, by blocks of rows between which the flag is polled. `x` and `w` are the context and W in
 * this precision. */
static gboolean
OWN (prepare_all) (PROBLEM *self, const REAL *x, const REAL *w, const WwCancel *cancel,
                   GError **error)
{
  gsize n = self->others + 1, d = self->d;
  gsize height = CLAMP (BLOCK_WORK / ((double) d * d), 1, n);
  REAL scale = 1 / sqrt (d);

  for (gsize first = 0; first < n; first += height)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      GEMM (CblasRowMajor, CblasNoTrans, CblasTrans, MIN (height, n - first), d, d, scale,
            x + first * d, d, w, d, 0, self->all_k + first * d, d);
    }

  /* By tiles, since one of the two factors is read across its rows. */
  for (gsize top = 0; top < d; top += TILE)
    for (gsize left = 0; left < d; left += TILE)
      for (gsize r = top; r < MIN (top + TILE, d); r++)
        for (gsize c = left; c < MIN (left + TILE, d); c++)
          self->m[r * d + c] = (w[r * d + c] + w[c * d + r]) * (scale / 2);
  return !ww_cancel_check (cancel, error);
}

PROBLEM *
NAME (new) (const WwAttention *attention, gsize batch, const WwCancel *cancel, GError **error)
{
  gsize n = attention->x->rows, d = attention->x->cols;
  g_autoptr (PROBLEM) self = g_new0 (PROBLEM, 1);

  self->attention = attention;
  self->d = d;
  self->batch = batch;
  self->others = n - 1;
  self->padded = (n - 1 + WW_KERNEL_LANES - 1) / WW_KERNEL_LANES * WW_KERNEL_LANES;

  REAL *x = allocate (n, d, sizeof (REAL));
  REAL *w = allocate (d, d, sizeof (REAL));
  gboolean done = x != NULL && w != NULL && OWN (allocate_all) (self, n);
  if (done)
    {
      for (gsize k = 0; k < n * d; k++)
        x[k] = attention->x->data[k];
      for (gsize k = 0; k < d * d; k++)
        w[k] = attention->w->data[k];
      done = OWN (prepare_all) (self, x, w, cancel, error);
    }
  else
    g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                 "Not enough memory to search a context of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT,
                 n, d);
  free (x);
  free (w);
  return done ? g_steal_pointer (&self) : NULL;
}

/* The constants of row `j` at place `at` of the arrays. */
static void
OWN (set_row) (PROBLEM *self, gsize j, gsize at)
{
  const WwAttention *attention = self->attention;
  gsize n = attention->x->rows, d = self->d, token = self->token;
  const double *u = attention->xw->data + j * d, *x = attention->x->data + j * d;
  Others others = summarise_others (attention, token, j);
  double t = attention->scores->data[j * n + token], e2 = 0;

  compute_offset (attention, token, j, others, self->offset);
  for (gsize k = 0; k < d; k++)
    {
      self->stack[at * d + k] = u[k];
      self->stack[(self->padded + at) * d + k] = self->offset[k];
      self->rows[at * d + k] = x[k];
    }
  memcpy (self->stack + (2 * self->padded + at) * d, self->all_k + j * d, d * sizeof (REAL));
  e2 = cblas_ddot (d, self->offset, 1, self->offset, 1);

  gboolean softmax = attention->map == WW_MAP_SOFTMAX_RAF;
  self->t0[at] = softmax ? t - others.base : t;
  self->base[at] = softmax ? 0 : others.base;
  self->q[at] = attention->weights->data[j * n + token];
  self->e2[at] = e2;
  self->k0[at] = attention->scores->data[token * n + j];
  self->w0[at] = attention->weights->data[token * n + j];
}

/* A row beyond the last one, which contributes nothing. */
static void
OWN (set_padding) (PROBLEM *self, gsize at)
{
  gsize d = self->d;

  self->t0[at] = self->k0[at] = WW_KERNEL_PAD_SCORE;
  self->base[at] = 1;
  self->q[at] = self->e2[at] = self->w0[at] = 0;
  memset (self->rows + at * d, 0, d * sizeof (REAL));
  for (gsize part = 0; part < 3; part++)
    memset (self->stack + (part * self->padded + at) * d, 0, d * sizeof (REAL));
}

gboolean
NAME (set_token) (PROBLEM *self, gsize token, const WwCancel *cancel, GError **error)
{
  const WwAttention *attention = self->attention;
  gsize n = attention->x->rows, d = self->d, at = 0;

  self->token = token;
  for (gsize j = 0; j < n; j++)
    {
      if (j % ROWS_PER_LOOK == 0 && ww_cancel_check (cancel, error))
        return FALSE;
      if (j != token)
        OWN (set_row) (self, j, at++);
    }
  for (; at < self->padded; at++)
    OWN (set_padding) (self, at);

  for (gsize k = 0; k < d; k++)
    {
      self->x[k] = attention->x->data[token * d + k];
      self->slope0[k] = (attention->xw->data[token * d + k] + self->all_k[token * d + k]) / 2;
    }
  self->own_score = attention->scores->data[token * n + token];
  self->own_weight = attention->weights->data[token * n + token];
  return TRUE;
}

/* x'^T M x' from M delta. */
static REAL
OWN (nudge_own_score) (const PROBLEM *self, const REAL *delta, const REAL *md)
{
  return self->own_score + 2 * DOT (self->d, self->slope0, 1, delta, 1)
         + DOT (self->d, delta, 1, md, 1);
}

/* Everything of nudge `c` that lies between the first and the second product. Returns the change of
 * the other rows. */
static double
OWN (evaluate_weights) (PROBLEM *self, const WwAttentionObjective *objective, gsize c,
                        const REAL *delta)
{
  gsize padded = self->padded;
  REAL *u = self->product + c * 3 * padded, *e = u + padded, *k = e + padded;
  REAL *dw = self->dw + c * padded, *own = self->own + 4 * c;
  REAL own_score = OWN (nudge_own_score) (self, delta, self->md + c * self->d);
  double value, p2;

  own[2] = DOT (self->d, delta, 1, delta, 1);
  if (self->attention->map == WW_MAP_SOFTMAX_RAF)
    {
      value = KERNEL (rows_softmax) (padded, self->t0, self->q, self->e2, objective->beta, own[2],
                                     u, e, self->scratch, &p2);
      KERNEL (own_softmax) (padded, self->k0, self->w0, own_score, k, dw, self->scratch, &own[0],
                            &own[1]);
    }
  else
    {
      value = KERNEL (rows_relu) (padded, self->t0, self->base, self->q, self->e2,
                                  objective->smoothing, own[2], u, e, self->scratch, &p2);
      KERNEL (own_relu) (padded, self->k0, self->w0, own_score, objective->smoothing, k, dw,
                         self->scratch, &own[0], &own[1]);
    }
  own[3] = p2;
  return value;
}

/* R of nudge `c`, complete, and its square. */
static double
OWN (finish_change) (PROBLEM *self, gsize c, const REAL *delta)
{
  REAL *change = self->change + c * self->d;
  REAL weight = self->own[4 * c];

  AXPY (self->d, weight - self->own_weight, self->x, 1, change, 1);
  AXPY (self->d, weight, delta, 1, change, 1);
  return DOT (self->d, change, 1, change, 1);
}

/* The factors of K in the gradient, and the terms that need no tall product. */
static void
OWN (start_gradient) (PROBLEM *self, gsize c, const REAL *delta, REAL *gradient)
{
  gsize padded = self->padded, d = self->d;
  const REAL *own = self->own + 4 * c, *change = self->change + c * d, *md = self->md + c * d;
  REAL own_g = DOT (d, self->x, 1, change, 1) + DOT (d, delta, 1, change, 1);
  REAL mean = KERNEL (own_slopes) (padded, self->w0, self->dw + c * padded, self->g + c * padded,
                                   own[0], own_g, self->product + (3 * c + 2) * padded,
                                   self->scratch);
  REAL own_slope = 4 * own[1] * (own_g - mean);

  for (gsize k = 0; k < d; k++)
    gradient[k] = 2 * own[3] * delta[k] + 2 * own[0] * change[k]
                  + own_slope * (self->slope0[k] + md[k]);
}

/* Products that all nudges share: product = delta stack^T from row `first` of the stack on, and
 * md = delta M. */
static void
OWN (multiply_stack) (PROBLEM *self, gsize first, gsize count, const REAL *delta)
{
  gsize d = self->d, height = 3 * self->padded - first;

  if (height > 0)
    OWN (multiply_transposed) (count, height, d, delta, self->stack + first * d,
                               self->product + first, 3 * self->padded);
  OWN (multiply_symmetric) (count, d, delta, self->m, self->md);
}

static void
OWN (evaluate_capture) (PROBLEM *self, REAL penalty, gsize count, const REAL *delta,
                        double *ret_value, REAL *ret_gradient)
{
  gsize d = self->d, padded = self->padded;

  OWN (multiply_stack) (self, 2 * padded, count, delta);
  for (gsize c = 0; c < count; c++)
    {
      const REAL *md = self->md + c * d;

      ret_value[c] = OWN (nudge_own_score) (self, delta + c * d, md)
                     - penalty
                         * KERNEL (capture) (padded, self->k0,
                                             self->product + (3 * c + 2) * padded, self->scratch);
      for (gsize k = 0; ret_gradient != NULL && k < d; k++)
        ret_gradient[c * d + k] = 2 * (self->slope0[k] + md[k]);
    }
  if (ret_gradient == NULL || padded == 0)
    return;
  for (gsize c = 0; c < count; c++)
    for (gsize j = 0; j < padded; j++)
      self->product[(3 * c + 2) * padded + j] *= penalty;
  OWN (multiply) (count, padded, d, self->product + 2 * padded, 3 * padded,
                  self->stack + 2 * padded * d, TRUE, ret_gradient);
}

void
NAME (evaluate) (PROBLEM *self, const WwAttentionObjective *objective, gsize count,
                 const REAL *delta, double *ret_value, REAL *ret_gradient)
{
  gsize d = self->d, padded = self->padded;

  if (objective->capture > 0)
    {
      OWN (evaluate_capture) (self, objective->capture, count, delta, ret_value, ret_gradient);
      return;
    }

  OWN (multiply_stack) (self, 0, count, delta);
  for (gsize c = 0; c < count; c++)
    ret_value[c] = OWN (evaluate_weights) (self, objective, c, delta + c * d);

  if (padded > 0)
    OWN (multiply) (count, padded, d, self->dw, padded, self->rows, FALSE, self->change);
  else
    memset (self->change, 0, count * d * sizeof (REAL));
  for (gsize c = 0; c < count; c++)
    ret_value[c] += OWN (finish_change) (self, c, delta + c * d);
  if (ret_gradient == NULL)
    return;

  if (padded > 0)
    OWN (multiply_transposed) (count, padded, d, self->change, self->rows, self->g, padded);
  for (gsize c = 0; c < count; c++)
    OWN (start_gradient) (self, c, delta + c * d, ret_gradient + c * d);
  if (padded > 0)
    OWN (multiply) (count, 3 * padded, d, self->product, 3 * padded, self->stack, TRUE,
                    ret_gradient);
}
