#ifndef TILESERVE_ROUTES_H
#define TILESERVE_ROUTES_H

#include <stddef.h>

/// A route, embedded at compile time.
struct embedded_route {
    /// The name of its file in the folder `routes`, without the ending.
    const char *name;
    const unsigned char *bytes;
    size_t length;
};

size_t embedded_route_count(void);

struct embedded_route embedded_route_at(size_t index);

#endif
