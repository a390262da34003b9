/* WwAttentionProblem for one precision: REAL, PROBLEM, NAME (stem), OWN (stem), KERNEL (stem), GEMM,
 * DOT and AXPY come from the includer. No include guard, since it is included once per precision. */

struct TAG
{
  const WwAttention *attention;
  gsize d, batch;
  gsize others; /* n - 1 */
  gsize padded; /* others, rounded up to the lanes of the kernels */
  gsize height; /* rows of one block of `stack`, a multiple of the lanes */

  /* For every token, once _prepare_own was called. */
  gboolean has_all;
  REAL *all_x; /* n x d: X */
  REAL *all_k; /* n x d: K_l = W x_l / sqrt (d) */
  REAL *m;     /* d x d: (W + W^T) / (2 sqrt (d)) */

  /* For the token that is nudged; rows in the order of the context, without it. */
  gsize token;
  REAL *stack;   /* 2 padded x d: U and E of the other rows, a block of each in turn */
  double *offset; /* d, for the set-up */
  double *score_row; /* n, likewise */
  REAL *t0;      /* padded; softmax: t - b before the nudge; ReLU: t */
  REAL *base;    /* padded; ReLU: B_j */
  REAL *q, *e2;  /* padded: old weight on the token; |E_j|^2 */

  /* The same, for row i; after _prepare_own. */
  gboolean has_own;
  REAL *k;       /* padded x d: K of the other rows */
  REAL *rows;    /* padded x d: the other x_l */
  REAL *x;       /* d: x_i */
  REAL *slope0;  /* d: M x_i */
  REAL *k0, *w0; /* padded: row i before the nudge, scores and weights */
  REAL own_score, own_weight;

  /* Room for one evaluation. */
  REAL *product;   /* batch x 2 height: a block of the stack times delta, then its factors in the gradient */
  REAL *k_product; /* batch x padded: the same for K */
  REAL *md;        /* batch x d: M delta */
  REAL *dw, *g;    /* batch x padded: change of row i's weights; x_l . R */
  REAL *change;    /* batch x d: R */
  REAL *scratch;   /* 2 padded */
  REAL *own;       /* batch x 2: row i's weight and slope on itself */
  REAL *length2;   /* batch: |delta|^2 */
  double *p2;      /* batch: sum of p^2 */
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

  free (self->all_x);
  free (self->all_k);
  free (self->m);
  free (self->stack);
  free (self->offset);
  free (self->score_row);
  free (self->t0);
  free (self->base);
  free (self->q);
  free (self->e2);
  free (self->k);
  free (self->rows);
  free (self->x);
  free (self->slope0);
  free (self->k0);
  free (self->w0);
  free (self->product);
  free (self->k_product);
  free (self->md);
  free (self->dw);
  free (self->g);
  free (self->change);
  free (self->scratch);
  free (self->own);
  free (self->length2);
  free (self->p2);
  g_free (self);
}

static gboolean
OWN (allocate_all) (PROBLEM *self, gsize n)
{
  gsize d = self->d, padded = self->padded, batch = self->batch;

  return (self->all_x = allocate (n, d, sizeof (REAL))) != NULL
         && (self->all_k = allocate (n, d, sizeof (REAL))) != NULL
         && (self->m = allocate (d, d, sizeof (REAL))) != NULL
         && (self->stack = allocate (2 * padded, d, sizeof (REAL))) != NULL
         && (self->offset = allocate (1, d, sizeof (double))) != NULL
         && (self->score_row = allocate (1, n, sizeof (double))) != NULL
         && (self->t0 = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->base = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->q = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->e2 = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->k = allocate (padded, d, sizeof (REAL))) != NULL
         && (self->rows = allocate (padded, d, sizeof (REAL))) != NULL
         && (self->x = allocate (1, d, sizeof (REAL))) != NULL
         && (self->slope0 = allocate (1, d, sizeof (REAL))) != NULL
         && (self->k0 = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->w0 = allocate (1, padded, sizeof (REAL))) != NULL
         && (self->product = allocate (batch, 2 * self->height, sizeof (REAL))) != NULL
         && (self->k_product = allocate (batch, padded, sizeof (REAL))) != NULL
         && (self->md = allocate (batch, d, sizeof (REAL))) != NULL
         && (self->dw = allocate (batch, padded, sizeof (REAL))) != NULL
         && (self->g = allocate (batch, padded, sizeof (REAL))) != NULL
         && (self->change = allocate (batch, d, sizeof (REAL))) != NULL
         && (self->scratch = allocate (2, padded, sizeof (REAL))) != NULL
         && (self->own = allocate (batch, 2, sizeof (REAL))) != NULL
         && (self->length2 = allocate (batch, 1, sizeof (REAL))) != NULL
         && (self->p2 = allocate (batch, 1, sizeof (double))) != NULL;
}

