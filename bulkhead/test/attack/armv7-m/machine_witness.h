// SPDX-License-Identifier: MIT
//
// Armv7-M part of witness.h: the memory and the registers that the witness compares, and limits of
// what it may find.
#ifndef MACHINE_WITNESS_H
#define MACHINE_WITNESS_H

#include <machine_places.h>

enum { MACHINE_DATA_RANGES = 1, MACHINE_CODE_RANGES = 1 };
enum { WORDS_LEARNT = 160, LATE_COUNTS = 1000 / INSTRUCTIONS_A_COUNT, JUDGE_STACK_BYTES = 1024 };

// No other code uses this memory.
#define WITNESS_MEMORY (MACHINE_DATA + 0x00100000u)
#define WITNESS_MEMORY_BYTES 0x200000u

#endif
