// Lets calls of the system fail, for the trial of that name: a library to be loaded before others.
//
//   LD_PRELOAD=failing-calls.so FAIL_FOLDER=/tmp/x/store FAIL_CALLS=,write,fsync, FAIL_AT=3
//   FAIL_ERROR=28 FAIL_HOW=once|ever|short FAIL_LOG=/tmp/x/log kura …
//
// Calls are counted that concern what stands below the folder; the one numbered FAIL_AT fails, or
// all from there on, or does only a part. At the end the number of calls is added to the log.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static const char *folder, *calls, *how, *log_path;
static long fail_at, fail_error;
static atomic_long seen;

__attribute__((constructor)) static void begin(void) {
  folder = getenv("FAIL_FOLDER");
  calls = getenv("FAIL_CALLS");
  how = getenv("FAIL_HOW");
  log_path = getenv("FAIL_LOG");
  fail_at = getenv("FAIL_AT") ? atol(getenv("FAIL_AT")) : 0;
  fail_error = getenv("FAIL_ERROR") ? atol(getenv("FAIL_ERROR")) : EIO;
}

static void note(const char *text) {
  if (!log_path) return;
  long file = syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, text, strlen(text));
  syscall(SYS_close, file);
}

__attribute__((destructor)) static void end(void) {
  char text[64];
  snprintf(text, sizeof text, "calls %ld\n", atomic_load(&seen));
  note(text);
}

