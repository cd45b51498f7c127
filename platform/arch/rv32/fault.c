// SPDX-License-Identifier: MIT
//
// Reports a trap without a handler as a failed run, with the processor's trap registers.
//
// Source: RISC-V Privileged Architecture 20211203, 3.1.15 mcause, 3.1.16 mtval.
#include <arch/fault.h>
#include <bench/port.h>
#include <platform/report.h>

static char reason[PLATFORM_REPORT_BYTES];

static char *append_name(char *end, uint32_t cause) {
    static const char *const names[] = {
        "fetch misaligned", "fetch fault", "illegal instruction", "breakpoint",
        "load misaligned",  "load fault",  "store misaligned",    "store fault",
    };
    if (cause < BENCH_COUNT(names)) {
        return platform_report_text(end, names[cause]);
    }
    return platform_report_hex(end, "unhandled trap 0x", cause);
}

_Noreturn void platform_report_fault(uint32_t cause, uint32_t pc, uint32_t value) {
    char *end = append_name(reason, cause);
    end = platform_report_hex(end, " at pc 0x", pc);
    end = platform_report_hex(end, ", mtval 0x", value);
    *end = '\0';
    bench_fail(reason);
}
