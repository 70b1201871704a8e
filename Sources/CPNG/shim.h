#pragma once
#include <png.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// libpng reports errors with longjmp, which must not cross a Swift frame: all code between setjmp and its return is here.

struct png_sink {
    uint8_t *bytes;
    size_t count;
    size_t room;
    char message[96];
};

static void png_sink_write(png_structp png, png_bytep bytes, size_t count) {
    struct png_sink *sink = (struct png_sink *)png_get_io_ptr(png);
    if (count > sink->room - sink->count) png_error(png, "the picture outgrew its buffer");
    memcpy(sink->bytes + sink->count, bytes, count);
    sink->count += count;
}

static void png_sink_flush(png_structp png) { (void)png; }

static void png_sink_error(png_structp png, png_const_charp message) {
    struct png_sink *sink = (struct png_sink *)png_get_error_ptr(png);
    snprintf(sink->message, sizeof(sink->message), "%s", message);
    png_longjmp(png, 1);
}

static void png_sink_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

struct png_layout {
    uint32_t width, height;
    int bit_depth, color_type;
    const png_color *palette;
    int palette_count;
    const uint8_t *alphas;
    int alpha_count;
    // 0 if the size of a print is not stated.
    uint32_t dots_per_metre;
};

// Writes signature, IHDR, PLTE, tRNS, one IDAT holding `data` as it is, and IEND into the sink. Returns 0 when done,
// otherwise the sink contains the error message.
static inline int png_sink_picture(struct png_sink *sink, const struct png_layout *layout, const uint8_t *data,
                                   size_t data_count) {
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, sink, png_sink_error, png_sink_warning);
    if (png == NULL) return 1;
    png_infop info = png_create_info_struct(png);
    if (info == NULL || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return 1;
    }
    png_set_write_fn(png, sink, png_sink_write, png_sink_flush);
    // libpng validates the header through the info struct. The caller owns the data that it points to.
    png_set_IHDR(png, info, layout->width, layout->height, layout->bit_depth, layout->color_type, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (layout->palette_count > 0) png_set_PLTE(png, info, layout->palette, layout->palette_count);
    if (layout->alpha_count > 0) png_set_tRNS(png, info, layout->alphas, layout->alpha_count, NULL);
    if (layout->dots_per_metre > 0)
        png_set_pHYs(png, info, layout->dots_per_metre, layout->dots_per_metre, PNG_RESOLUTION_METER);
    png_write_info(png, info);
    png_write_chunk(png, (png_const_bytep) "IDAT", data, data_count);
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
    png_destroy_write_struct(&png, &info);
    return 0;
}
