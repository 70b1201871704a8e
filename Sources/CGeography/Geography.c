#include "CGeography.h"

// Written by Scripts/make-geography.
static const unsigned char bytes[] = {
#embed "geography.bin"
};

const unsigned char *geography_bytes(void) { return bytes; }

size_t geography_length(void) { return sizeof bytes; }
