#include "ww-types.h"
