#pragma once

// Libraries that most processes do not need are loaded for the first call of one of their functions. The dynamic loader took
// 47 ms to start the program, of which 10 ms were for libpq, 14 ms for GEOS, 8 ms for Pango, with all that only these need.
//
// A target that loads a library defines the functions of it that it calls, with the two macros; they have the names and types
// of the library's own headers, so that callers need not know. The symbols are hidden: otherwise, the library would call ours.

// Returns the address of a function; ends the process with a message if the library is not installed or lacks the function.
// `package` is the Debian package of the library.
void *loading_function(const char *library, const char *package, const char *name);

#define LOADED(result, name, parameters) \
    static result (*function) parameters; \
    result (*loaded) parameters = __atomic_load_n(&function, __ATOMIC_ACQUIRE); \
    if (!loaded) { \
        loaded = (result (*) parameters)loading_function(LOADED_LIBRARY, LOADED_PACKAGE, #name); \
        __atomic_store_n(&function, loaded, __ATOMIC_RELEASE); \
    }

// Defines a function of LOADED_LIBRARY, which is in LOADED_PACKAGE.
#define LOADED_FUNCTION(result, name, parameters, arguments) \
    __attribute__((visibility("hidden"))) result name parameters { \
        LOADED(result, name, parameters) \
        return loaded arguments; \
    }

// As LOADED_FUNCTION, for one without a result.
#define LOADED_PROCEDURE(name, parameters, arguments) \
    __attribute__((visibility("hidden"))) void name parameters { \
        LOADED(void, name, parameters) \
        loaded arguments; \
    }
