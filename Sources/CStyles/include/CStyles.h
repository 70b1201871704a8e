#ifndef TILESERVE_STYLES_H
#define TILESERVE_STYLES_H

#include <stddef.h>

/// The files of the folder `Styles`, embedded at compile time; a zero byte ends each of them.
const unsigned char *styles_bytes(void);

/// The number of bytes.
size_t styles_length(void);

/// The file `Styles/floors/floors.json`, embedded at compile time.
const unsigned char *floor_style_bytes(void);

/// The number of its bytes.
size_t floor_style_length(void);

#endif
