#pragma once
#include <isa-l/igzip_lib.h>
#include <stddef.h>
#include <stdint.h>

// isal_zstream holds arrays too large for Swift to import, and its level buffer must outlive each call: both are in
// one block of this size, which Swift allocates and does not access.
struct isal_deflater {
    struct isal_zstream stream;
    uint8_t level_buffer[ISAL_DEF_LVL1_DEFAULT];
};

static inline size_t isal_deflater_byte_count(void) { return sizeof(struct isal_deflater); }

// One zlib stream (RFC 1950) of all of `input` at level 1, with a window of 2^window_bits bytes. Returns
// its length, or 0 if `room` is too small.
static inline size_t isal_deflater_zlib(void *memory, int window_bits, const uint8_t *input, uint32_t count,
                                        uint8_t *output, uint32_t room) {
    struct isal_deflater *deflater = (struct isal_deflater *)memory;
    struct isal_zstream *stream = &deflater->stream;
    isal_deflate_stateless_init(stream);
    // Not set by isal_deflate_stateless_init: an undefined value would change the window, and with it the output.
    stream->hist_bits = window_bits;
    stream->level = 1;
    stream->level_buf = deflater->level_buffer;
    stream->level_buf_size = sizeof(deflater->level_buffer);
    stream->gzip_flag = IGZIP_ZLIB;
    stream->end_of_stream = 1;
    stream->flush = NO_FLUSH;
    stream->next_in = (uint8_t *)input;
    stream->avail_in = count;
    stream->next_out = output;
    stream->avail_out = room;
    return isal_deflate_stateless(stream) == COMP_OK ? stream->total_out : 0;
}
