// SPDX-License-Identifier: MIT
//
// State that the parts of record.c share. A reset initialises it.
#ifndef RECORD_TEST_H
#define RECORD_TEST_H

#include <stdbool.h>
#include <stdint.h>

// An action of the kernel at the next tick.
enum kernel_order { KERNEL_WORKS, KERNEL_PANICS, KERNEL_HANGS };

extern volatile uint32_t kernel_order;    // enum kernel_order
extern volatile uint32_t tick_address;    // of the function that obeys
extern volatile uint32_t record_address;  // of the record
extern volatile uint32_t flip_word, flip; // a word of the newest entry, and the bits to change
extern volatile bool flip_stays;

extern volatile uint32_t twin; // index of the thread that the kernel resumes in the next fault, + 1

extern volatile bool faulty_crashes;
extern volatile uint32_t hostile_target; // the address that it writes to; 0: it makes calls
extern volatile bool hostile_attacks;
extern volatile uint32_t hostile_denied, hostile_not_denied;

// The kind of the entry that the kernel has just written when it panics or hangs.
enum { INTERRUPTED = 0x77 };

enum { HANDLES = 8, ENTRY_WORDS = 9 }; // of the entry with its checksum

// Before the start after AGED_START, the last entry gets this number.
enum { AGED_START = 2 };
#define LAST_NUMBER 0xFFFFFFFEu

#endif
