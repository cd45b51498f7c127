// SPDX-License-Identifier: MIT
//
// Start-up of a program under Linux: the C library calls main, which starts the kernel's port.
#include <bench/port.h>

int main(void) {
    bench_port_start();
}
