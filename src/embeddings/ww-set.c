#include "ww-set.h"

G_DEFINE_QUARK (ww-set-error-quark, ww_set_error)
