// SPDX-License-Identifier: MIT
//
// Reports an exception without a handler as a failed run, with the processor's fault registers.
//
// Source: Armv7-A Architecture Reference Manual (DDI 0406C) B1.8.1 vectors, B4.1.51 DFAR, B4.1.52
// DFSR, B4.1.95 IFAR, B4.1.96 IFSR.
#include <arch/fault.h>
#include <bench/port.h>
#include <platform/report.h>

static char reason[PLATFORM_REPORT_BYTES];

static char *append_name(char *end, uint32_t exception) {
    static const char *const names[] = {
        [1] = "undefined instruction", [2] = "unexpected supervisor call",
        [3] = "prefetch abort",        [4] = "data abort",
        [6] = "unexpected interrupt",  [7] = "fast interrupt",
    };
    if (exception < BENCH_COUNT(names) && names[exception] != 0) {
        return platform_report_text(end, names[exception]);
    }
    return platform_report_hex(end, "unhandled exception 0x", exception);
}

static uint32_t data_fault_address(void) {
    uint32_t address;
    __asm__ volatile("mrc p15, 0, %0, c6, c0, 0" : "=r"(address));
    return address;
}

static uint32_t data_fault_status(void) {
    uint32_t status;
    __asm__ volatile("mrc p15, 0, %0, c5, c0, 0" : "=r"(status));
    return status;
}

_Noreturn void platform_report_fault(uint32_t exception, uint32_t pc) {
    char *end = append_name(reason, exception);
    end = platform_report_hex(end, " at pc 0x", pc);
    end = platform_report_hex(end, ", DFSR 0x", data_fault_status());
    end = platform_report_hex(end, ", DFAR 0x", data_fault_address());
    *end = '\0';
    bench_fail(reason);
}
