#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

// The functions that initialise structures are inline in libwebp's headers, and the output buffer is a union: both are
// read here, in functions with one way out.

// A picture of four bytes a pixel with straight alpha, and the colour profile of the file; allocated with malloc.
struct webp_shim_picture {
    uint8_t *pixels;
    uint32_t width, height;
    uint8_t *profile;
    size_t profile_count;
};

enum webp_shim_status { WEBP_SHIM_DONE, WEBP_SHIM_DAMAGED, WEBP_SHIM_TOO_LARGE, WEBP_SHIM_NO_MEMORY };

static inline void webp_shim_copy_profile(const WebPDemuxer *demuxer, size_t limit, struct webp_shim_picture *picture) {
    WebPChunkIterator chunk;
    if (!WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk)) return;
    if (chunk.chunk.size > 0 && chunk.chunk.size <= limit && (picture->profile = (uint8_t *)malloc(chunk.chunk.size))) {
        memcpy(picture->profile, chunk.chunk.bytes, chunk.chunk.size);
        picture->profile_count = chunk.chunk.size;
    }
    WebPDemuxReleaseChunkIterator(&chunk);
}

// Decodes a still picture, or the first frame of an animation, reduced to at most `side` pixels on its longer side.
// Refuses a canvas or frame of more than `pixel_limit` pixels, before memory for it is allocated. The caller frees
// pixels and profile in all cases.
static inline enum webp_shim_status webp_shim_decode(const uint8_t *bytes, size_t count, uint32_t side,
                                                     uint64_t pixel_limit, size_t profile_limit,
                                                     struct webp_shim_picture *picture) {
    memset(picture, 0, sizeof(*picture));
    WebPData data = {bytes, count};
    WebPDemuxer *demuxer = WebPDemux(&data);
    if (demuxer == NULL) return WEBP_SHIM_DAMAGED;
    enum webp_shim_status status = WEBP_SHIM_DAMAGED;
    uint64_t canvas = (uint64_t)WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH) *
                      WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT);
    WebPIterator frame;
    WebPDecoderConfig config;
    if (canvas > pixel_limit) {
        status = WEBP_SHIM_TOO_LARGE;
    } else if (WebPDemuxGetFrame(demuxer, 1, &frame)) {
        if (WebPInitDecoderConfig(&config) &&
            WebPGetFeatures(frame.fragment.bytes, frame.fragment.size, &config.input) == VP8_STATUS_OK &&
            config.input.width > 0 && config.input.height > 0) {
            uint64_t width = (uint64_t)config.input.width, height = (uint64_t)config.input.height;
            uint64_t longer = width > height ? width : height;
            if (width * height > pixel_limit) {
                status = WEBP_SHIM_TOO_LARGE;
            } else {
                if (longer > side) {
                    uint64_t small_width = (width * side + longer / 2) / longer;
                    uint64_t small_height = (height * side + longer / 2) / longer;
                    config.options.use_scaling = 1;
                    config.options.scaled_width = (int)(small_width > 0 ? small_width : 1);
                    config.options.scaled_height = (int)(small_height > 0 ? small_height : 1);
                }
                config.output.colorspace = MODE_RGBA;
                VP8StatusCode code = WebPDecode(frame.fragment.bytes, frame.fragment.size, &config);
                if (code == VP8_STATUS_OK) {
                    size_t row = (size_t)config.output.width * 4;
                    picture->width = (uint32_t)config.output.width;
                    picture->height = (uint32_t)config.output.height;
                    picture->pixels = (uint8_t *)malloc(row * picture->height);
                    for (uint32_t y = 0; picture->pixels != NULL && y < picture->height; y++)
                        memcpy(picture->pixels + row * y,
                               config.output.u.RGBA.rgba + (size_t)config.output.u.RGBA.stride * y, row);
                    status = picture->pixels != NULL ? WEBP_SHIM_DONE : WEBP_SHIM_NO_MEMORY;
                    webp_shim_copy_profile(demuxer, profile_limit, picture);
                } else if (code == VP8_STATUS_OUT_OF_MEMORY) {
                    status = WEBP_SHIM_NO_MEMORY;
                }
                WebPFreeDecBuffer(&config.output);
            }
        }
        WebPDemuxReleaseIterator(&frame);
    }
    WebPDemuxDelete(demuxer);
    return status;
}

// Encodes pixels of red, green, blue and straight alpha without loss; `effort` is 0 (fast) to 9 (small). Returns the number of
// bytes in `*bytes`, which the caller frees with `WebPFree` in all cases; 0 without memory, or for sides beyond 16,383.
static inline size_t webp_shim_encode(const uint8_t *pixels, int width, int height, int effort, uint8_t **bytes) {
    *bytes = NULL;
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, effort) || !WebPPictureInit(&picture)) return 0;
    // Colours of transparent pixels are kept, too.
    config.exact = 1;
    picture.use_argb = 1;
    picture.width = width;
    picture.height = height;
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    int done = WebPPictureImportRGBA(&picture, pixels, width * 4) && WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    *bytes = writer.mem;
    return done ? writer.size : 0;
}
