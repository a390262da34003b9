#include "ww-attention.h"
