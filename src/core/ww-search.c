#include "ww-search.h"
