#include "ww-core.h"

#include <cblas.h>

void
ww_core_init (void)
{
  openblas_set_num_threads (1);
}
