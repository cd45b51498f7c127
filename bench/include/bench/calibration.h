// SPDX-License-Identifier: MIT
//
// Work of known cost, in assembler for each instruction set (platform/arch/*/calibration.S): what a
// target must answer if clock, caches, wait states and alignment are as its description says.
//
// No kernel has a part in it, no compiler chooses the instructions, and a test disassembles them.
#ifndef BENCH_CALIBRATION_H
#define BENCH_CALIBRATION_H

#include <stdint.h>

// Loops of arithmetic on registers, alike but for the address of their first instruction: of its
// factors of two the greatest is the number in the name, 2 … 256.
void bench_calibration_align_2(uint32_t iterations);
void bench_calibration_align_4(uint32_t iterations);
void bench_calibration_align_8(uint32_t iterations);
void bench_calibration_align_16(uint32_t iterations);
void bench_calibration_align_32(uint32_t iterations);
void bench_calibration_align_64(uint32_t iterations);
void bench_calibration_align_128(uint32_t iterations);
void bench_calibration_align_256(uint32_t iterations);

// Arithmetic without a branch, longer than any cache of code here: it runs at the speed of the
// memory behind.
void bench_calibration_straight(void);

// `bytes` is a multiple of 32, and pointers are aligned to words.
void bench_calibration_read(const uint32_t *from, uint32_t bytes);
void bench_calibration_write(uint32_t *to, uint32_t bytes);
void bench_calibration_copy(uint32_t *to, const uint32_t *from, uint32_t bytes);

#endif
