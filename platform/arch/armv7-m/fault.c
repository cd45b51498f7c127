// SPDX-License-Identifier: MIT
//
// Reports an exception without a handler as a failed run, with the processor's fault registers.
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E) B1.5.2 exception numbers, B1.5.6
// stacked frame, B3.2.15 CFSR, B3.2.17 MMFAR, B3.2.18 BFAR.
#include <bench/port.h>
#include <platform/report.h>

#define CFSR (*(volatile uint32_t *)0xE000ED28u)
#define MMFAR (*(volatile uint32_t *)0xE000ED34u)
#define BFAR (*(volatile uint32_t *)0xE000ED38u)

enum { FRAME_PC = 6 }; // word of the frame: r0-r3, r12, lr, pc, xPSR

static char reason[PLATFORM_REPORT_BYTES];

static char *append_name(char *end, uint32_t exception) {
    static const char *const names[] = {[2] = "NMI",
                                        [3] = "hard fault",
                                        [4] = "MemManage fault",
                                        [5] = "bus fault",
                                        [6] = "usage fault"};
    if (exception >= 2 && exception < BENCH_COUNT(names)) {
        return platform_report_text(end, names[exception]);
    }
    return platform_report_hex(end, "unhandled exception 0x", exception);
}

// Called by fault_entry.S. `frame` may be invalid if the fault was caused by the stack itself.
// Reading it then faults again and the processor locks up, which the observer reports.
_Noreturn void fault_report(const uint32_t *frame, uint32_t exception);
_Noreturn void fault_report(const uint32_t *frame, uint32_t exception) {
    char *end = append_name(reason, exception);
    end = platform_report_hex(end, " at pc 0x", frame[FRAME_PC]);
    end = platform_report_hex(end, ", CFSR 0x", CFSR);
    end = platform_report_hex(end, ", MMFAR 0x", MMFAR);
    end = platform_report_hex(end, ", BFAR 0x", BFAR);
    *end = '\0';
    bench_fail(reason);
}
