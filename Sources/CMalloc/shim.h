#pragma once
#include <stdlib.h>

// Swift's module of the C library leaves malloc.h out, and other C libraries than glibc lack these functions: there they do
// nothing.
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// Bounds the number of arenas that threads allocate from. 1 where it was set, 0 where there is nothing to set or it was
/// refused.
static inline int tileserve_bound_arenas(int count) {
#if defined(__GLIBC__)
    return mallopt(M_ARENA_MAX, count);
#else
    (void)count;
    return 0;
#endif
}

/// Fixes the size from which on an allocation is mapped on its own and given back when it is freed: otherwise glibc raises it
/// to the largest that was freed, up to 32 MiB, and keeps those in its arenas. 1 where it was set.
static inline int tileserve_map_from(int bytes) {
#if defined(__GLIBC__)
    return mallopt(M_MMAP_THRESHOLD, bytes);
#else
    (void)bytes;
    return 0;
#endif
}

/// Fixes how many free bytes stay at the end of an arena, which otherwise follows the size above. 1 where it was set.
static inline int tileserve_keep_free(int bytes) {
#if defined(__GLIBC__)
    return mallopt(M_TRIM_THRESHOLD, bytes);
#else
    (void)bytes;
    return 0;
#endif
}

/// Gives free pages of all arenas back to the system. 1 where some were.
static inline int tileserve_release_free_pages(void) {
#if defined(__GLIBC__)
    return malloc_trim(0);
#else
    return 0;
#endif
}
