#pragma once
// Only the reentrant functions, which take a context.
#define GEOS_USE_ONLY_R_API
#include <geos_c.h>
