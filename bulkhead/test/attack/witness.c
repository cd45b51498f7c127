// SPDX-License-Identifier: MIT
//
// The witness: privileged, above the kernel, no part of it, and out of reach of every process. It
// remembers every byte of the data memory, of the code and of the registers that make the
// isolation, and compares them with what is there later.
//
// It looks when the judge has control and the attacker has just begun anew: then the whole system
// is as it was at the first look, whatever happened in between, but for words that differ in peace
// too. Which these are it learns from attempts that are all legal; there are few (WORDS_LEARNT).
// So a changed byte is found wherever it is, and whoever changed it: an instruction, the kernel on
// somebody's behalf, or the processor when it stacks. A plugin of QEMU would see each access of an
// instruction, and no stacking. What is changed back before the next look is missed.
#include "guard.h"
#include "kernel.h"
#include "witness.h"
#include <arch/console.h>
#include <arch/tick.h>
#include <bench/port.h>
#include <bulkhead/start.h>
#include <stdbool.h>

#define WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define WATCHDOG_LOAD WORD(0x40008000u)
#define WATCHDOG_CONTROL WORD(0x40008008u)
#define WATCHDOG_INTERRUPT_CLEAR WORD(0x4000800Cu)
#define TIMER_CONTROL WORD(0x40000000u)
#define TIMER_VALUE WORD(0x40000004u)
#define TIMER_RELOAD WORD(0x40000008u)
#define MPU_RNR WORD(0xE000ED98u)
#define MPU_RBAR WORD(0xE000ED9Cu)
#define MPU_RASR WORD(0xE000EDA0u)

// Memory that nothing else uses: what was in each word of data, and whether it may differ.
#define DATA 0x20000000u
#define REMEMBERED (DATA + 0x100000u)
#define MAY_DIFFER (DATA + 0x200000u)
#define CODE 0u
enum { DATA_BYTES = 0x8000, CODE_BYTES = 0x20000, WORDS_LEARNT = 160, LOOKS_A_SUM = 64 };
enum { LATE_COUNTS = 75, INSTRUCTIONS_A_COUNT = 40, ENOUGH = 100 };

struct range {
    const void *start, *end;
};

extern char judge_data_start[], judge_data_end[], judge_stack[];
extern char attacker_data_start[], attacker_data_end[], attacker_stack[];
extern char memory_stack_top[];

struct sums {
    uint32_t looks, sum_of_code, sum_of_registers;
};

static struct sums own;

// What the judge and the witness write themselves. The kernel's stack, which is empty. The
// registers of a thread that has ended. Of the attacker's own
// memory its stack, and the padding of its region; all else a restart brings back.
static const struct range unwatched[] = {
    {judge_data_start, judge_data_end},
    {judge_stack, judge_stack + 1024},
    {&own, &own + 1},
    {attacker_stack, attacker_stack + 512},
    {attacker_data_end, attacker_data_start + 1024},
    {(const void *)DATA, memory_stack_top},
    {&kernel_nobody, &kernel_nobody + 1},
};

// VTOR, CCR, SHPR, SHCSR, CPACR, MPU_CTRL, FPCCR, NVIC, SysTick (DDI 0403E, B3.2 to B3.5).
static const uint32_t system_registers[] = {
    0xE000ED08u, 0xE000ED14u, 0xE000ED18u, 0xE000ED1Cu, 0xE000ED20u, 0xE000ED24u,
    0xE000ED88u, 0xE000ED94u, 0xE000E100u, 0xE000E200u, 0xE000E400u, 0xE000E410u,
    0xE000E418u, 0xE000E41Cu, 0xE000E014u, 0x40000008u,
};

// --- Words ---------------------------------------------------------------------------------------

static bool is_in(uint32_t address, const void *start, const void *end) {
    return address - (uint32_t)start < (uint32_t)end - (uint32_t)start;
}

// In the saved registers of one of the judge's threads, which has control now.
static bool is_of_judge(uint32_t address) {
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        const struct arch_context *context = &kernel_threads[i].context;
        if (kernel_threads[i].process == kernel.process && is_in(address, context, context + 1)) {
            return true;
        }
    }
    return false;
}

static bool is_report(uint32_t address) {
    for (uint32_t i = 0; i < kernel_process_count; i++) {
        const struct bulkhead_fault *report = kernel_processes[i]->report;
        if (is_in(address, report, report + 1)) {
            return true;
        }
    }
    return false;
}

static bool is_watched(uint32_t address) {
    for (uint32_t i = 0; i < BENCH_COUNT(unwatched); i++) {
        if (is_in(address, unwatched[i].start, unwatched[i].end)) {
            return false;
        }
    }
    return !is_of_judge(address) && !is_report(address);
}

static void remember(void) {
    for (uint32_t offset = 0; offset < DATA_BYTES; offset += 4) {
        WORD(REMEMBERED + offset) = WORD(DATA + offset);
        WORD(MAY_DIFFER + offset) = !is_watched(DATA + offset);
    }
}

static void learn(void) {
    for (uint32_t offset = 0; offset < DATA_BYTES; offset += 4) {
        if (WORD(REMEMBERED + offset) != WORD(DATA + offset)) {
            WORD(MAY_DIFFER + offset) = 1;
        }
    }
}

static uint32_t learnt(void) {
    uint32_t count = 0;
    for (uint32_t offset = 0; offset < DATA_BYTES; offset += 4) {
        count += WORD(MAY_DIFFER + offset) != 0 && is_watched(DATA + offset);
    }
    return count;
}

