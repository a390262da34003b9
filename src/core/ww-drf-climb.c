/* Conjugate gradients on the sphere, for B starts at a time, through all layers.
 *
 * What moves through the network is not the features but their change c_l: with u_l = V_l h_{l-1} of the
 * context as it is, relu (u_l + V_l c_{l-1}) - relu (u_l) = max (V_l c_{l-1} + low, -high),
 * low = min (u_l, 0), high = max (u_l, 0), one branch-free form per layer without cancellation, and a unit
 * is at work exactly where its change is above -high. Homogeneity lets every layer have a unit of its own,
 * so that all numbers are of order 1 in single precision.
 *
 * A step costs three passes: one back (vector-Jacobian product: the gradient), one forward with the units
 * as they are (Jacobian-vector product: the curvature along the great circle), one forward to the point
 * chosen. Between switching units the objective is quadratic in the nudge, so on the great circle through
 * D and P its maximum lies at tan (2 theta) = 2 B / (A - C), A = <g, D>, B = <g, P>, C = ||J P||^2; where
 * units switch too soon, theta is cut until the objective rises.
 *
 * high = inf, low = 0 on the active units and high = 0, low = -inf elsewhere make of it the linear problem
 * of the singular vector. */
#include "ww-drf-climb.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-conjugate.h"
#include "ww-drf-private.h"
#include "ww-private.h"

#define TILE_FLOPS 60000000 /* one product, at most: 1 ms, and 10 ms on a slow machine */
#define CHUNK 4096          /* summands in single precision before the sum goes on in double */
#define CUTS 3              /* of an angle that was too wide, within one step */
#define CUT 0.25
#define LEAST_REACH 1e-5    /* an angle at which single precision sees no rise */

/* One layer as the climb sees it. */
typedef struct
{
  const float *weights; /* rows x cols */
  gsize rows, cols;
  const double *u;      /* rows; u / (2^exponent length) is in the unit of the climb */
  int exponent;
  gsize place;          /* of the layer's units among those of all layers */
} Stage;

struct _WwDrfClimb
{
  const WwDrf *drf; /* not owned: the workspace lives shorter */
  gsize d, width, depth;
  gsize units;      /* of all layers together */
  gsize widest;     /* of the layers */
  double length;    /* radius of the ball */
  Stage stages[WW_MAX_DEPTH];

  float *memory;                   /* all arrays of floats */
  float *low, *high;               /* units */
  float *nudge, *trial_nudge;      /* width x d, unit rows */
  float *direction;                /* of the great circle, width x d, unit rows */
  float *gradient, *last_gradient; /* width x d; tangent to the sphere once turned */
  float *change, *trial_change;    /* of all layers, width x units */
  float *pull, *next_pull;         /* what passes a layer, back or forth, width x widest */

  double *value, *trial_value;     /* the objective, width */
  double *theta;                   /* width */
  double *reach;                   /* no angle above it is tried: units switched too soon before, width */
  gsize *pending;                  /* starts that still look for an angle, width */
  WwConjugate *conjugate;          /* width */
};

static void
set_stages (WwDrfClimb *climb)
{
  const WwDrf *drf = climb->drf;
  int exponent = ilogb (drf->first->unit);

  climb->stages[0] = (Stage) { .weights = drf->first->block, .rows = drf->first->k, .cols = drf->first->d,
                               .u = drf->first->u, .exponent = exponent };
  climb->depth = drf->deep->n_layers + 1;
  climb->widest = climb->units = drf->first->k;

  for (gsize l = 1; l < climb->depth; l++)
    {
      const WwDrfLayer *layer = &drf->deep->layers[l - 1];

      exponent += layer->exponent;
      climb->stages[l] = (Stage) { .weights = layer->weights, .rows = layer->rows, .cols = layer->cols,
                                   .u = layer->u, .exponent = exponent, .place = climb->units };
      climb->units += layer->rows;
      climb->widest = MAX (climb->widest, layer->rows);
    }
}

static void
set_linear (gpointer data, gboolean linear)
{
  WwDrfClimb *climb = data;

  for (gsize l = 0; l < climb->depth; l++)
    {
      const Stage *stage = &climb->stages[l];
      float *low = climb->low + stage->place, *high = climb->high + stage->place;

      for (gsize r = 0; r < stage->rows; r++)
        {
          /* A pre-activation beyond single precision becomes infinite, which is the linear case again. */
          double u = ldexp (stage->u[r], -stage->exponent) / climb->length;
          gboolean active = u > 0;

          low[r] = linear ? (active ? 0 : -INFINITY) : (float) MIN (u, 0);
          high[r] = linear ? (active ? INFINITY : 0) : (float) MAX (u, 0);
        }
    }
}

