// SPDX-License-Identifier: MIT
//
// The functions that newlib calls (newlib's manual, "System Calls"), for one process.
#include "heap.h"
#include <bulkhead/bulkhead.h>
#include <errno.h>
#include <sys/stat.h>

struct _reent;

void *_sbrk(ptrdiff_t bytes);
void *_sbrk(ptrdiff_t bytes) {
    return bulkhead_libc_grow(bytes);
}

int _write(int file, const char *text, int length);
int _write(int file, const char *text, int length) {
    (void)file;
    bulkhead_libc_write(text, (uint32_t)length);
    return length;
}

_Noreturn void _exit(int status);
_Noreturn void _exit(int status) {
    (void)status;
    bulkhead_exit();
}

void __malloc_lock(struct _reent *unused);
void __malloc_lock(struct _reent *unused) {
    (void)unused;
    bulkhead_libc_lock();
}

void __malloc_unlock(struct _reent *unused);
void __malloc_unlock(struct _reent *unused) {
    (void)unused;
    bulkhead_libc_unlock();
}

// --- There are no files and no signals -----------------------------------------------------------

static int unsupported(void) {
    errno = ENOSYS;
    return -1;
}

int _read(int file, char *to, int length);
int _read(int file, char *to, int length) {
    (void)file, (void)to, (void)length;
    return unsupported();
}

int _lseek(int file, int offset, int from);
int _lseek(int file, int offset, int from) {
    (void)file, (void)offset, (void)from;
    return unsupported();
}

int _close(int file);
int _close(int file) {
    (void)file;
    return unsupported();
}

int _fstat(int file, struct stat *state);
int _fstat(int file, struct stat *state) {
    (void)file;
    state->st_mode = S_IFCHR; // a character device, as which the library writes stdout at each line
    return 0;
}

int _isatty(int file);
int _isatty(int file) {
    (void)file;
    return 1;
}

int _kill(int process, int signal);
int _kill(int process, int signal) {
    (void)process, (void)signal;
    return unsupported();
}

int _getpid(void);
int _getpid(void) {
    return 1;
}
