#include "CLoading.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *loading_function(const char *library, const char *package, const char *name) {
    // Loaded once: other calls return the same handle, which is never closed.
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *function = handle ? dlsym(handle, name) : NULL;
    if (!function) {
        fprintf(stderr, "tileserve: %s; install the Debian package %s\n", dlerror(), package);
        _Exit(1);
    }
    return function;
}
