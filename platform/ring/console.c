// SPDX-License-Identifier: MIT
//
// The console of a board whose memory a debugger reads (bench/ring.h). It does not use semihosting,
// which the debugger would have to serve.
#include <arch/console.h>
#include <bench/ring.h>

static void append(char byte) {
    if (bench_ring.console_bytes == BENCH_RING_CONSOLE_BYTES) {
        bench_ring_full();
    }
    bench_ring.console[bench_ring.console_bytes++] = byte;
}

void arch_console_write(const char *text) {
    while (*text != '\0') {
        append(*text++);
    }
}

_Noreturn void arch_exit(int status) {
    bench_ring.status = (uint32_t)status;
    bench_ring_exited();
}
