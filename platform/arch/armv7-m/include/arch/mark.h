// SPDX-License-Identifier: MIT
//
// How this instruction set spells what bench/mark.h needs: a pointer-sized datum in assembler.
//
// A label made by inline assembler carries no Thumb bit, so a mark's address is the instruction's
// own.
#ifndef ARCH_MARK_H
#define ARCH_MARK_H

#define ARCH_POINTER_BYTES "4"
#define ARCH_POINTER_DIRECTIVE ".word"

#endif