PROBLEM *
NAME (new) (const WwAttention *attention, gsize batch, GError **error)
{
  gsize n = attention->x->rows, d = attention->x->cols;
  g_autoptr (PROBLEM) self = g_new0 (PROBLEM, 1);
  gsize height = BLOCK_BYTES / (2 * d * sizeof (REAL)) / WW_KERNEL_LANES * WW_KERNEL_LANES;

  self->attention = attention;
  self->d = d;
  self->batch = batch;
  self->others = n - 1;
  self->padded = (n - 1 + WW_KERNEL_LANES - 1) / WW_KERNEL_LANES * WW_KERNEL_LANES;
  self->height = MIN (MAX (height, WW_KERNEL_LANES), self->padded);
  if (OWN (allocate_all) (self, n))
    return g_steal_pointer (&self);

  g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
               _("Not enough memory to search a context of %zu x %zu"),
               n, d);
  return NULL;
}

/* (W + W^T) / (2 sqrt (d)) in the place of W. By tiles, since one of the two is read across its rows. */
static void
OWN (symmetrise) (gsize d, REAL *m)
{
  REAL scale = 0.5 / sqrt (d);

  for (gsize top = 0; top < d; top += TILE)
    for (gsize left = top; left < d; left += TILE)
      for (gsize r = top; r < MIN (top + TILE, d); r++)
        for (gsize c = MAX (left, r); c < MIN (left + TILE, d); c++)
          m[r * d + c] = m[c * d + r] = (m[r * d + c] + m[c * d + r]) * scale;
}

/* K and M, by blocks of rows between which the flag is polled. */
static gboolean
OWN (prepare_all) (PROBLEM *self, const WwCancel *cancel, GError **error)
{
  gsize n = self->others + 1, d = self->d;
  gsize height = CLAMP (BLOCK_WORK / ((double) d * d), 1, n);
  const double *x = self->attention->x->data, *w = self->attention->w->data;

  for (gsize k = 0; k < n * d; k++)
    self->all_x[k] = x[k];
  for (gsize k = 0; k < d * d; k++)
    self->m[k] = w[k];
  for (gsize first = 0; first < n; first += height)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      GEMM (CblasRowMajor, CblasNoTrans, CblasTrans, MIN (height, n - first), d, d, 1 / sqrt (d),
            self->all_x + first * d, d, self->m, d, 0, self->all_k + first * d, d);
    }
  OWN (symmetrise) (d, self->m);
  self->has_all = TRUE;
  return !ww_cancel_check (cancel, error);
}

/* Where in the stack U of the row at place `at` stands; E of it is as many rows further as its block
 * is high. */
static REAL *
OWN (find_in_stack) (const PROBLEM *self, gsize at, gsize *ret_rows)
{
  gsize first = at / self->height * self->height;

  *ret_rows = MIN (self->height, self->padded - first);
  return self->stack + (2 * first + (at - first)) * self->d;
}

