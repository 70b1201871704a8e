#pragma once
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <jerror.h>

// libjpeg reports errors with longjmp, which must not cross a Swift frame: all code between setjmp and its return is here.

struct jpeg_shim_errors {
    struct jpeg_error_mgr manager;
    jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
};

// A picture of three bytes a pixel, allocated with malloc, and the colour profile of the file.
struct jpeg_shim_picture {
    uint8_t *pixels;
    uint32_t width, height;
    uint8_t *profile;
    uint32_t profile_count;
    char message[JMSG_LENGTH_MAX];
};

static void jpeg_shim_exit(j_common_ptr info) {
    struct jpeg_shim_errors *errors = (struct jpeg_shim_errors *)info->err;
    errors->manager.format_message(info, errors->message);
    longjmp(errors->jump, 1);
}

// A file that ends too early is an error: libjpeg would fill the rest with grey. One that ends in the last row of blocks
// has its picture; some programs leave out the end marker.
static void jpeg_shim_emit(j_common_ptr info, int level) {
    if (level >= 0 || info->err->msg_code != JWRN_JPEG_EOF) return;
    if (info->is_decompressor) {
        j_decompress_ptr decoder = (j_decompress_ptr)info;
        if (decoder->total_iMCU_rows > 0 && decoder->input_iMCU_row + 1 >= decoder->total_iMCU_rows) return;
    }
    jpeg_shim_exit(info);
}

// A progressive picture may ask for very many passes over all of its pixels.
#define JPEG_SHIM_SCANS 200
static void jpeg_shim_progress(j_common_ptr info) {
    if (info->is_decompressor && ((j_decompress_ptr)info)->input_scan_number > JPEG_SHIM_SCANS) {
        struct jpeg_shim_errors *errors = (struct jpeg_shim_errors *)info->err;
        snprintf(errors->message, sizeof(errors->message), "more than %d scans", JPEG_SHIM_SCANS);
        longjmp(errors->jump, 1);
    }
}

// Decodes a JPEG file at a scale of n/8, the smallest at which its longer side has at least `side` pixels (1 if it has
// not). Refuses more than `pixel_limit` pixels. Returns 0 when done; the caller frees pixels and profile in both cases.
static inline int jpeg_shim_decode(const uint8_t *bytes, size_t count, uint32_t side, uint64_t pixel_limit,
                                   struct jpeg_shim_picture *picture) {
    struct jpeg_decompress_struct info;
    struct jpeg_shim_errors errors;
    struct jpeg_progress_mgr progress;
    // Read after longjmp.
    uint8_t *volatile line = NULL;
    memset(&info, 0, sizeof(info));
    memset(&progress, 0, sizeof(progress));
    memset(picture, 0, sizeof(*picture));
    errors.message[0] = 0;
    info.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = jpeg_shim_exit;
    errors.manager.emit_message = jpeg_shim_emit;
    if (setjmp(errors.jump)) {
        snprintf(picture->message, sizeof(picture->message), "%s", errors.message);
        jpeg_destroy_decompress(&info);
        free((void *)line);
        return 1;
    }
    jpeg_create_decompress(&info);
    progress.progress_monitor = jpeg_shim_progress;
    info.progress = &progress;
    jpeg_mem_src(&info, bytes, count);
    jpeg_save_markers(&info, JPEG_APP0 + 2, 0xFFFF);
    jpeg_read_header(&info, TRUE);
    if ((uint64_t)info.image_width * info.image_height > pixel_limit) {
        snprintf(errors.message, sizeof(errors.message), "%u x %u pixels are more than the limit of %llu",
                 info.image_width, info.image_height, (unsigned long long)pixel_limit);
        longjmp(errors.jump, 1);
    }
    // Pictures for printing: they are converted below.
    int is_ink = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
    info.out_color_space = is_ink ? JCS_CMYK : JCS_RGB;
    info.scale_denom = 8;
    uint32_t longer = info.image_width > info.image_height ? info.image_width : info.image_height;
    for (info.scale_num = 1; info.scale_num < 8; info.scale_num++)
        if ((uint64_t)longer * info.scale_num >= (uint64_t)side * 8) break;
    jpeg_start_decompress(&info);
    picture->width = info.output_width;
    picture->height = info.output_height;
    size_t row = (size_t)info.output_width * 3;
    picture->pixels = (uint8_t *)malloc(row * info.output_height);
    line = (uint8_t *)malloc((size_t)info.output_width * info.output_components);
    if (picture->pixels == NULL || line == NULL) ERREXIT1(&info, JERR_OUT_OF_MEMORY, 0);
    while (info.output_scanline < info.output_height) {
        uint8_t *to = picture->pixels + row * info.output_scanline;
        JSAMPROW rows[1] = {is_ink ? (uint8_t *)line : to};
        if (jpeg_read_scanlines(&info, rows, 1) != 1) continue;
        if (!is_ink) continue;
        for (uint32_t x = 0; x < info.output_width; x++) {
            const uint8_t *ink = (const uint8_t *)line + 4 * (size_t)x;
            for (int part = 0; part < 3; part++) {
                // Adobe stores the complement of the inks.
                uint32_t colour = info.saw_Adobe_marker ? ink[part] : 255 - ink[part];
                uint32_t black = info.saw_Adobe_marker ? ink[3] : 255 - ink[3];
                to[3 * (size_t)x + part] = (uint8_t)(colour * black / 255);
            }
        }
    }
    // Only a profile of RGB fits to the pixels.
    if (info.num_components == 3) {
        JOCTET *profile = NULL;
        unsigned int profile_count = 0;
        if (jpeg_read_icc_profile(&info, &profile, &profile_count)) {
            picture->profile = profile;
            picture->profile_count = profile_count;
        }
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    free((void *)line);
    return 0;
}

struct jpeg_shim_file {
    uint8_t *bytes;
    unsigned long count;
    char message[JMSG_LENGTH_MAX];
};

// Encodes RGB pixels, with a colour profile if there is one, and without any other metadata. Returns 0 when done; the
// caller frees the bytes in both cases.
static inline int jpeg_shim_encode(const uint8_t *pixels, uint32_t width, uint32_t height, int quality,
                                   const uint8_t *profile, uint32_t profile_count, struct jpeg_shim_file *file) {
    struct jpeg_compress_struct info;
    struct jpeg_shim_errors errors;
    memset(&info, 0, sizeof(info));
    memset(file, 0, sizeof(*file));
    errors.message[0] = 0;
    info.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = jpeg_shim_exit;
    if (setjmp(errors.jump)) {
        snprintf(file->message, sizeof(file->message), "%s", errors.message);
        jpeg_destroy_compress(&info);
        return 1;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &file->bytes, &file->count);
    info.image_width = width;
    info.image_height = height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    info.optimize_coding = TRUE;
    jpeg_start_compress(&info, TRUE);
    if (profile_count > 0) jpeg_write_icc_profile(&info, profile, profile_count);
    while (info.next_scanline < height) {
        JSAMPROW rows[1] = {(uint8_t *)pixels + (size_t)info.next_scanline * width * 3};
        jpeg_write_scanlines(&info, rows, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return 0;
}
