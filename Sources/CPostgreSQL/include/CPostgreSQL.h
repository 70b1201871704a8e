#pragma once
#include <postgresql/libpq-fe.h>

// Parameters and results in binary form.
static inline int tileserve_send_query(PGconn *connection, const char *sql, int count, const Oid *types,
                                       const char *const *values, const int *lengths, const int *formats) {
    return PQsendQueryParams(connection, sql, count, types, values, lengths, formats, 1);
}
