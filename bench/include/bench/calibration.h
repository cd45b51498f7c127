// SPDX-License-Identifier: MIT
//
// Work of known cost: assembler routines for each instruction set (platform/arch/*/calibration.S).
// Their cycle counts show whether a target has the clock, caches, wait states and alignment that
// its description claims.
//
// The routines call no kernel, and the compiler chooses none of their instructions. A test
// disassembles the loops at each alignment.
#ifndef BENCH_CALIBRATION_H
#define BENCH_CALIBRATION_H

#include <stdint.h>

// Loops of register arithmetic. They differ only in the address of their first instruction: the
// number in the name (2 … 256) is the largest power of two that divides it.
void bench_calibration_align_2(uint32_t iterations);
void bench_calibration_align_4(uint32_t iterations);
void bench_calibration_align_8(uint32_t iterations);
void bench_calibration_align_16(uint32_t iterations);
void bench_calibration_align_32(uint32_t iterations);
void bench_calibration_align_64(uint32_t iterations);
void bench_calibration_align_128(uint32_t iterations);
void bench_calibration_align_256(uint32_t iterations);

// Branch-free arithmetic, longer than any instruction cache of the supported boards, so that it
// runs at the speed of the memory that holds the code.
void bench_calibration_straight(void);

// Reads, writes or copies memory. `bytes` is a multiple of 32; pointers are aligned to a word.
void bench_calibration_read(const uint32_t *from, uint32_t bytes);
void bench_calibration_write(uint32_t *to, uint32_t bytes);
void bench_calibration_copy(uint32_t *to, const uint32_t *from, uint32_t bytes);

#endif