/* The constants of row `j` at place `at` of the arrays. */
static void
OWN (set_row) (PROBLEM *self, gsize j, gsize at)
{
  const WwAttention *attention = self->attention;
  gsize d = self->d, token = self->token, rows;
  const double *u = attention->xw->data + j * d;
  double t = ww_attention_get_score (attention, j, token);
  double q = ww_attention_get_weight (attention, j, token, t);
  Others others = summarise_others (attention, token, j, t, q, self->score_row);
  REAL *place = OWN (find_in_stack) (self, at, &rows);

  compute_offset (attention, token, j, others, self->score_row, self->offset);
  for (gsize k = 0; k < d; k++)
    {
      place[k] = u[k];
      place[rows * d + k] = self->offset[k];
    }

  gboolean softmax = attention->map == WW_MAP_SOFTMAX_RAF;
  self->t0[at] = softmax ? t - others.base : t;
  self->base[at] = softmax ? 0 : others.base;
  self->q[at] = q;
  self->e2[at] = cblas_ddot (d, self->offset, 1, self->offset, 1);
}

/* A row beyond the last one, which contributes nothing. */
static void
OWN (set_padding) (PROBLEM *self, gsize at)
{
  gsize d = self->d, rows;
  REAL *place = OWN (find_in_stack) (self, at, &rows);

  self->t0[at] = WW_KERNEL_PAD_SCORE;
  self->base[at] = 1;
  self->q[at] = self->e2[at] = 0;
  memset (place, 0, d * sizeof (REAL));
  memset (place + rows * d, 0, d * sizeof (REAL));
}

gboolean
NAME (set_token) (PROBLEM *self, gsize token, const WwCancel *cancel, GError **error)
{
  gsize n = self->others + 1, at = 0;

  self->token = token;
  self->has_own = FALSE;
  for (gsize j = 0; j < n; j++)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      if (j != token)
        OWN (set_row) (self, j, at++);
    }
  for (; at < self->padded; at++)
    OWN (set_padding) (self, at);
  return TRUE;
}

gboolean
NAME (prepare_own) (PROBLEM *self, const WwCancel *cancel, GError **error)
{
  const WwAttention *attention = self->attention;
  gsize d = self->d, token = self->token, before = token * d;
  gsize after = (self->others - token) * d, padding = self->padded - self->others;
  const double *scores;

  if (self->has_own)
    return TRUE;
  if (!self->has_all && !OWN (prepare_all) (self, cancel, error))
    return FALSE;

  memcpy (self->k, self->all_k, before * sizeof (REAL));
  memcpy (self->k + before, self->all_k + before + d, after * sizeof (REAL));
  memset (self->k + before + after, 0, padding * d * sizeof (REAL));
  memcpy (self->rows, self->all_x, before * sizeof (REAL));
  memcpy (self->rows + before, self->all_x + before + d, after * sizeof (REAL));
  memset (self->rows + before + after, 0, padding * d * sizeof (REAL));
  scores = ww_attention_get_score_row (attention, token, self->score_row);
  for (gsize at = 0; at < self->padded; at++)
    {
      gsize l = at + (at >= token);

      self->k0[at] = at < self->others ? scores[l] : WW_KERNEL_PAD_SCORE;
      self->w0[at] = at < self->others ? ww_attention_get_weight (attention, token, l, scores[l]) : 0;
    }
  for (gsize k = 0; k < d; k++)
    {
      self->x[k] = self->all_x[before + k];
      self->slope0[k] = (attention->xw->data[before + k] + self->all_k[before + k]) / 2;
    }
  self->own_score = scores[token];
  self->own_weight = ww_attention_get_weight (attention, token, token, scores[token]);
  self->has_own = TRUE;
  return TRUE;
}

/* x'^T M x' from M delta. */
static REAL
OWN (nudge_own_score) (const PROBLEM *self, const REAL *delta, const REAL *md)
{
  return self->own_score + 2 * DOT (self->d, self->slope0, 1, delta, 1)
         + DOT (self->d, delta, 1, md, 1);
}

