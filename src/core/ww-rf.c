#include "ww-rf.h"
