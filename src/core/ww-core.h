/* Everything the compute core offers, in one include. */
#pragma once

#include "ww-attention.h"
#include "ww-bound.h"
#include "ww-curve.h"
#include "ww-drf.h"
#include "ww-matrix.h"
#include "ww-nudge.h"
#include "ww-random.h"
#include "ww-rf.h"
#include "ww-row-scale.h"
#include "ww-search.h"
#include "ww-swap-run.h"
#include "ww-sweep-plan.h"
#include "ww-sweep.h"
#include "ww-transformer.h"
#include "ww-theory.h"
#include "ww-types.h"

G_BEGIN_DECLS

/* OpenBLAS at one thread: call once at the start of a program, before any other call. Work over
 * trials is spread over our own threads, so that numbers do not depend on their count. */
void ww_core_init (void);

G_END_DECLS