/* Rows first ... first + rows - 1 under nudge `c`: between the two products of the block. */
static double
OWN (evaluate_rows) (PROBLEM *self, const WwAttentionObjective *objective, gsize first, gsize rows,
                     gsize c)
{
  REAL *u = self->product + 2 * rows * c, *e = u + rows;
  double value, p2;

  if (self->attention->map == WW_MAP_SOFTMAX_RAF)
    value = KERNEL (rows_softmax) (rows, self->t0 + first, self->q + first, self->e2 + first,
                                   objective->beta, self->length2[c], u, e, self->scratch, &p2);
  else
    value = KERNEL (rows_relu) (rows, self->t0 + first, self->base + first, self->q + first,
                                self->e2 + first, objective->smoothing, self->length2[c], u, e,
                                self->scratch, &p2);
  self->p2[c] += p2;
  return value;
}

/* The change of all rows but the token's own: a block at a time, so that the block comes from the cache
 * when the gradient is made of it. */
static void
OWN (evaluate_others) (PROBLEM *self, const WwAttentionObjective *objective, gsize count,
                       const REAL *delta, double *ret_value, REAL *ret_gradient)
{
  gsize d = self->d, padded = self->padded;

  for (gsize c = 0; c < count; c++)
    {
      self->length2[c] = DOT (d, delta + c * d, 1, delta + c * d, 1);
      self->p2[c] = ret_value[c] = 0;
    }
  if (padded == 0 && ret_gradient != NULL)
    memset (ret_gradient, 0, count * d * sizeof (REAL));

  for (gsize first = 0; first < padded; first += self->height)
    {
      gsize rows = MIN (self->height, padded - first);
      const REAL *block = self->stack + 2 * first * d;

      OWN (multiply_transposed) (count, 2 * rows, d, delta, block, self->product, 2 * rows);
      for (gsize c = 0; c < count; c++)
        ret_value[c] += OWN (evaluate_rows) (self, objective, first, rows, c);
      if (ret_gradient != NULL)
        OWN (multiply) (count, 2 * rows, d, self->product, 2 * rows, block, first > 0,
                        ret_gradient);
    }
  for (gsize c = 0; ret_gradient != NULL && c < count; c++)
    AXPY (d, 2 * self->p2[c], delta + c * d, 1, ret_gradient + c * d, 1);
}

/* Row i's weights under nudge `c`. */
static void
OWN (evaluate_own_weights) (PROBLEM *self, const WwAttentionObjective *objective, gsize c,
                            const REAL *delta)
{
  gsize padded = self->padded;
  REAL *k = self->k_product + c * padded, *dw = self->dw + c * padded, *own = self->own + 2 * c;
  REAL own_score = OWN (nudge_own_score) (self, delta, self->md + c * self->d);

  if (self->attention->map == WW_MAP_SOFTMAX_RAF)
    KERNEL (own_softmax) (padded, self->k0, self->w0, own_score, k, dw, self->scratch, &own[0],
                          &own[1]);
  else
    KERNEL (own_relu) (padded, self->k0, self->w0, own_score, objective->smoothing, k, dw,
                       self->scratch, &own[0], &own[1]);
}

/* R of nudge `c`, complete, and its square. */
static double
OWN (finish_change) (PROBLEM *self, gsize c, const REAL *delta)
{
  REAL *change = self->change + c * self->d;
  REAL weight = self->own[2 * c];

  AXPY (self->d, weight - self->own_weight, self->x, 1, change, 1);
  AXPY (self->d, weight, delta, 1, change, 1);
  return DOT (self->d, change, 1, change, 1);
}

/* The factors of K in the gradient, and the terms that need no tall product. */
static void
OWN (add_own_gradient) (PROBLEM *self, gsize c, const REAL *delta, REAL *gradient)
{
  gsize padded = self->padded, d = self->d;
  const REAL *own = self->own + 2 * c, *change = self->change + c * d, *md = self->md + c * d;
  REAL own_g = DOT (d, self->x, 1, change, 1) + DOT (d, delta, 1, change, 1);
  REAL mean = KERNEL (own_slopes) (padded, self->w0, self->dw + c * padded, self->g + c * padded,
                                   own[0], own_g, self->k_product + c * padded, self->scratch);
  REAL own_slope = 4 * own[1] * (own_g - mean);

  for (gsize k = 0; k < d; k++)
    gradient[k] += 2 * own[0] * change[k] + own_slope * (self->slope0[k] + md[k]);
}

