#include "ww-curve.h"
