// SPDX-License-Identifier: MIT
//
// RV32 part of witness.h: the memory and the registers that the witness compares, and limits of
// what it may find.
#ifndef MACHINE_WITNESS_H
#define MACHINE_WITNESS_H

enum { MACHINE_DATA_RANGES = 2, MACHINE_CODE_RANGES = 2 };
enum { WORDS_LEARNT = 160, LATE_COUNTS = 15, INSTRUCTIONS_A_COUNT = 100, JUDGE_STACK_BYTES = 2048 };

// No other code uses this memory.
#define WITNESS_MEMORY 0x80200000u
#define WITNESS_MEMORY_BYTES 0x200000u

#endif
