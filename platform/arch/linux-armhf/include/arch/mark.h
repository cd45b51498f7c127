// SPDX-License-Identifier: MIT
//
// Defines for bench/mark.h how this instruction set declares a pointer-sized datum in assembler.
#ifndef ARCH_MARK_H
#define ARCH_MARK_H

#define ARCH_POINTER_BYTES "4"
#define ARCH_POINTER_DIRECTIVE ".word"

#endif