/* One block for all arrays of floats. Limits on depth, width and dimensions keep the sum far from
 * overflow. */
static gboolean
allocate_floats (WwDrfClimb *climb, GError **error)
{
  gsize of_nudges = climb->width * climb->d, of_units = climb->width * climb->units;
  gsize of_layer = climb->width * climb->widest;
  struct
  {
    float **array;
    gsize count;
  } arrays[] = {
    { &climb->low, climb->units },       { &climb->high, climb->units },
    { &climb->nudge, of_nudges },        { &climb->trial_nudge, of_nudges },
    { &climb->direction, of_nudges },    { &climb->gradient, of_nudges },
    { &climb->last_gradient, of_nudges }, { &climb->change, of_units },
    { &climb->trial_change, of_units },  { &climb->pull, of_layer },
    { &climb->next_pull, of_layer },
  };
  gsize total = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    total += arrays[i].count;

  climb->memory = ww_try_alloc (total, 1, sizeof (float), error);
  if (climb->memory == NULL)
    return FALSE;

  total = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    {
      *arrays[i].array = climb->memory + total;
      total += arrays[i].count;
    }

  return TRUE;
}

WwDrfClimb *
ww_drf_climb_new (const WwDrf *drf, double length, gsize width, GError **error)
{
  g_autoptr (WwDrfClimb) climb = g_new0 (WwDrfClimb, 1);

  climb->drf = drf;
  climb->d = drf->first->d;
  climb->width = width;
  climb->length = length;
  set_stages (climb);
  if (!allocate_floats (climb, error))
    return NULL;

  climb->value = g_new0 (double, width);
  climb->trial_value = g_new0 (double, width);
  climb->theta = g_new0 (double, width);
  climb->reach = g_new0 (double, width);
  climb->pending = g_new0 (gsize, width);
  climb->conjugate = g_new0 (WwConjugate, width);
  set_linear (climb, FALSE);
  return g_steal_pointer (&climb);
}

void
ww_drf_climb_free (WwDrfClimb *climb)
{
  if (climb == NULL)
    return;

  free (climb->memory);
  g_free (climb->value);
  g_free (climb->trial_value);
  g_free (climb->theta);
  g_free (climb->reach);
  g_free (climb->pending);
  g_free (climb->conjugate);
  g_free (climb);
}

static float *
get_start (gpointer data, gsize index)
{
  WwDrfClimb *climb = data;

  return climb->nudge + index * climb->d;
}

/* Rows of a layer that one product may take, so that the cancel flag is looked at in time. */
static gsize
tile_rows (const Stage *stage, gsize active)
{
  gsize rows = TILE_FLOPS / (2 * stage->cols * active);

  return CLAMP (rows, 16, stage->rows);
}

/* output (active x rows, one row every `output_step`) = input (active x cols) V^T */
static gboolean
multiply_forth (const Stage *stage, const float *input, gsize input_step, gsize active, float *output,
                gsize output_step, const WwCancel *cancel, GError **error)
{
  gsize tile = tile_rows (stage, active);

  for (gsize r = 0; r < stage->rows; r += tile)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (int) active, (int) MIN (tile, stage->rows - r),
                   (int) stage->cols, 1, input, (int) input_step, stage->weights + r * stage->cols,
                   (int) stage->cols, 0, output + r, (int) output_step);
    }

  return TRUE;
}

/* output (active x cols) = input (active x rows) V */
static gboolean
multiply_back (const Stage *stage, const float *input, gsize input_step, gsize active, float *output,
               gsize output_step, const WwCancel *cancel, GError **error)
{
  gsize tile = tile_rows (stage, active);

  for (gsize r = 0; r < stage->rows; r += tile)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) active, (int) stage->cols,
                   (int) MIN (tile, stage->rows - r), 1, input + r, (int) input_step,
                   stage->weights + r * stage->cols, (int) stage->cols, r == 0 ? 0 : 1, output,
                   (int) output_step);
    }

  return TRUE;
}

/* From what a nudge adds to the pre-activations to the change of the units, in place. */
WW_WIDEST_REGISTERS static void
bend (float *change, const float *low, const float *high, gsize count)
{
  for (gsize i = 0; i < count; i++)
    {
      float moved = change[i] + low[i];
      float floor = -high[i];

      change[i] = moved > floor ? moved : floor;
    }
}

