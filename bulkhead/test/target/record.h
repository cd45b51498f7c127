// SPDX-License-Identifier: MIT
//
// State that the processes of record.c and its kernel functions share. A reset sets it to its
// initial values.
#ifndef RECORD_TEST_H
#define RECORD_TEST_H

#include <stdbool.h>
#include <stdint.h>

// Action of the kernel at the next tick.
enum kernel_order { KERNEL_WORKS, KERNEL_PANICS, KERNEL_HANGS };

extern volatile uint32_t kernel_order;   // enum kernel_order
extern volatile uint32_t tick_address;   // address of the function that executes kernel_order
extern volatile uint32_t record_address; // address of the record
// Index of a word of the newest entry, and the bits to flip in the word.
extern volatile uint32_t flip_word, flip;
extern volatile bool flip_stays;

// 1 + index of the thread that the kernel resumes in the next fault; 0: none.
extern volatile uint32_t twin;

extern volatile bool faulty_crashes;
// Address that the hostile process writes to; 0: it makes calls instead.
extern volatile uint32_t hostile_target;
extern volatile bool hostile_attacks;
extern volatile uint32_t hostile_denied, hostile_not_denied;

// The kind of the entry that the kernel writes just before it panics or hangs on order.
enum { INTERRUPTED = 0x77 };

enum { HANDLES = 8, ENTRY_WORDS = 9 }; // ENTRY_WORDS: size of an entry with its checksum

// After the start number AGED_START, before the next start, the newest entry gets the number
// LAST_NUMBER, so that the numbers of entries soon wrap.
enum { AGED_START = 2 };

// The number of the start in which the kernel hangs.
enum { HUNG_START = 5 };
#define LAST_NUMBER 0xFFFFFFFEu

#endif
