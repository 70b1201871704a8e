#pragma once
#include <libexif/exif-data.h>
#include <libexif/exif-entry.h>
#include <libexif/exif-utils.h>

// Swift sees the list of directories as a tuple, which has no index.
static inline ExifEntry *exif_entry_of(ExifData *data, ExifIfd directory, ExifTag tag) {
    return exif_content_get_entry(data->ifd[directory], tag);
}
