// SPDX-License-Identifier: MIT
//
// A kernel with an error, for record.c: the linker wraps the tick with a function that panics or
// hangs on order, and the reading of the record with one that changes a bit before it. This file is
// linked into the kernel.
#include "record.h"
#include "methods.h"
#include <bulkhead/record.h>

extern uint32_t kernel_record[]; // the linker script

void __real_kernel_tick(void);
void __wrap_kernel_tick(void);
struct thread *__real_record_read(const void *unused, struct arch_frame *frame);
struct thread *__wrap_record_read(const void *unused, struct arch_frame *frame);

void __wrap_kernel_tick(void) {
    tick_address = (uint32_t)__wrap_kernel_tick;
    record_address = (uint32_t)kernel_record;
    if (kernel_order == KERNEL_PANICS) {
        *(volatile uint32_t *)0x90000000u = 0; // there is no memory
    }
    while (kernel_order == KERNEL_HANGS) {
    }
    __real_kernel_tick();
}

// Returns the newest entry: that with the highest number.
static uint32_t *newest(void) {
    uint32_t *found = kernel_record;
    for (uint32_t i = 0; i < BULKHEAD_RECORD_ENTRIES; i++) {
        uint32_t *each = kernel_record + i * ENTRY_WORDS;
        found = each[0] > found[0] ? each : found;
    }
    return found;
}

struct thread *__wrap_record_read(const void *unused, struct arch_frame *frame) {
    uint32_t *const word = newest() + flip_word;
    *word ^= flip;
    struct thread *const next = __real_record_read(unused, frame);
    *word ^= flip_stays ? 0 : flip;
    return next;
}
