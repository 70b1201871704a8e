#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>
#include <curl/curl.h>

// libcurl is loaded for the first request, because hardly any process makes one: with the 17 libraries that only it needs, it
// took 7 of the 34 ms in which the dynamic loader starts a program.
// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift does not import: one request is made here.

// A response. The body and the redirect are allocated with malloc.
struct curl_shim_response {
    long status;
    // Seconds; 0 if the response does not have the header.
    int64_t retry_after;
    // The absolute URL that a redirect names; NULL if there is none.
    char *redirect;
    uint8_t *bytes;
    size_t count, limit;
    char message[CURL_ERROR_SIZE];
};

// Returns whether the request shall end now.
typedef int (*curl_shim_cancelled)(void *context);

struct curl_shim_watch {
    curl_shim_cancelled cancelled;
    void *context;
};

static size_t curl_shim_append(char *bytes, size_t size, size_t count, void *context) {
    struct curl_shim_response *response = (struct curl_shim_response *)context;
    size_t more = size * count;
    if (more > response->limit - response->count) return 0;
    if (more == 0) return 0;
    uint8_t *grown = (uint8_t *)realloc(response->bytes, response->count + more);
    if (!grown) return 0;
    memcpy(grown + response->count, bytes, more);
    response->bytes = grown;
    response->count += more;
    return more;
}

static int curl_shim_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t sent_total, curl_off_t sent) {
    struct curl_shim_watch *watch = (struct curl_shim_watch *)context;
    (void)total, (void)now, (void)sent_total, (void)sent;
    return watch->cancelled(watch->context);
}

// Returns the loaded libcurl; NULL if it is not installed or cannot be initialised. Call it once.
static inline void *curl_shim_load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return NULL;
    __typeof__(curl_global_init) *curl_global_init = dlsym(library, "curl_global_init");
    return curl_global_init && curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? library : NULL;
}

// GETs a URL with HTTP or HTTPS, without following redirects. Returns 0, or 1 with a message.
static inline int curl_shim_get(
    void *library, const char *url, const char *agent, long timeout_ms, size_t limit, curl_shim_cancelled cancelled,
    void *context, struct curl_shim_response *response) {
    // Under the names of the functions, so that the macros of curl.h, which check types, use these.
    __typeof__(curl_easy_init) *curl_easy_init = dlsym(library, "curl_easy_init");
    __typeof__(curl_easy_setopt) *curl_easy_setopt = dlsym(library, "curl_easy_setopt");
    __typeof__(curl_easy_perform) *curl_easy_perform = dlsym(library, "curl_easy_perform");
    __typeof__(curl_easy_getinfo) *curl_easy_getinfo = dlsym(library, "curl_easy_getinfo");
    __typeof__(curl_easy_strerror) *curl_easy_strerror = dlsym(library, "curl_easy_strerror");
    __typeof__(curl_easy_cleanup) *curl_easy_cleanup = dlsym(library, "curl_easy_cleanup");
    if (!curl_easy_init || !curl_easy_setopt || !curl_easy_perform || !curl_easy_getinfo || !curl_easy_strerror
        || !curl_easy_cleanup) {
        strcpy(response->message, "libcurl lacks functions");
        return 1;
    }
    CURL *curl = curl_easy_init();
    if (!curl) {
        strcpy(response->message, "out of memory");
        return 1;
    }
    struct curl_shim_watch watch = {cancelled, context};
    response->limit = limit;
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, agent);
    // Without it, libcurl uses signals for timeouts, which is not safe with threads.
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, timeout_ms);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, timeout_ms);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, response->message);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, curl_shim_append);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, response);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, curl_shim_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &watch);
    CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_OK) {
        curl_off_t seconds = 0;
        char *redirect = NULL;
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &response->status);
        curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
        curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &redirect);
        response->retry_after = (int64_t)seconds;
        if (redirect) response->redirect = strdup(redirect);
    } else if (code == CURLE_WRITE_ERROR) {
        strcpy(response->message, "the response is too large");
    } else if (!response->message[0]) {
        strncpy(response->message, curl_easy_strerror(code), CURL_ERROR_SIZE - 1);
    }
    curl_easy_cleanup(curl);
    return code == CURLE_OK ? 0 : 1;
}
