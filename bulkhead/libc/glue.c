// SPDX-License-Identifier: MIT
//
// The functions that newlib calls (newlib's manual, "System Calls"), for one process. Every process
// that uses the C library has its own copy of this file and of the library (bulkhead_libc of
// cmake/BulkheadConfig.cmake): its own heap, its own errno and its own streams, in its own memory.
//
// BULKHEAD_HEAP_BYTES is the size of the heap. If BULKHEAD_LIBC_MUTEX is defined, as the name of a
// mutex of the process, its threads may allocate at the same time; otherwise one thread allocates.
#include <bulkhead/bulkhead.h>
#include <errno.h>
#include <handles.h>
#include <stdint.h>
#include <sys/stat.h>

struct _reent;

// The application's output of stdout and stderr.
void bulkhead_libc_write(const char *text, uint32_t length);

static char heap[BULKHEAD_HEAP_BYTES] __attribute__((aligned(8)));
static uint32_t heap_used;

void *_sbrk(ptrdiff_t bytes);
void *_sbrk(ptrdiff_t bytes) {
    const uint32_t before = heap_used;
    if (bytes > (ptrdiff_t)(sizeof heap - before) || bytes < -(ptrdiff_t)before) {
        errno = ENOMEM;
        return (void *)-1;
    }
    heap_used = before + (uint32_t)bytes;
    return &heap[before];
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

// --- The lock of the heap ------------------------------------------------------------------------

#ifdef BULKHEAD_LIBC_MUTEX
static uint32_t locks; // of the holder

void __malloc_lock(struct _reent *unused);
void __malloc_lock(struct _reent *unused) {
    (void)unused;
    (void)bulkhead_mutex_lock(BULKHEAD_LIBC_MUTEX, BULKHEAD_FOREVER); // REFUSED to the holder
    locks++;
}

void __malloc_unlock(struct _reent *unused);
void __malloc_unlock(struct _reent *unused) {
    (void)unused;
    if (--locks == 0) {
        bulkhead_mutex_unlock(BULKHEAD_LIBC_MUTEX);
    }
}
#endif

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
    state->st_mode = S_IFCHR; // a console: stdout is written at each line
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
