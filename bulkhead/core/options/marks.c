// SPDX-License-Identifier: MIT
//
// Fills all stacks with a mark, which shows how much of each stack was never used. Only a system
// that declares `stack_marks` has this file.
//
// The marks are written once, at the start, so they also show what a thread used before it was
// started again. A thread that leaves words of its stack unwritten, or writes the mark, appears to
// have used less: the marks show what the thread has used, not what it may use. No thread can
// change the marks of another thread.
#include "measures.h"
#include "methods.h"

enum { MARK = 0x5A5AA5A5, AT_ONCE_WORDS = BULKHEAD_MARKS_AT_ONCE / sizeof(uint32_t) };

static void marks_lay_in(const struct measured *measured) {
    for (uint32_t *word = measured->stack; word != measured->stack_end; word++) {
        *word = MARK;
    }
}

void marks_lay(void) {
    for (uint32_t i = 0; i <= kernel_thread_count; i++) {
        marks_lay_in(&kernel_measured[i]);
    }
}

// Counts marks from an offset on, at most a fixed number in one call. Returns the offset after the
// last mark that it counted.
struct thread *measured_stack_left(const struct measured *measured, struct arch_frame *frame) {
    const uint32_t size = (uint32_t)(measured->stack_end - measured->stack);
    const uint32_t from = arch_argument(frame) / sizeof(uint32_t);
    if (from > size) {
        return kernel_fail(BULKHEAD_DENIED);
    }
    const uint32_t end = size - from < AT_ONCE_WORDS ? size : from + AT_ONCE_WORDS;
    uint32_t word = from;
    while (word != end && measured->stack[word] == MARK) {
        word++;
    }
    arch_set_value(frame, word * sizeof(uint32_t));
    return NO_SWITCH;
}
