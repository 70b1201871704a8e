#pragma once
// Declares sqlite3_preupdate_hook, which Debian compiles in.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of −1 to a function pointer, which Swift does not import: these bind a copy.
static inline int tileserve_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int tileserve_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// sqlite3_db_config takes arguments of varying types: while this is on, VACUUM empties the database, whatever is in it.
static inline int tileserve_allow_reset(sqlite3 *database, int allowed) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, allowed, (int *)0);
}

// sqlite3_config takes variable arguments. Without statistics of memory, which nobody asks for, threads do not meet at one
// lock for every allocation. Only before anything else of SQLite's is called; afterwards it is refused, and nothing is lost.
static inline int tileserve_forgo_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// The same function with another setting: a damaged schema is refused rather than worked with, and a quoted word that is no
// name is no text.
static inline int tileserve_distrust(sqlite3 *database) {
    int status = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (status == SQLITE_OK) status = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    return status;
}
