// SPDX-License-Identifier: MIT
//
// The log of a process: the latest entries in memory of the process, which a debugger or the
// laboratory reads (`ticklab bulkhead log`). An entry is written without a system call, takes 32
// bytes, and has a text that is in the image's file and not in its memory:
//
//     BULKHEAD_LOG(LOG_CONTROL, "late by %u of %u ticks", late, period);
//
// A declaration gives a process a log with `log_events`. The text may contain %u, %d, %x, %c and
// %%. The log keeps its entries when its process or the system starts again. Only threads of its
// process write it; several of them may at once. A process can write anything into its own log, so
// the reader trusts neither the text nor the time of an entry, and shows whose log it is from.
#ifndef BULKHEAD_LOG_H
#define BULKHEAD_LOG_H

#include <assert.h>
#include <stdint.h>

// An entry of a log or of the kernel's trace.
struct bulkhead_entry {
    uint32_t check; // the result of bulkhead_entry_check; with any other value the entry is invalid
    uint32_t ticks; // ticks since the kernel started
    uint32_t thread; // log: identity of the writer; trace: number of the thread that ran
    uint32_t what;   // log: address of the text; trace: a value of enum bulkhead_trace_kind
    uint32_t values[4];
};

// The header of the entries, which follow it in memory. Entries are never initialised: the check of
// an entry shows whether it was written.
struct bulkhead_ring {
    uint32_t written;     // number of entries so far, with those that are being written; wraps
    uint32_t tick_counts; // trace: counts of the clock in one tick
    uint32_t unused[6];
};

struct bulkhead_log {
    struct bulkhead_ring *ring;
    uint32_t mask; // the number of entries, a power of two, less 1
};

enum bulkhead_trace_kind {
    BULKHEAD_TRACE_START = 1, // the kernel starts
    BULKHEAD_TRACE_SWITCH,    // values: clock, number of the thread that runs next
    BULKHEAD_TRACE_CALL,      // values: clock, handle, method
    BULKHEAD_TRACE_FAULT,     // values: clock, kind (fault.h), address, pc
};

// Returns the check of an entry. Each step is a bijection of its former value and of the word, so
// two entries that differ in one word have different checks.
static inline uint32_t bulkhead_entry_check(uint32_t number, const struct bulkhead_entry *entry) {
    const uint32_t *words = &entry->ticks;
    uint32_t check = 0x7EA5E001u ^ number;
    for (uint32_t i = 0; i < 7; i++) {
        check = (check ^ words[i]) * 0x01000193u;
    }
    return check;
}

static inline struct bulkhead_entry *bulkhead_entry_of(struct bulkhead_ring *ring, uint32_t mask,
                                                       uint32_t number) {
    return (struct bulkhead_entry *)(ring + 1) + (number & mask);
}

// Writes an entry. Defined in user_objects.c, in a system that declares a log.
void bulkhead_log_write(const struct bulkhead_log *log, const char *text, uint32_t a, uint32_t b,
                        uint32_t c, uint32_t d);

// Writes an entry: a text, and at most four values.
#define BULKHEAD_LOG(log, ...) BULKHEAD_LOG_FOUR(log, __VA_ARGS__, 0, 0, 0, 0, , )

#define BULKHEAD_LOG_FOUR(log, text, a, b, c, d, more, ...)                                       \
    do {                                                                                          \
        static const char bulkhead_text[] __attribute__((section(".bulkhead.log"), used)) = text; \
        static_assert((more + 0) == 0, "an entry of a log has at most four values");              \
        bulkhead_log_write((log), bulkhead_text, (uint32_t)(a), (uint32_t)(b), (uint32_t)(c),     \
                           (uint32_t)(d));                                                        \
    } while (0)

#endif
