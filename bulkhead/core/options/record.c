// SPDX-License-Identifier: MIT
//
// The record of faults and resets, which survives a reset. Only a system that declares a record has
// this file.
//
// The record is a table of entries in memory that no start-up code writes (kernel_record, in the
// linker script). After a loss of power its contents are random, a reset may come while an entry is
// written, and memory may fail. Each entry therefore has its own checksum, which is written last.
// An entry with a wrong checksum counts as absent. Entries are found by their numbers, so that no
// other data has to survive.
//
// The origin of an entry is a cause and a process. A new entry replaces the older one of its origin
// if there are two, and otherwise the oldest entry of all: a process that faults again and again
// leaves the entries of other processes. Numbers wrap, and are compared by their difference. So an
// entry that is older than half of all numbers is replaced first.
//
// Each step of the checksum is a bijection of its former value and of the word, so two entries that
// differ in one word differ in their checksums. The first value of the checksum is not 0, and
// differs between layouts of the entry, so memory of zeroes is no record.
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

extern uint32_t kernel_record[]; // defined in the linker script

enum { SLOTS = BULKHEAD_RECORD_ENTRIES, OF_ONE_ORIGIN = 2 };

// The numbers and origins of the valid entries of the record. Both are 0 for an invalid entry,
// because no origin is 0.
static struct {
    uint32_t number, origin;
} known[SLOTS];

static uint32_t last_number, start_number;

static uint32_t checksum(const struct bulkhead_record_entry *entry) {
    const uint32_t *words = (const uint32_t *)entry;
    uint32_t sum = LAYOUT;
    for (uint32_t i = 0; i < FIELDS; i++) {
        sum = (sum ^ words[i]) * FACTOR;
    }
    return sum;
}

static struct slot *slots(void) {
    return (struct slot *)kernel_record;
}

static bool is_valid(const struct slot *slot) {
    return slot->check == checksum(&slot->entry);
}

// Returns the origin of an entry. Processes lie so far apart in memory that the sum of an address
// and a cause does not reach the address of the next process.
static uint32_t origin_of(uint32_t cause, uint32_t thread) {
    const uint32_t index = thread - BULKHEAD_FIRST_THREAD;
    const bool is_known = thread != 0 && index < kernel_thread_count;
    return cause + (is_known ? (uint32_t)(uintptr_t)kernel_thread_declarations[index].process : 0);
}

static bool is_later(uint32_t number, uint32_t other) {
    return (int32_t)(number - other) > 0;
}

// Reads the valid entry of a slot of the record. Returns whether it is later than the entries read
// before.
static bool learn(uint32_t index, bool is_first) {
    const struct bulkhead_record_entry *entry = &slots()[index].entry;
    known[index].number = entry->number;
    known[index].origin = origin_of(entry->cause, entry->thread);
    return is_first || is_later(entry->number, last_number);
}

// Finds the entries by reading the memory of the record alone. Returns the number of the kernel
// start to which the last entry belongs, or 0 if there is no entry.
static uint32_t learn_all(void) {
    uint32_t start = 0;
    last_number = 0;
    kernel_clear(known, known + SLOTS);
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (is_valid(&slots()[i]) && learn(i, start == 0)) {
            last_number = known[i].number;
            start = slots()[i].entry.start;
        }
    }
    return start;
}

void record_start(void) {
    start_number = 0;
    arch_compiler_barrier();
    const uint32_t last_start = learn_all();
    arch_compiler_barrier();
    start_number = last_start + 1;
}

// --- Writing -------------------------------------------------------------------------------------

static uint32_t handle_of(const struct thread *thread) {
    const uint32_t index = (uint32_t)(thread - kernel_threads);
    return index < kernel_thread_count ? BULKHEAD_FIRST_THREAD + index : 0;
}

// Removes an entry that is so old that, once numbers wrap, it would appear to be later than the
// last one.
static void forget_aged(uint32_t index, uint32_t number) {
    if (!is_later(number, known[index].number)) {
        slots()[index].check = 0;
        known[index].origin = 0;
    }
}

