#include "ww-sweep.h"
