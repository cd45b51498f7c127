// SPDX-License-Identifier: MIT
//
// The functions of a process that a C library calls (newlib.c, picolibc.c), and that the process
// defines.
#ifndef BULKHEAD_LIBC_HEAP_H
#define BULKHEAD_LIBC_HEAP_H

#include <stddef.h>
#include <stdint.h>

// Adds `bytes` to the used part of the heap, and returns the end before that. Returns -1 and sets
// errno to ENOMEM if the heap has no room.
void *bulkhead_libc_grow(ptrdiff_t bytes);

// Acquires and releases the lock of the heap. The holder may acquire it again.
void bulkhead_libc_lock(void);
void bulkhead_libc_unlock(void);

// Writes the output of stdout and stderr. The application defines this function.
void bulkhead_libc_write(const char *text, uint32_t length);

#endif
