#pragma once
#include <dlfcn.h>
#include <libheif/heif.h>

// libheif is loaded for the first picture, because hardly any process reads one: with the codecs that only it needs, it took
// 6 of the 34 ms in which the dynamic loader starts a program.

// The functions of libheif that are used, without the prefix of their names.
struct heif_shim {
    __typeof__(heif_context_alloc) *_Nonnull context_alloc;
    __typeof__(heif_context_free) *_Nonnull context_free;
    __typeof__(heif_context_set_maximum_image_size_limit) *_Nonnull context_set_maximum_image_size_limit;
    __typeof__(heif_context_set_max_decoding_threads) *_Nonnull context_set_max_decoding_threads;
    __typeof__(heif_context_read_from_file) *_Nonnull context_read_from_file;
    __typeof__(heif_context_read_from_memory) *_Nonnull context_read_from_memory;
    __typeof__(heif_context_get_primary_image_handle) *_Nonnull context_get_primary_image_handle;
    __typeof__(heif_image_handle_release) *_Nonnull image_handle_release;
    __typeof__(heif_image_handle_get_width) *_Nonnull image_handle_get_width;
    __typeof__(heif_image_handle_get_height) *_Nonnull image_handle_get_height;
    __typeof__(heif_image_handle_get_number_of_metadata_blocks) *_Nonnull image_handle_get_number_of_metadata_blocks;
    __typeof__(heif_image_handle_get_list_of_metadata_block_IDs) *_Nonnull image_handle_get_list_of_metadata_block_IDs;
    __typeof__(heif_image_handle_get_metadata_content_type) *_Nonnull image_handle_get_metadata_content_type;
    __typeof__(heif_image_handle_get_metadata_size) *_Nonnull image_handle_get_metadata_size;
    __typeof__(heif_image_handle_get_metadata) *_Nonnull image_handle_get_metadata;
    __typeof__(heif_decode_image) *_Nonnull decode_image;
    __typeof__(heif_image_release) *_Nonnull image_release;
    __typeof__(heif_image_get_width) *_Nonnull image_get_width;
    __typeof__(heif_image_get_height) *_Nonnull image_get_height;
    __typeof__(heif_image_get_plane_readonly) *_Nonnull image_get_plane_readonly;
};

// Loads the functions; returns NULL if libheif is not installed or lacks one of them. Call it once.
static inline const struct heif_shim *_Nullable heif_shim_load(void) {
    static struct heif_shim shim;
    void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return NULL;
    int is_complete = (shim.context_alloc = dlsym(library, "heif_context_alloc"))
        && (shim.context_free = dlsym(library, "heif_context_free"))
        && (shim.context_set_maximum_image_size_limit = dlsym(library, "heif_context_set_maximum_image_size_limit"))
        && (shim.context_set_max_decoding_threads = dlsym(library, "heif_context_set_max_decoding_threads"))
        && (shim.context_read_from_file = dlsym(library, "heif_context_read_from_file"))
        && (shim.context_read_from_memory = dlsym(library, "heif_context_read_from_memory"))
        && (shim.context_get_primary_image_handle = dlsym(library, "heif_context_get_primary_image_handle"))
        && (shim.image_handle_release = dlsym(library, "heif_image_handle_release"))
        && (shim.image_handle_get_width = dlsym(library, "heif_image_handle_get_width"))
        && (shim.image_handle_get_height = dlsym(library, "heif_image_handle_get_height"))
        && (shim.image_handle_get_number_of_metadata_blocks = dlsym(library, "heif_image_handle_get_number_of_metadata_blocks"))
        && (shim.image_handle_get_list_of_metadata_block_IDs = dlsym(library, "heif_image_handle_get_list_of_metadata_block_IDs"))
        && (shim.image_handle_get_metadata_content_type = dlsym(library, "heif_image_handle_get_metadata_content_type"))
        && (shim.image_handle_get_metadata_size = dlsym(library, "heif_image_handle_get_metadata_size"))
        && (shim.image_handle_get_metadata = dlsym(library, "heif_image_handle_get_metadata"))
        && (shim.decode_image = dlsym(library, "heif_decode_image"))
        && (shim.image_release = dlsym(library, "heif_image_release"))
        && (shim.image_get_width = dlsym(library, "heif_image_get_width"))
        && (shim.image_get_height = dlsym(library, "heif_image_get_height"))
        && (shim.image_get_plane_readonly = dlsym(library, "heif_image_get_plane_readonly"));
    return is_complete ? &shim : NULL;
}