/* Keeps of `values` what belongs to units at work. */
WW_WIDEST_REGISTERS static void
mask (float *values, const float *change, const float *high, gsize count)
{
  for (gsize i = 0; i < count; i++)
    values[i] = change[i] > -high[i] ? values[i] : 0;
}

WW_WIDEST_REGISTERS static float
square_chunk (const float *values, gsize count)
{
  float sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < count; i++)
    sum += values[i] * values[i];

  return sum;
}

static double
squared_norm (const float *values, gsize count)
{
  double total = 0;

  for (gsize c = 0; c < count; c += CHUNK)
    total += square_chunk (values + c, MIN (CHUNK, count - c));

  return total;
}

static double
product (const float *a, const float *b, gsize count)
{
  double total = 0;

  for (gsize i = 0; i < count; i++)
    total += (double) a[i] * b[i];

  return total;
}

/* The changes of all layers (active x units) and the objective for `nudges` (active x d). */
static gboolean
run_forward (const WwDrfClimb *climb, const float *nudges, gsize active, float *change, double *value,
             const WwCancel *cancel, GError **error)
{
  const Stage *last = &climb->stages[climb->depth - 1];

  for (gsize l = 0; l < climb->depth; l++)
    {
      const Stage *stage = &climb->stages[l];
      const float *input = l == 0 ? nudges : change + climb->stages[l - 1].place;

      if (!multiply_forth (stage, input, l == 0 ? climb->d : climb->units, active, change + stage->place,
                           climb->units, cancel, error))
        return FALSE;
      for (gsize b = 0; b < active; b++)
        bend (change + b * climb->units + stage->place, climb->low + stage->place,
              climb->high + stage->place, stage->rows);
    }

  for (gsize b = 0; b < active; b++)
    value[b] = squared_norm (change + b * climb->units + last->place, last->rows);

  return TRUE;
}

/* mask () for one layer of all active starts. */
static void
mask_layer (const WwDrfClimb *climb, const Stage *stage, gsize active, float *values)
{
  for (gsize b = 0; b < active; b++)
    mask (values + b * climb->widest, climb->change + b * climb->units + stage->place,
          climb->high + stage->place, stage->rows);
}

static void
swap_pulls (WwDrfClimb *climb)
{
  float *pull = climb->pull;

  climb->pull = climb->next_pull;
  climb->next_pull = pull;
}

/* gradient (active x d) of half the objective at the nudges, whose changes are known. */
static gboolean
run_back (WwDrfClimb *climb, gsize active, const WwCancel *cancel, GError **error)
{
  const Stage *last = &climb->stages[climb->depth - 1];

  for (gsize b = 0; b < active; b++)
    memcpy (climb->pull + b * climb->widest, climb->change + b * climb->units + last->place,
            last->rows * sizeof (float));

  for (gsize l = climb->depth - 1; l > 0; l--)
    {
      mask_layer (climb, &climb->stages[l], active, climb->pull);
      if (!multiply_back (&climb->stages[l], climb->pull, climb->widest, active, climb->next_pull,
                          climb->widest, cancel, error))
        return FALSE;
      swap_pulls (climb);
    }

  mask_layer (climb, &climb->stages[0], active, climb->pull);
  return multiply_back (&climb->stages[0], climb->pull, climb->widest, active, climb->gradient, climb->d,
                        cancel, error);
}

/* The directions of all active starts through the network with its units as they are: the last layer's
 * values end in climb->pull. */
static gboolean
push_directions (WwDrfClimb *climb, gsize active, const WwCancel *cancel, GError **error)
{
  if (!multiply_forth (&climb->stages[0], climb->direction, climb->d, active, climb->pull, climb->widest,
                       cancel, error))
    return FALSE;
  mask_layer (climb, &climb->stages[0], active, climb->pull);

  for (gsize l = 1; l < climb->depth; l++)
    {
      if (!multiply_forth (&climb->stages[l], climb->pull, climb->widest, active, climb->next_pull,
                           climb->widest, cancel, error))
        return FALSE;
      swap_pulls (climb);
      mask_layer (climb, &climb->stages[l], active, climb->pull);
    }

  return TRUE;
}

/* The directions in which the active starts go; ended[b] where there is none. along[b] = <g, D>, taken
 * before the gradient is made tangent. */