static int is_below(const char *path) {
  size_t length = folder ? strlen(folder) : 0;
  return length && !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

static int descriptor_is_below(int file) {
  char name[64], path[PATH_MAX];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, name, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static int name_is_below(int directory, const char *path) {
  if (!path) return 0;
  if (path[0] == '/') return is_below(path);
  if (directory != AT_FDCWD) return descriptor_is_below(directory);
  char here[PATH_MAX], whole[2 * PATH_MAX];
  if (syscall(SYS_getcwd, here, sizeof here) <= 0) return 0;
  snprintf(whole, sizeof whole, "%s/%s", here, path);
  return is_below(whole);
}

// Whether this call is to fail; -1 where it is to do only a part.
static int fails(const char *call, int counts) {
  char wanted[64];
  int number = errno;
  if (!counts || !calls) return 0;
  snprintf(wanted, sizeof wanted, ",%s,", call);
  if (!strstr(calls, wanted)) return 0;
  long here = atomic_fetch_add(&seen, 1) + 1;
  int strikes = fail_at && (here == fail_at || (how && !strcmp(how, "ever") && here > fail_at));
  if (!strikes) {
    errno = number;
    return 0;
  }
  snprintf(wanted, sizeof wanted, "struck %s\n", call);
  note(wanted);
  if (how && !strcmp(how, "short")) return -1;
  errno = (int)fail_error;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                                                 \
  int name(const char *path, int flags, ...) {                                                     \
    va_list rest;                                                                                  \
    va_start(rest, flags);                                                                         \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                        \
    va_end(rest);                                                                                  \
    if (fails("open", name_is_below(AT_FDCWD, path))) return -1;                                   \
    return REAL(name)(path, flags, mode);                                                          \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
  int name(int directory, const char *path, int flags, ...) {                                      \
    va_list rest;                                                                                  \
    va_start(rest, flags);                                                                         \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                        \
    va_end(rest);                                                                                  \
    if (fails("open", name_is_below(directory, path))) return -1;                                  \
    return REAL(name)(directory, path, flags, mode);                                               \
  }
OPENAT(openat)
OPENAT(openat64)

#define MOVES(name, call, type)                                                                    \
  ssize_t name(int file, type bytes, size_t count) {                                               \
    int result = fails(call, descriptor_is_below(file));                                           \
    if (result > 0) return -1;                                                                     \
    return REAL(name)(file, bytes, result < 0 && count > 1 ? count / 2 : count);                   \
  }
MOVES(read, "read", void *)
MOVES(write, "write", const void *)

#define MOVES_AT(name, call, type, offset)                                                         \
  ssize_t name(int file, type bytes, size_t count, offset place) {                                 \
    int result = fails(call, descriptor_is_below(file));                                           \
    if (result > 0) return -1;                                                                     \
    return REAL(name)(file, bytes, result < 0 && count > 1 ? count / 2 : count, place);            \
  }
MOVES_AT(pread, "read", void *, off_t)
MOVES_AT(pread64, "read", void *, off64_t)
MOVES_AT(pwrite, "write", const void *, off_t)
MOVES_AT(pwrite64, "write", const void *, off64_t)

#define ON_FILE(name, call)                                                                        \
  int name(int file) {                                                                             \
    if (fails(call, descriptor_is_below(file))) return -1;                                         \
    return REAL(name)(file);                                                                       \
  }
ON_FILE(fsync, "sync")
ON_FILE(fdatasync, "sync")

int close(int file) {
  // It is closed all the same, as the system does it.
  int result = fails("close", descriptor_is_below(file)), number = errno;
  int real = REAL(close)(file);
  if (!result) return real;
  errno = number;
  return -1;
}

int ftruncate(int file, off_t size) {
  return fails("truncate", descriptor_is_below(file)) ? -1 : REAL(ftruncate)(file, size);
}
int ftruncate64(int file, off64_t size) {
  return fails("truncate", descriptor_is_below(file)) ? -1 : REAL(ftruncate64)(file, size);
}
int flock(int file, int operation);
int flock(int file, int operation) {
  return fails("lock", descriptor_is_below(file)) ? -1 : REAL(flock)(file, operation);
}
int fchown(int file, uid_t owner, gid_t group) {
  return fails("owner", descriptor_is_below(file)) ? -1 : REAL(fchown)(file, owner, group);
}
int fchmod(int file, mode_t mode) {
  return fails("owner", descriptor_is_below(file)) ? -1 : REAL(fchmod)(file, mode);
}
int fstat(int file, struct stat *status) {
  return fails("status", descriptor_is_below(file)) ? -1 : REAL(fstat)(file, status);
}
int fstatat(int directory, const char *path, struct stat *status, int flags) {
  if (fails("status", name_is_below(directory, path))) return -1;
  return REAL(fstatat)(directory, path, status, flags);
}
int stat(const char *path, struct stat *status) {
  return fails("status", name_is_below(AT_FDCWD, path)) ? -1 : REAL(stat)(path, status);
}
int rename(const char *from, const char *to) {
  return fails("rename", name_is_below(AT_FDCWD, from)) ? -1 : REAL(rename)(from, to);
}
int renameat(int folder_from, const char *from, int folder_to, const char *to) {
  if (fails("rename", name_is_below(folder_from, from))) return -1;
  return REAL(renameat)(folder_from, from, folder_to, to);
}
int renameat2(int folder_from, const char *from, int folder_to, const char *to, unsigned flags) {
  if (fails("rename", name_is_below(folder_from, from))) return -1;
  return REAL(renameat2)(folder_from, from, folder_to, to, flags);
}
int unlink(const char *path) {
  return fails("remove", name_is_below(AT_FDCWD, path)) ? -1 : REAL(unlink)(path);
}
int unlinkat(int directory, const char *path, int flags) {
  if (fails("remove", name_is_below(directory, path))) return -1;
  return REAL(unlinkat)(directory, path, flags);
}
void *mmap(void *place, size_t size, int rights, int flags, int file, off_t offset) {
  if (file >= 0 && fails("map", descriptor_is_below(file))) return MAP_FAILED;
  return (void *)syscall(SYS_mmap, place, size, rights, flags, file, offset);
}
void *mmap64(void *place, size_t size, int rights, int flags, int file, off64_t offset) {
  return mmap(place, size, rights, flags, file, offset);
}
ssize_t fgetxattr(int file, const char *name, void *value, size_t size) {
  static ssize_t (*real)(int, const char *, void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "fgetxattr");
  return fails("attributes", descriptor_is_below(file)) ? -1 : real(file, name, value, size);
}
ssize_t flistxattr(int file, char *names, size_t size) {
  static ssize_t (*real)(int, char *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "flistxattr");
  return fails("attributes", descriptor_is_below(file)) ? -1 : real(file, names, size);
}
