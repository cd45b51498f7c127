// SPDX-License-Identifier: MIT
//
// The parts of a process that a C library calls, whichever library it is.
#ifndef BULKHEAD_LIBC_HEAP_H
#define BULKHEAD_LIBC_HEAP_H

#include <stddef.h>
#include <stdint.h>

// Adds `bytes` to the used part of the heap, and returns the end before that. Returns -1 and sets
// errno to ENOMEM if the heap has no room.
void *bulkhead_libc_grow(ptrdiff_t bytes);

// The lock of the heap, which its holder may acquire again.
void bulkhead_libc_lock(void);
void bulkhead_libc_unlock(void);

// The application's output of stdout and stderr.
void bulkhead_libc_write(const char *text, uint32_t length);

#endif
