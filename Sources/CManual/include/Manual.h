#ifndef TILESERVE_MANUAL_H
#define TILESERVE_MANUAL_H

#include <stddef.h>

/// A page of the manual, embedded at compile time.
struct manual_page {
    /// The name after `tileserve help`.
    const char *topic;
    /// The path in the repository.
    const char *path;
    /// Markdown in UTF-8.
    const unsigned char *bytes;
    size_t length;
};

/// The number of pages.
size_t manual_page_count(void);

/// The page with an index below `manual_page_count()`.
struct manual_page manual_page_at(size_t index);

#endif
