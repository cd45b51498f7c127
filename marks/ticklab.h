// SPDX-License-Identifier: MIT
//
// Names a point in a firmware, in C, C++ or assembler. A mark is no instruction and takes no
// memory.
//
// It is a local symbol in the symbol table of the ELF file, at the instruction that follows.
// Ticklab finds it by its name, in a recipe or on the command line:
//
//     ticklab observe app.elf --mark begin=mark:sample --mark end=mark:stored
//
// The symbol is in no section of its own, so a linker script needs no line for it, and a mark in a
// function that the linker discards is discarded with it. `strip` removes marks, and so does the
// option -s of a linker: measure the image from before.
//
// This file needs no other, and a compiler that knows GNU inline assembler: GCC, Clang, armclang
// and IAR do.
#ifndef TICKLAB_H
#define TICKLAB_H

#ifdef __ASSEMBLER__

// TICKLAB_MARK sample
// clang-format off
.macro TICKLAB_MARK name
"ticklab.mark.\@.\name":
.endm
// clang-format on

#else

// TICKLAB_MARK("sample"); `name` is a string literal of letters, digits, '-', '_' and '.'. Several
// marks may have one name: inlining and unrolling repeat a mark, too.
//
// The compiler keeps the order of marks, of calls and of volatile accesses, and may move other work
// across a mark. It does not merge paths that have different marks, and a call before a mark is not
// the last thing of its function, so the code around a mark may differ by some instructions. To see
// what your marks change, build with TICKLAB_NO_MARKS defined, and compare the two images.
#ifdef TICKLAB_NO_MARKS
#define TICKLAB_MARK(name) ((void)0)
#else
// `%=` is a number that the compiler gives to each copy of the statement.
#define TICKLAB_MARK(name) __asm__ volatile("\"ticklab.mark.%=." name "\":" ::)
#endif

#endif

#endif
