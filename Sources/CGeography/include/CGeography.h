#ifndef TILESERVE_GEOGRAPHY_H
#define TILESERVE_GEOGRAPHY_H

#include <stddef.h>

/// The bytes of `geography.bin`, embedded at compile time; `Sources/Geography/GEOGRAPHY.md` describes the layout.
const unsigned char *geography_bytes(void);

/// The number of bytes.
size_t geography_length(void);

#endif
