// SPDX-License-Identifier: MIT
//
// Start-up of a program under Linux: the C library has started; the rest is the port's.
#include <bench/port.h>

int main(void) {
    bench_port_start();
}
