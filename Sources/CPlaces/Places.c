#include "CPlaces.h"

// Written by Scripts/make-places.
static const unsigned char bytes[] = {
#embed "places.bin"
};

const unsigned char *places_bytes(void) { return bytes; }

size_t places_length(void) { return sizeof bytes; }
