// SPDX-License-Identifier: MIT
//
// Armv7-M part of share.c, the test of memory that one process writes and another only reads. The
// processor pushes the frame of a system call to the stack of the caller, where the kernel writes
// the result.
#ifndef SHARE_MACHINE_H
#define SHARE_MACHINE_H

#include <bulkhead/svc.h>

// Makes a system call with the stack pointer at `top`, so that the frame is below `top`. The call
// may change `*value`. Returns the result of the call.
static inline uint32_t wait_on(uint32_t *top, uint32_t handle, uint32_t method, uint32_t *value) {
    register uint32_t r0 __asm__("r0");
    register uint32_t r1 __asm__("r1") = handle;
    register uint32_t r2 __asm__("r2") = method;
    register uint32_t r3 __asm__("r3") = *value;
    register uint32_t r12 __asm__("r12") = UINT32_MAX; // BULKHEAD_FOREVER
    __asm__ volatile("mov r4, sp\n\tmov sp, %[top]\n\t" BULKHEAD_SVC "\n\tmov sp, r4"
                     : "=&r"(r0), "+r"(r3), "+r"(r12)
                     : "r"(r1), "r"(r2), [top] "r"(top)
                     : "r4", "cc", "memory");
    *value = r3;
    return r0;
}

static inline void write_exclusive(volatile uint32_t *word) {
    (void)bulkhead_load_exclusive(word);
    (void)bulkhead_store_exclusive(word, 1);
}

#endif
