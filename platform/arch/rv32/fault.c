// SPDX-License-Identifier: MIT
//
// Reports a trap that nobody handles as a failed run, with what the processor tells about it.
//
// Source: RISC-V Privileged Architecture 20211203, 3.1.15 mcause, 3.1.16 mtval.
#include <arch/fault.h>
#include <bench/port.h>

static char reason[96];

static char *append_text(char *end, const char *text) {
    while (*text != '\0') {
        *end++ = *text++;
    }
    return end;
}

static char *append_hex(char *end, const char *label, uint32_t value) {
    end = append_text(end, label);
    for (int shift = 28; shift >= 0; shift -= 4) {
        *end++ = "0123456789abcdef"[(value >> shift) & 15u];
    }
    return end;
}

static char *append_name(char *end, uint32_t cause) {
    static const char *const names[] = {
        "fetch misaligned", "fetch fault", "illegal instruction", "breakpoint",
        "load misaligned",  "load fault",  "store misaligned",    "store fault",
    };
    if (cause < BENCH_COUNT(names)) {
        return append_text(end, names[cause]);
    }
    return append_hex(end, "unhandled trap 0x", cause);
}

_Noreturn void arch_fault_report(uint32_t cause, uint32_t pc, uint32_t value) {
    char *end = append_name(reason, cause);
    end = append_hex(end, " at pc 0x", pc);
    end = append_hex(end, ", mtval 0x", value);
    *end = '\0';
    bench_fail(reason);
}
