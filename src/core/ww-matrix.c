#include "ww-matrix.h"
