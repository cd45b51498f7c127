// SPDX-License-Identifier: MIT
//
// Puts errors into the kernel, for record.c. The linker wraps four functions of the kernel: the
// tick panics or hangs on order, reading the record flips a bit first, the start of the record
// first raises the numbers of its entries until they nearly wrap, and a fault resumes another
// thread at once. On Arm it also wraps the start-up code: in the start after that in which the
// kernel hung, the NMI of the watchdog comes first. This file is linked into the kernel.
#include "record.h"
#include "methods.h"
#include <bulkhead/record.h>

extern uint32_t kernel_record[]; // defined by the linker script

void __real_kernel_tick(void);
void __wrap_kernel_tick(void);
void __real_record_start(void);
void __wrap_record_start(void);
void __real_kernel_fault(void);
void __wrap_kernel_fault(void);
struct thread *__real_record_read(const void *unused, struct arch_frame *frame);
struct thread *__wrap_record_read(const void *unused, struct arch_frame *frame);

static uint32_t checksum(const uint32_t *words) {
    uint32_t sum = 0x52C0DE01;
    for (uint32_t i = 0; i < ENTRY_WORDS - 1; i++) {
        sum = (sum ^ words[i]) * 0x01000193;
    }
    return sum;
}

static uint32_t *words_of(uint32_t slot) {
    return kernel_record + slot * ENTRY_WORDS;
}

static bool is_valid(const uint32_t *words) {
    return words[ENTRY_WORDS - 1] == checksum(words);
}

// Returns the slot with the highest number if `is_last`. Otherwise returns a slot without a valid
// entry, or else the slot with the lowest number.
static uint32_t *first_or_last(bool is_last) {
    uint32_t *found = NULL;
    for (uint32_t i = 0; i < BULKHEAD_RECORD_ENTRIES; i++) {
        uint32_t *each = words_of(i);
        if (!is_valid(each)) {
            if (!is_last) {
                return each;
            }
        } else if (found == NULL || ((int32_t)(each[0] - found[0]) > 0) == is_last) {
            found = each;
        }
    }
    return found;
}

// Writes an entry as if the kernel was stopped just after it had written the entry to the record:
// the kernel's own variables do not know this entry yet.
static void write_interrupted(void) {
    const uint32_t *last = first_or_last(true);
    const uint32_t number = last[0] + 1, start = last[1] + 1;
    uint32_t *words = first_or_last(false);
    const struct bulkhead_record_entry entry = {
        .number = number, .start = start, .cause = BULKHEAD_CAUSE_FAULT, .kind = INTERRUPTED};
    *(struct bulkhead_record_entry *)words = entry;
    words[ENTRY_WORDS - 1] = checksum(words);
}

void __wrap_kernel_tick(void) {
    tick_address = (uint32_t)__wrap_kernel_tick;
    record_address = (uint32_t)kernel_record;
    if (kernel_order != KERNEL_WORKS) {
        write_interrupted();
    }
    if (kernel_order == KERNEL_PANICS) {
        *(volatile uint32_t *)0x90000000u = 0; // no memory has this address, so the kernel faults
    }
    while (kernel_order == KERNEL_HANGS) {
    }
    __real_kernel_tick();
}

// Returns the newest entry, which has the highest number.
static uint32_t *newest(void) {
    uint32_t *found = kernel_record;
    for (uint32_t i = 0; i < BULKHEAD_RECORD_ENTRIES; i++) {
        uint32_t *each = words_of(i);
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

// Adds `more` to the number of each valid entry. The entry with the number 1 gets a number that is
// 2^31 - 1 below the newest, so the next entry makes it too old to compare, and replaces it.
static void add_to_numbers(uint32_t more) {
    for (uint32_t i = 0; i < BULKHEAD_RECORD_ENTRIES; i++) {
        uint32_t *words = words_of(i);
        if (is_valid(words)) {
            words[0] = words[0] == 1 ? LAST_NUMBER - 0x7FFFFFFFu : words[0] + more;
            words[ENTRY_WORDS - 1] = checksum(words);
        }
    }
}

void __wrap_record_start(void) {
    const uint32_t *last = newest();
    if (last[1] == AGED_START && last[0] < LAST_NUMBER) {
        add_to_numbers(LAST_NUMBER - last[0]);
    }
    __real_record_start();
}

void __wrap_kernel_fault(void) {
    const uint32_t number = twin;
    __real_kernel_fault();
    if (number != 0 && kernel_threads[number - 1].state == THREAD_SUSPENDED) {
        kernel_interrupt_resumes(&kernel_threads[number - 1]);
    }
}

#ifndef __riscv
#define ICSR (*(volatile uint32_t *)0xE000ED04u)
#define ICSR_NMIPENDSET (1u << 31)

__attribute__((used)) static void watch_early(void) {
    const struct bulkhead_record_entry *last =
        (const struct bulkhead_record_entry *)first_or_last(true);
    if (last != NULL && last->cause == BULKHEAD_CAUSE_WATCHDOG && last->start == HUNG_START) {
        ICSR = ICSR_NMIPENDSET;
        __asm__ volatile("dsb\n\tisb" ::: "memory");
    }
}

__attribute__((naked)) void __wrap_Reset_Handler(void);
__attribute__((naked)) void __wrap_Reset_Handler(void) {
    __asm__ volatile("bl watch_early\n\t"
                     "b __real_Reset_Handler");
}
#endif