/* What row i's scores need: md = delta M and k_product = delta K^T, which comes last, since K is wanted
 * again soon. */
static void
OWN (multiply_own) (PROBLEM *self, gsize count, const REAL *delta)
{
  OWN (multiply_symmetric) (count, self->d, delta, self->m, self->md);
  if (self->padded > 0)
    OWN (multiply_transposed) (count, self->padded, self->d, delta, self->k, self->k_product,
                               self->padded);
}

static void
OWN (add_own) (PROBLEM *self, const WwAttentionObjective *objective, gsize count,
               const REAL *delta, double *ret_value, REAL *ret_gradient)
{
  gsize d = self->d, padded = self->padded;

  OWN (multiply_own) (self, count, delta);
  for (gsize c = 0; c < count; c++)
    OWN (evaluate_own_weights) (self, objective, c, delta + c * d);
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
    OWN (add_own_gradient) (self, c, delta + c * d, ret_gradient + c * d);
  if (padded > 0)
    OWN (multiply) (count, padded, d, self->k_product, padded, self->k, TRUE, ret_gradient);
}

/* Capture of the nudged token by its own row under nudge `c`: its value; *ret_slope is the factor of half
 * the slope of the own score in its gradient. */
static double
OWN (capture_own) (PROBLEM *self, REAL penalty, gsize c, REAL own_score, REAL *ret_slope)
{
  REAL *k = self->k_product + c * self->padded;

  *ret_slope = 2;
  return own_score - penalty * KERNEL (capture) (self->padded, self->k0, k, self->scratch);
}

/* The same for another token, at place `at`: the own score is one of those that are kept down. */
static double
OWN (capture_other) (PROBLEM *self, REAL penalty, gsize c, gsize at, REAL own_score, REAL *ret_slope)
{
  REAL *k = self->k_product + c * self->padded;
  REAL score = self->k0[at] + k[at], active = MAX (score, 0), own = MAX (own_score, 0);
  double sum = KERNEL (capture) (self->padded, self->k0, k, self->scratch);

  k[at] = 1 / penalty;
  *ret_slope = -2 * penalty * own;
  return score - penalty * (sum - 0.5 * active * active + 0.5 * own * own);
}

static void
OWN (evaluate_capture) (PROBLEM *self, const WwAttentionObjective *objective, gsize count,
                        const REAL *delta, double *ret_value, REAL *ret_gradient)
{
  gsize d = self->d, padded = self->padded;
  REAL penalty = objective->capture;

  OWN (multiply_own) (self, count, delta);
  for (gsize c = 0; c < count; c++)
    {
      const REAL *md = self->md + c * d;
      REAL own_score = OWN (nudge_own_score) (self, delta + c * d, md), slope;

      ret_value[c] = objective->captured == 0
                       ? OWN (capture_own) (self, penalty, c, own_score, &slope)
                       : OWN (capture_other) (self, penalty, c, objective->captured - 1, own_score, &slope);
      for (gsize k = 0; ret_gradient != NULL && k < d; k++)
        ret_gradient[c * d + k] = slope * (self->slope0[k] + md[k]);
    }
  if (ret_gradient == NULL || padded == 0)
    return;
  for (gsize at = 0; at < count * padded; at++)
    self->k_product[at] *= penalty;
  OWN (multiply) (count, padded, d, self->k_product, padded, self->k, TRUE, ret_gradient);
}

void
NAME (evaluate) (PROBLEM *self, const WwAttentionObjective *objective, gsize count,
                 const REAL *delta, double *ret_value, REAL *ret_gradient)
{
  g_return_if_fail (self->has_own || objective->others_only);
  g_return_if_fail (objective->captured <= self->others);

  if (objective->capture > 0)
    {
      OWN (evaluate_capture) (self, objective, count, delta, ret_value, ret_gradient);
      return;
    }
  OWN (evaluate_others) (self, objective, count, delta, ret_value, ret_gradient);
  if (!objective->others_only)
    OWN (add_own) (self, objective, count, delta, ret_value, ret_gradient);
}