// Returns which of two slots a new entry replaces: an empty slot, otherwise the one with the older
// entry.
static uint32_t older(uint32_t index, uint32_t other) {
    if (known[index].origin == 0) {
        return index;
    }
    const bool is_older =
        known[other].origin == 0 || is_later(known[index].number, known[other].number);
    return is_older ? other : index;
}

// Returns the slot in which a new entry is written.
static uint32_t slot_for(uint32_t number, uint32_t origin) {
    uint32_t oldest = 0, own = 0, own_count = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        forget_aged(i, number);
        oldest = older(oldest, i);
        if (known[i].origin == origin) {
            own = own_count == 0 ? i : older(own, i);
            own_count++;
        }
    }
    return own_count < OF_ONE_ORIGIN ? oldest : own;
}

// Writes an entry. The NMI or a panic may interrupt this function: see write_last.
static void write(enum bulkhead_cause cause, uint32_t thread, uint32_t kind, uint32_t address,
                  uint32_t pc) {
    const uint32_t number = last_number + 1, origin = origin_of(cause, thread);
    const uint32_t index = slot_for(number, origin);
    struct slot *slot = &slots()[index];
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
    known[index].number = number;
    known[index].origin = origin;
    last_number = number;
}

void record_fault(const struct thread *thread) {
    const struct bulkhead_fault *fault = thread->process->report;
    write(BULKHEAD_CAUSE_FAULT, fault->thread, fault->kind, fault->address, fault->registers.pc);
}

// The NMI may interrupt the next start before the start-up code has loaded any memory.
// `start_number` then says that no start has a number yet.
static _Noreturn void reset_system(void) {
    start_number = 0;
    arch_reset_system();
}

// Writes an entry for the NMI or a panic, which may interrupt any function of this file and do not
// return. `known` and `last_number` may be inconsistent then, so they are computed again from the
// memory. An entry with its checksum is complete and has the last number; an entry without a
// checksum is absent, and its slot is free.
static _Noreturn void write_last(enum bulkhead_cause cause, uint32_t kind, uint32_t pc) {
    const uint32_t last_start = learn_all();
    if (start_number == 0) { // in record_start or before it: no thread ran, and no tick came
        start_number = last_start + 1;
        kernel_clear(&kernel, &kernel + 1);
    }
    write(cause, handle_of(kernel.current), kind, 0, pc);
    reset_system();
}

_Noreturn void record_watchdog(uint32_t pc) {
    write_last(BULKHEAD_CAUSE_WATCHDOG, 0, pc);
}

_Noreturn void record_panic(void) {
    const struct arch_place place = arch_panic_place();
    write_last(BULKHEAD_CAUSE_PANIC, place.status, place.pc);
}

struct thread *record_reset(const void *unused, struct arch_frame *frame) {
    (void)unused;
    write(BULKHEAD_CAUSE_RESET, handle_of(kernel.current), arch_argument(frame), 0, 0);
    reset_system();
}

// --- Reading -------------------------------------------------------------------------------------

// Returns the number of entries that are later than the entry of a slot.
static uint32_t age_of(uint32_t index) {
    uint32_t later = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        later += known[i].origin != 0 && is_later(known[i].number, known[index].number);
    }
    return later;
}

// Returns the slot of the entry with this age; SLOTS if there is none. The memory of the entry may
// have changed since it was written, so the caller tests its checksum.
static uint32_t slot_of_age(uint32_t age) {
    uint32_t index = 0;
    while (index < SLOTS && (known[index].origin == 0 || age_of(index) != age)) {
        index++;
    }
    return index;
}

struct thread *record_read(const void *unused, struct arch_frame *frame) {
    const uint32_t index = slot_of_age(arch_argument(frame));
    const struct user_pointer to = {arch_second_argument(frame)};
    (void)unused;
    if (index == SLOTS || !is_valid(&slots()[index])) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    if (!arch_copy_out(to, (const uint32_t *)&slots()[index].entry, FIELDS)) {
        return kernel_fail(BULKHEAD_DENIED);
    }
    return NO_SWITCH;
}
