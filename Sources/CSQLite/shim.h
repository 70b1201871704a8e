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

// sqlite3_db_config is variadic. While this setting is on, VACUUM resets the database to an empty one, even if it is damaged.
static inline int tileserve_allow_reset(sqlite3 *database, int allowed) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, allowed, (int *)0);
}

// sqlite3_config is variadic. Without memory statistics, threads do not contend for one lock at every allocation. Works only
// before any other call of SQLite; later calls have no effect.
static inline int tileserve_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Defensive mode: SQL cannot corrupt the database file. Double-quoted names that do not exist are errors, not text.
static inline int tileserve_enable_defensive_mode(sqlite3 *database) {
    int status = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (status == SQLITE_OK) status = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    return status;
}
