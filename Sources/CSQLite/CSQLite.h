#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// SQLITE_TRANSIENT makes SQLite copy the bytes. It is a cast, which Swift does not import.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, long long length) {
  return sqlite3_bind_text64(statement, index, length > 0 ? text : "", (sqlite3_uint64)length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, long long length) {
  return sqlite3_bind_blob64(statement, index, length > 0 ? bytes : "", (sqlite3_uint64)length, SQLITE_TRANSIENT);
}

#endif
