// SPDX-License-Identifier: MIT
//
// The functions and streams that picolibc expects (its documentation, "Using picolibc" and
// "Operating system support"), for one process.
#include "heap.h"
#include <bulkhead/bulkhead.h>
#include <errno.h>
#include <stdio.h>

void *sbrk(ptrdiff_t bytes);
void *sbrk(ptrdiff_t bytes) {
    return bulkhead_libc_grow(bytes);
}

_Noreturn void _exit(int status);
_Noreturn void _exit(int status) {
    (void)status;
    bulkhead_exit();
}

// --- Streams -------------------------------------------------------------------------------------

static int put(char character, FILE *stream) {
    (void)stream;
    bulkhead_libc_write(&character, 1);
    return (unsigned char)character;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &console;
FILE *const stderr = &console;

// --- Locks ---------------------------------------------------------------------------------------
// The library has one, which its allocator uses. These functions replace its own, which do nothing.

struct __lock {
    char unused;
};
extern struct __lock __lock___libc_recursive_mutex;
struct __lock __lock___libc_recursive_mutex;

void __retarget_lock_acquire_recursive(struct __lock *lock);
void __retarget_lock_acquire_recursive(struct __lock *lock) {
    (void)lock;
    bulkhead_libc_lock();
}

void __retarget_lock_release_recursive(struct __lock *lock);
void __retarget_lock_release_recursive(struct __lock *lock) {
    (void)lock;
    bulkhead_libc_unlock();
}

// --- There are no signals ------------------------------------------------------------------------

int kill(int process, int signal);
int kill(int process, int signal) {
    (void)process, (void)signal;
    errno = ENOSYS;
    return -1;
}

int getpid(void);
int getpid(void) {
    return 1;
}
