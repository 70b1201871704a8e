#ifndef TILESERVE_WEB_PAGE_H
#define TILESERVE_WEB_PAGE_H

#include <stddef.h>

/// A file of the web page, embedded at compile time.
struct web_page_file {
    /// The file name below `site/`, without folders.
    const char *name;
    /// The value of `Content-Type`.
    const char *media_type;
    const unsigned char *bytes;
    size_t length;
};

/// The number of files.
size_t web_page_file_count(void);

/// The file with an index below `web_page_file_count()`.
struct web_page_file web_page_file_at(size_t index);

#endif
