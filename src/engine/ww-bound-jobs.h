/* The certified bounds of one token's word sensitivity, as a job. */
#pragma once

#include "ww-jobs.h"

G_BEGIN_DECLS

typedef struct
{
  WwMap map;
  gsize token;
  double bound; /* of the word sensitivity */
} WwTokenBound;

/* Emits WwTokenBound, one a step: the quick bound of each target, which comes at once, and then the tight
 * one. */
extern const WwJobClass ww_bound_job;
/* `targets` of the attention maps, at most WW_N_MAPS, with what was found of each; copied. */
gpointer ww_bound_request_new (const WwJobContext *context, const WwTarget *targets, const double *found,
                               gsize n_targets);

G_END_DECLS
