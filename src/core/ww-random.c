#include "ww-random.h"
