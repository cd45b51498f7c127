// SPDX-License-Identifier: MIT
//
// Marks: named points in a scenario that cost the guest no instruction.
//
// A mark is a label. Its address and its name go into the section `.bench.marks`, which is in the
// ELF file and never in memory. The observer (the QEMU plugin, or the retired-instruction port of
// an RTL simulation) reports each time the instruction at that address is about to execute. The
// instruction count at a mark is therefore the number of instructions completed before the
// instruction at the mark.
//
// One entry of the section: the address (one pointer), the name (NUL-terminated), padding to the
// size of a pointer. A name may appear several times, because compilers duplicate code.
//
// On a board that nothing observes from outside a mark has code, which records its passes in memory
// (bench/ring.h). Everything else is the same.
//
// A mark is a compiler barrier: the compiler moves no memory access across it. It is no barrier for
// hardware.
#ifndef BENCH_MARK_H
#define BENCH_MARK_H

#include <arch/mark.h> // how the assembler spells a pointer-sized datum; the code of a mark

#ifndef ARCH_MARK_CODE
#define ARCH_MARK_CODE ""
#define ARCH_MARK_CLOBBERS "memory"
#endif

// BENCH_MARK("iteration.0"): `name` is a string literal of letters, digits, '-', '_', '.'. The
// scenario's row in suite.toml defines spans between marks.
#define BENCH_MARK(name)                                                                     \
    __asm__ volatile("661:\n\t"                                                              \
                     ".pushsection .bench.marks,\"\",%%progbits\n\t"                         \
                     ".balign " ARCH_POINTER_BYTES "\n\t" ARCH_POINTER_DIRECTIVE " 661b\n\t" \
                     ".asciz \"" name "\"\n\t"                                               \
                     ".balign " ARCH_POINTER_BYTES "\n\t"                                    \
                     ".popsection" ARCH_MARK_CODE ::                                         \
                         : ARCH_MARK_CLOBBERS)

#endif