static void
choose_directions (WwDrfClimb *climb, gsize active, double *along, gboolean *ended)
{
  gsize d = climb->d;

  for (gsize b = 0; b < active; b++)
    {
      gsize at = b * d;

      along[b] = product (climb->gradient + at, climb->nudge + at, d);
      ended[b] = !ww_conjugate_turn (&climb->conjugate[b], climb->nudge + at, climb->gradient + at,
                                     climb->last_gradient + at, climb->direction + at, d);
      if (ended[b]) /* no direction, but a row that the product may read */
        memcpy (climb->direction + at, climb->nudge + at, d * sizeof (float));
    }
}

/* The angle at which the quadratic model of the great circle is largest. */
static double
model_angle (const WwDrfClimb *climb, gsize b, double along)
{
  const Stage *last = &climb->stages[climb->depth - 1];
  double rise = product (climb->gradient + b * climb->d, climb->direction + b * climb->d, climb->d);
  double curvature = squared_norm (climb->pull + b * climb->widest, last->rows);

  return 0.5 * atan2 (2 * rise, along - curvature);
}

/* The trial of a start that rises becomes its place. */
static void
accept (WwDrfClimb *climb, gsize b, gsize trial)
{
  gsize at = b * climb->d;

  ww_conjugate_walk (climb->theta[b], climb->nudge + at, climb->direction + at, climb->last_gradient + at,
                     climb->nudge + at, climb->d);
  memcpy (climb->change + b * climb->units, climb->trial_change + trial * climb->units,
          climb->units * sizeof (float));
  climb->value[b] = climb->trial_value[trial];
}

static void
set_trial (WwDrfClimb *climb, gsize b, gsize trial)
{
  const float *nudge = climb->nudge + b * climb->d, *direction = climb->direction + b * climb->d;
  float *place = climb->trial_nudge + trial * climb->d;
  float cosine = (float) cos (climb->theta[b]), sine = (float) sin (climb->theta[b]);

  for (gsize i = 0; i < climb->d; i++)
    place[i] = cosine * nudge[i] + sine * direction[i];
}

/* Tries the angles of the `count` pending starts and cuts those at which the objective does not rise. A
 * cut is remembered in reach, and theta is 0 where none helped. */
static gboolean
try_angles (WwDrfClimb *climb, gsize count, guint64 *evaluations, const WwCancel *cancel, GError **error)
{
  for (guint cut = 0; count > 0 && cut <= CUTS; cut++)
    {
      gsize left = 0;

      for (gsize t = 0; t < count; t++)
        set_trial (climb, climb->pending[t], t);
      if (!run_forward (climb, climb->trial_nudge, count, climb->trial_change, climb->trial_value, cancel,
                        error))
        return FALSE;

      *evaluations += count;
      for (gsize t = 0; t < count; t++)
        {
          gsize b = climb->pending[t];

          if (climb->trial_value[t] > climb->value[b])
            {
              accept (climb, b, t);
              climb->reach[b] = cut == 0 ? MAX (climb->reach[b], 2 * climb->theta[b]) : climb->theta[b];
              continue;
            }
          climb->reach[b] = climb->theta[b] * CUT;
          climb->theta[b] = cut < CUTS ? climb->reach[b] : 0;
          climb->pending[left++] = b;
        }
      count = left;
    }

  return TRUE;
}

/* Whether start b is done after a step that gained little or more. A conjugate direction may be a poor
 * one: only a step along the gradient itself ends a climb, and only where it could go as far as it
 * wanted, or no further at all. */
static gboolean
is_done (WwDrfClimb *climb, gsize b, gboolean gained_little)
{
  WwConjugate *conjugate = &climb->conjugate[b];
  gboolean free_to_go = climb->theta[b] > 0 && climb->theta[b] < climb->reach[b];

  conjugate->fresh = gained_little;
  return gained_little && conjugate->plain && (free_to_go || climb->reach[b] < LEAST_REACH);
}

/* One step of all active starts. ended[b] is set for those that gain no more. */
static gboolean
step (WwDrfClimb *climb, gsize active, const WwClimbPlan *plan, double *before, gboolean *ended,
      guint64 *evaluations, const WwCancel *cancel, GError **error)
{
  gsize count = 0;

  if (!run_back (climb, active, cancel, error))
    return FALSE;
  choose_directions (climb, active, before, ended);
  if (!push_directions (climb, active, cancel, error))
    return FALSE;

  for (gsize b = 0; b < active; b++)
    {
      if (ended[b])
        continue;
      climb->theta[b] = MIN (model_angle (climb, b, before[b]), climb->reach[b]);
      climb->pending[count++] = b;
    }

  memcpy (before, climb->value, active * sizeof (double));
  if (!try_angles (climb, count, evaluations, cancel, error))
    return FALSE;

  for (gsize b = 0; b < active; b++)
    {
      if (!ended[b])
        ended[b] = is_done (climb, b, climb->value[b] - before[b] < plan->tolerance * climb->value[b]);
    }

  return TRUE;
}

