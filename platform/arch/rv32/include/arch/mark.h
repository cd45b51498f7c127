// SPDX-License-Identifier: MIT
//
// How this instruction set spells what bench/mark.h needs: a pointer-sized datum in assembler.
#ifndef ARCH_MARK_H
#define ARCH_MARK_H

#define ARCH_POINTER_BYTES "4"
#define ARCH_POINTER_DIRECTIVE ".word"

#endif
