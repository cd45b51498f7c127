/* SPDX-License-Identifier: MIT
 *
 * The program that run_program.c runs, and the libraries that it loads: those of the C library from
 * the compiler's package, the others from suite.toml. The assembler finds them in its folders.
 */
    .macro file name, source
    .section .rodata.name.\@, "a"
name_\@:
    .asciz "\name"
    .section .rodata.file.\@, "a"
    .balign 4
begin_\@:
    .incbin "\source"
end_\@:
    .section .data.rel.ro.files, "aw"
    .word name_\@, begin_\@, end_\@
    .endm

    .section .data.rel.ro.files, "aw"
    .balign 4
    .global program_files
    .type program_files, %object
program_files:
    file "/program-under-test", PROGRAM
    file "/lib/ld-linux-armhf.so.3", "ld-linux-armhf.so.3"
    file "/lib/libc.so.6", "libc.so.6"
    file "/lib/librt.so.1", "librt.so.1"
    file "/lib/libpthread.so.0", "libpthread.so.0"
    file "/lib/libnuma.so.1", "libnuma.so.1.0.0"
    .word 0, 0, 0
    .size program_files, . - program_files

    .section .note.GNU-stack, "", %progbits
