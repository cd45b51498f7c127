// SPDX-License-Identifier: MIT
//
// The record that survives a reset. Only a system that declares a record has this file.
//
// The record is a ring of entries in memory that no start-up code writes (kernel_record, in the
// linker script). After a loss of power it has any contents, and a reset may come while an entry is
// written, or memory may fail: each entry has a checksum of its own, which is written last. An
// entry with a wrong one does not exist. Entries are found by their numbers, so that nothing else
// has to survive.
//
// Each step of the checksum is a bijection of its former value and of the word, so two entries that
// differ in one word differ in their checksums. Its first value is not 0, and differs between
// layouts of the entry: memory of zeroes is no record.
#include "record.h"
#include "methods.h"
#include "optional.h"

enum { FIELDS = sizeof(struct bulkhead_record_entry) / sizeof(uint32_t) };
enum { LAYOUT = 0x52C0DE01, FACTOR = 0x01000193 };

struct slot {
    struct bulkhead_record_entry entry;
    uint32_t check;
};

_Static_assert(BULKHEAD_RECORD_ENTRIES * sizeof(struct slot) <= 256, "raise BYTES of records.py");

extern uint32_t kernel_record[]; // the linker script

static uint32_t last_number, start_number;

static uint32_t checksum(const struct bulkhead_record_entry *entry) {
    const uint32_t *words = (const uint32_t *)entry;
    uint32_t sum = LAYOUT;
    for (uint32_t i = 0; i < FIELDS; i++) {
        sum = (sum ^ words[i]) * FACTOR;
    }
    return sum;
}

static struct slot *slot_of(uint32_t number) {
    return (struct slot *)kernel_record + number % BULKHEAD_RECORD_ENTRIES;
}

static bool is_valid(const struct slot *slot) {
    return slot->check == checksum(&slot->entry) && slot_of(slot->entry.number) == slot;
}

void record_start(void) {
    last_number = 0;
    start_number = 0;
    for (uint32_t i = 0; i < BULKHEAD_RECORD_ENTRIES; i++) {
        const struct slot *slot = slot_of(i);
        if (is_valid(slot) && slot->entry.number > last_number) {
            last_number = slot->entry.number;
            start_number = slot->entry.start;
        }
    }
    start_number++;
}

// --- Writing -------------------------------------------------------------------------------------

static uint32_t handle_of(const struct thread *thread) {
    const uint32_t index = (uint32_t)(thread - kernel_threads);
    return index < kernel_thread_count ? BULKHEAD_FIRST_THREAD + index : 0;
}

// The NMI may interrupt this function; it then writes its own entry into the same slot, and does
// not return.
static void write(enum bulkhead_cause cause, uint32_t thread, uint32_t kind, uint32_t address,
                  uint32_t pc) {
    const uint32_t number = last_number + 1;
    struct slot *slot = slot_of(number);
    slot->check = 0;
    arch_compiler_barrier();
    slot->entry = (struct bulkhead_record_entry){.number = number,
                                                 .start = start_number,
                                                 .cause = cause,
                                                 .ticks = kernel.ticks,
                                                 .thread = thread,
                                                 .kind = kind,
                                                 .address = address,
                                                 .pc = pc};
    arch_compiler_barrier();
    slot->check = checksum(&slot->entry);
    last_number = number;
}

void record_fault(const struct thread *thread) {
    const struct bulkhead_fault *fault = thread->process->report;
    write(BULKHEAD_CAUSE_FAULT, fault->thread, fault->kind, fault->address, fault->registers.pc);
}

_Noreturn void record_watchdog(uint32_t pc) {
    write(BULKHEAD_CAUSE_WATCHDOG, handle_of(kernel.current), 0, 0, pc);
    arch_reset_system();
}

_Noreturn void record_panic(void) {
    const struct arch_place place = arch_panic_place();
    write(BULKHEAD_CAUSE_PANIC, handle_of(kernel.current), place.status, 0, place.pc);
    arch_reset_system();
}

struct thread *record_reset(const void *unused, struct arch_frame *frame) {
    (void)unused;
    write(BULKHEAD_CAUSE_RESET, handle_of(kernel.current), arch_argument(frame), 0, 0);
    arch_reset_system();
}

// --- Reading -------------------------------------------------------------------------------------

struct thread *record_read(const void *unused, struct arch_frame *frame) {
    const uint32_t age = arch_argument(frame);
    const struct user_pointer to = {arch_second_argument(frame)};
    (void)unused;
    if (age >= BULKHEAD_RECORD_ENTRIES || age >= last_number) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    const struct slot *slot = slot_of(last_number - age);
    if (!is_valid(slot) || slot->entry.number != last_number - age) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    if (!arch_copy_out(to, (const uint32_t *)&slot->entry, FIELDS)) {
        return kernel_fail(BULKHEAD_DENIED);
    }
    return NO_SWITCH;
}
