// SPDX-License-Identifier: MIT
//
// Defines for bench/mark.h how this instruction set declares a pointer-sized datum in assembler,
// and the instructions of a mark on boards where a mark needs instructions (arch/ring_mark.h).
//
// A label in inline assembler has no Thumb bit, so a mark's address is the instruction's own.
#ifndef ARCH_MARK_H
#define ARCH_MARK_H

#define ARCH_POINTER_BYTES "4"
#define ARCH_POINTER_DIRECTIVE ".word"

#ifdef BENCH_COUNTER
#include <arch/ring_mark.h>
#endif

#endif
