# SPDX-License-Identifier: MIT
#
# Start-up of the test programs. The memory of a simulated node is 0 before the image is loaded, so
# .bss is not cleared.

    .section .text.start, "ax"
    .globl _start
_start:
    la sp, __stack_top
    call test_main
    j .
