#ifndef TILESERVE_PLACES_H
#define TILESERVE_PLACES_H

#include <stddef.h>

/// The bytes of `places.bin`, embedded at compile time; `Sources/Places/PLACES.md` describes the layout.
const unsigned char *places_bytes(void);

/// The number of bytes.
size_t places_length(void);

#endif