/* Start `to` takes over what start `from` has. */
static void
move_start (WwDrfClimb *climb, gsize from, gsize to)
{
  gsize d = climb->d;

  if (from == to)
    return;

  memcpy (climb->nudge + to * d, climb->nudge + from * d, d * sizeof (float));
  memcpy (climb->direction + to * d, climb->direction + from * d, d * sizeof (float));
  memcpy (climb->last_gradient + to * d, climb->last_gradient + from * d, d * sizeof (float));
  memcpy (climb->change + to * climb->units, climb->change + from * climb->units,
          climb->units * sizeof (float));
  climb->value[to] = climb->value[from];
  climb->reach[to] = climb->reach[from];
  climb->conjugate[to] = climb->conjugate[from];
}

/* Drops starts that have ended, met a better one, or fallen behind; returns how many go on. */
static gsize
thin (WwDrfClimb *climb, gsize active, gsize keep, gboolean *ended)
{
  gsize going = 0;

  for (gsize b = 0; b < active; b++)
    ended[b] = ended[b] || ww_conjugate_is_duplicate (climb->nudge, climb->value, active, climb->d, b)
               || ww_conjugate_rank (climb->value, active, b) >= keep;

  for (gsize b = 0; b < active; b++)
    if (!ended[b])
      move_start (climb, b, going++);

  return going;
}

/* Notes the best of the active starts if it is the best so far. */
static void
note_best (const WwDrfClimb *climb, gsize active, double *best, double *best_value)
{
  for (gsize b = 0; b < active; b++)
    if (climb->value[b] > *best_value)
      {
        *best_value = climb->value[b];
        for (gsize i = 0; i < climb->d; i++)
          best[i] = climb->nudge[b * climb->d + i];
      }
}

static gboolean
run (gpointer data, gsize n_starts, const WwClimbPlan *plan, const WwCancel *cancel, double *ret_best,
     double *ret_value, guint64 *evaluations, GError **error)
{
  WwDrfClimb *climb = data;
  g_autofree gboolean *ended = g_new0 (gboolean, n_starts);
  g_autofree double *before = g_new0 (double, n_starts);
  double best_value = -1;
  gsize active = n_starts;

  g_return_val_if_fail (n_starts > 0 && n_starts <= climb->width, FALSE);

  for (gsize b = 0; b < n_starts; b++)
    {
      ww_conjugate_scale_to_unit (climb->nudge + b * climb->d, climb->d);
      climb->conjugate[b] = (WwConjugate) { .fresh = TRUE };
      climb->reach[b] = G_PI_2;
    }

  if (!run_forward (climb, climb->nudge, n_starts, climb->change, climb->value, cancel, error))
    return FALSE;

  *evaluations += n_starts;
  note_best (climb, active, ret_best, &best_value);
  for (guint taken = 0; active > 0 && taken < plan->steps; taken++)
    {
      gsize keep = plan->thin_at > 0 && taken + 1 == plan->thin_at ? plan->thin_to : active;

      if (!step (climb, active, plan, before, ended, evaluations, cancel, error))
        return FALSE;

      note_best (climb, active, ret_best, &best_value);
      active = thin (climb, active, keep, ended);
    }

  *ret_value = best_value;
  return TRUE;
}

WwClimber
ww_drf_climb_get_climber (WwDrfClimb *climb)
{
  return (WwClimber) {
    .climb = climb,
    .width = climb->width,
    .d = climb->d,
    .token = climb->drf->first->token,
    .x = climb->drf->first->x,
    .set_linear = set_linear,
    .get_start = get_start,
    .run = run,
  };
}

gboolean
ww_drf_climb_differentiate (WwDrfClimb *climb, const float *nudge, double *ret_value, float *ret_gradient,
                            GError **error)
{
  memcpy (climb->nudge, nudge, climb->d * sizeof (float));
  if (!run_forward (climb, climb->nudge, 1, climb->change, climb->value, NULL, error)
      || !run_back (climb, 1, NULL, error))
    return FALSE;

  *ret_value = climb->value[0] / 2;
  memcpy (ret_gradient, climb->gradient, climb->d * sizeof (float));
  return TRUE;
}