static uint32_t add(uint32_t sum, uint32_t word) {
    return (sum << 5 | sum >> 27) ^ word * 0x9E3779B1u;
}

static uint32_t code_sum(void) {
    uint32_t sum = 0;
    for (uint32_t address = CODE; address < CODE + CODE_BYTES; address += 4) {
        sum = add(sum, WORD(address));
    }
    return sum;
}

static uint32_t register_sum(void) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < BENCH_COUNT(system_registers); i++) {
        sum = add(sum, WORD(system_registers[i]));
    }
    for (uint32_t region = 0; region < 8; region++) {
        MPU_RNR = region;
        sum = add(add(sum, MPU_RBAR), MPU_RASR);
    }
    return sum;
}

// --- Verdicts ------------------------------------------------------------------------------------

static void say_number(const char *before, uint32_t number, uint32_t base) {
    char digits[11];
    char *first = &digits[10];
    *first = '\0';
    do {
        *--first = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    arch_console_write(before);
    arch_console_write(first);
}

static void say_report(const struct bulkhead_fault *report) {
    if (report->faults != 0) {
        say_number("; latest fault: status 0x", report->status, 16);
        say_number(", address 0x", report->address, 16);
        say_number(", pc 0x", report->registers.pc, 16);
    }
}

_Noreturn void bench_fail(const char *line) {
    arch_console_write("failed: ");
    arch_console_write(line);
    say_number(", after order ", witness_request.kind, 10);
    say_number("/", witness_request.variant, 10);
    say_number(" at 0x", witness_request.address, 16);
    say_number(", attempt ", witness_request.account.random + witness_request.account.crafted, 10);
    for (uint32_t i = 0; i < kernel_process_count; i++) {
        say_report(kernel_processes[i]->report);
    }
    arch_console_write("\n");
    arch_exit(1);
}

static void compare_memory(void) {
    for (uint32_t offset = 0; offset < DATA_BYTES; offset += 4) {
        if (WORD(REMEMBERED + offset) != WORD(DATA + offset) && WORD(MAY_DIFFER + offset) == 0) {
            say_number("0x", DATA + offset, 16);
            say_number(" was 0x", WORD(REMEMBERED + offset), 16);
            say_number(" and is 0x", WORD(DATA + offset), 16);
            arch_console_write("\n");
            bench_fail("memory was changed");
        }
    }
}

static void require(bool condition, const char *line) {
    if (!condition) {
        bench_fail(line);
    }
}

static void compare(void) {
    compare_memory();
    require(register_sum() == own.sum_of_registers, "a system register was changed");
    require(own.looks++ % LOOKS_A_SUM != 0 || code_sum() == own.sum_of_code, "code was changed");
    require(guard_wrong == 0, "the guard's registers were changed");
    require(keeper_wrong == 0, "the keeper's registers were changed");
}

static void say_account(const volatile struct account *account) {
    say_number("attacks: random ", account->random, 10);
    say_number(", crafted ", account->crafted, 10);
    say_number(", calls among them ", account->calls, 10);
    say_number("; faults ", account->faults, 10);
    say_number(", returns ", account->returns, 10);
    say_number(", blocks ", account->blocks, 10);
    say_number("; granted reads ", account->reads, 10);
    say_number(", writes ", account->writes, 10);
    say_number("; looks ", own.looks, 10);
    say_number(", words that differ in peace ", learnt(), 10);
    say_number("; guard late by at most ", guard_late_counts * INSTRUCTIONS_A_COUNT, 10);
    say_number(" of ", guard_visits, 10);
    arch_console_write("\n");
}

static _Noreturn void succeed(void) {
    compare();
    require(code_sum() == own.sum_of_code, "code was changed");
    require(guard_visits > ENOUGH && keeper_rounds > ENOUGH, "the victims did not run");
    require(guard_late_counts <= LATE_COUNTS, "the guard was late");
    require(learnt() <= WORDS_LEARNT, "too much differs in peace");
    say_account(&witness_request.account);
    arch_exit(0);
}

// --- Requests ------------------------------------------------------------------------------------

static void serve(uint32_t request) {
    switch (request) {
    case REMEMBER:
        remember();
        own.sum_of_code = code_sum();
        own.sum_of_registers = register_sum();
        break;
    case LEARN:
        learn();
        break;
    case COMPARE:
        compare();
        break;
    case SUCCEED:
        succeed();
    default:
        bench_fail(witness_request.line);
    }
}

// The tick's and the guard's, which count together (guard.c). A look takes no time: they stand
// still and begin anew.
static void stop_clocks(void) {
    ARCH_SYSTICK_CONTROL = 0;
    TIMER_CONTROL = 0;
}

static void start_clocks(void) {
    TIMER_RELOAD = GUARD_PERIOD_COUNTS - 1;
    TIMER_VALUE = GUARD_PERIOD_COUNTS - 1;
    arch_tick_start(BENCH_TICK_HZ, BULKHEAD_EXCEPTION_PRIORITY);
    TIMER_CONTROL = 1;
}

// The watchdog starts again after a count: it is stopped before its interrupt is cleared.
void NMI_Handler(void);
void NMI_Handler(void) {
    WATCHDOG_LOAD = UINT32_MAX;
    WATCHDOG_CONTROL = 0;
    WATCHDOG_INTERRUPT_CLEAR = 0;
    stop_clocks();
    serve(witness_request.request);
    witness_request.request = 0;
    start_clocks();
}

_Noreturn void bench_port_start(void) {
    start_clocks();
    bulkhead_start();
}
