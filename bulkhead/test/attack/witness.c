// SPDX-License-Identifier: MIT
//
// The witness of the attack test: privileged code that is not part of the kernel, has a higher
// priority than the kernel, and cannot be accessed by any process. It remembers every byte of the
// data memory, of the code and of the registers that enforce the isolation, and later compares them
// with these values.
//
// The judge calls the witness when the attacker has just been restarted. The whole system must then
// be in the same state as at the first call, whatever happened in between, except for words that
// also differ without an attack. The witness learns these words during harmless attempts; there are
// few of them (WORDS_LEARNT). So it finds a changed byte at any address, and from any cause: an
// instruction, the kernel on a thread's behalf, or the processor when it stacks. A plugin of QEMU
// would see each access of an instruction, but no stacking. The witness misses a change that is
// undone before the next look.
//
// The memory map, the registers and the call of the witness differ between architectures:
// machine_witness.c.
#include "witness.h"
#include "guard.h"
#include "kernel.h"
#include "machine_witness.h"
#include <arch/console.h>
#include <bench/port.h>
#include <stdbool.h>

#define WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))

// The remembered value of the n-th watched word, and whether the word may differ, in memory that
// nothing else uses.
#define REMEMBERED(n) WORD(WITNESS_MEMORY + 4 * (n))
#define MAY_DIFFER(n) WORD(WITNESS_MEMORY + WITNESS_MEMORY_BYTES / 2 + 4 * (n))

enum { LOOKS_A_SUM = 64, ENOUGH = 100, TIMERS = 1 }; // TIMERS: number of timers in the declaration

extern char judge_data_start[], judge_data_end[], judge_stack[];
extern char attacker_data_start[], attacker_data_end[], attacker_stack[], common_start[];

struct sums {
    uint32_t looks, sum_of_code, sum_of_registers;
};

static struct sums own;

// Memory that may change: what the judge and the witness write themselves, the registers of a
// thread that has ended, what the guard measures, and what the attacker may write. Of the
// attacker's own memory, only its stack and the padding of its region; a restart restores the rest.
static const struct witness_range unwatched[] = {
    {judge_data_start, judge_data_end},
    {judge_stack, judge_stack + JUDGE_STACK_BYTES},
    {&own, &own + 1},
    {attacker_stack, attacker_stack + 512},
    {attacker_data_end, attacker_data_start + 1024},
    {common_start, common_start + (COMMON_IS_WRITTEN ? 32 : 0)},
    {&kernel_no_thread, &kernel_no_thread + 1},
    {(const void *)&guard_earliest, (const void *)(&guard_earliest + 1)}, // changes seldom
};

// --- Words of memory that may change -------------------------------------------------------------

static bool is_in(uint32_t address, struct witness_range range) {
    return address - (uint32_t)range.start < (uint32_t)range.end - (uint32_t)range.start;
}

// Returns whether `address` is in the saved registers of one of the judge's threads, which has
// control now.
static bool is_of_judge(uint32_t address) {
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        const struct arch_context *context = &kernel_threads[i].context;
        const struct witness_range range = {context, context + 1};
        if (kernel_threads[i].process == kernel.process && is_in(address, range)) {
            return true;
        }
    }
    return false;
}

static bool is_report(uint32_t address) {
    for (uint32_t i = 0; i < kernel_process_count; i++) {
        const struct bulkhead_fault *report = kernel_processes[i]->report;
        if (is_in(address, (struct witness_range){report, report + 1})) {
            return true;
        }
    }
    return false;
}

// Returns whether `address` notes where a thread was last woken to repeat its call, or a
// floating-point register that it had when it last stopped. The thread has repeated the call since;
// the register is saved before it is restored.
static bool is_past(uint32_t address) {
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        const struct thread *each = &kernel_threads[i];
        const struct witness_range floats = {&each->floats, &each->floats + 1};
        if (address == (uint32_t)&each->retries || is_in(address, floats)) {
            return true;
        }
    }
    return false;
}

// Returns whether `address` is after the last armed timer of the heap, where an earlier timer has
// left a pointer.
static bool is_unused_in_heap(uint32_t address) {
    const uint32_t place = (address - (uint32_t)kernel_timer_heap) / sizeof(struct timer *);
    return place > kernel.timers.count && place <= kernel_thread_count + TIMERS;
}

static bool is_watched(uint32_t address) {
    for (uint32_t i = 0; i < BENCH_COUNT(unwatched); i++) {
        if (is_in(address, unwatched[i])) {
            return false;
        }
    }
    return !is_in(address, machine_kernel_stack) && !is_of_judge(address) && !is_report(address) &&
           !is_past(address) && !is_unused_in_heap(address);
}

typedef void visitor(uint32_t address, uint32_t n);

// Visits every word of the data memory.
static void for_each_word(visitor *visit) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < MACHINE_DATA_RANGES; i++) {
        const uint32_t end = (uint32_t)machine_data[i].end;
        for (uint32_t address = (uint32_t)machine_data[i].start; address < end; address += 4) {
            visit(address, n++);
        }
    }
}

static void remember(uint32_t address, uint32_t n) {
    REMEMBERED(n) = WORD(address);
    MAY_DIFFER(n) = !is_watched(address);
}

static void learn(uint32_t address, uint32_t n) {
    if (REMEMBERED(n) != WORD(address)) {
        MAY_DIFFER(n) = 1;
    }
}

static uint32_t learnt;

static void count_learnt(uint32_t address, uint32_t n) {
    learnt += MAY_DIFFER(n) != 0 && is_watched(address);
}

uint32_t witness_add(uint32_t sum, uint32_t word) {
    return (sum << 5 | sum >> 27) ^ word * 0x9E3779B1u;
}

static uint32_t code_sum(void) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < MACHINE_CODE_RANGES; i++) {
        const uint32_t end = (uint32_t)machine_code[i].end;
        for (uint32_t address = (uint32_t)machine_code[i].start; address < end; address += 4) {
            sum = witness_add(sum, WORD(address));
        }
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

static void compare_word(uint32_t address, uint32_t n) {
    if (REMEMBERED(n) != WORD(address) && MAY_DIFFER(n) == 0 && is_watched(address)) {
        say_number("0x", address, 16);
        say_number(" was 0x", REMEMBERED(n), 16);
        say_number(" and is 0x", WORD(address), 16);
        arch_console_write("\n");
        bench_fail("memory was changed");
    }
}

static void require(bool condition, const char *line) {
    if (!condition) {
        bench_fail(line);
    }
}

static void compare(void) {
    for_each_word(compare_word);
    require(machine_register_sum() == own.sum_of_registers, "a system register was changed");
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
    say_number(", words that differ in peace ", learnt, 10);
    say_number("; guard late by at most ", guard_late_counts * INSTRUCTIONS_A_COUNT, 10);
    say_number(" of ", guard_visits, 10);
    arch_console_write("\n");
}

// Fails the test if the guard (guard.h) ever woke later than LATE_COUNTS. The emulator counts time
// in instructions, so the delay is the same in each run of an image, even on a busy machine.
static void require_guard_in_time(void) {
    if (guard_late_counts > LATE_COUNTS) {
        say_number("late by ", guard_late_counts * INSTRUCTIONS_A_COUNT, 10);
        say_number(" instructions of at most ", LATE_COUNTS * INSTRUCTIONS_A_COUNT, 10);
        say_number(", wakes ", guard_visits, 10);
        arch_console_write("\n");
        bench_fail("the guard was late");
    }
}

static _Noreturn void succeed(void) {
    compare();
    require(code_sum() == own.sum_of_code, "code was changed");
    require(guard_visits > ENOUGH && keeper_rounds > ENOUGH, "the victims did not run");
    require_guard_in_time();
    for_each_word(count_learnt);
    require(learnt <= WORDS_LEARNT, "too much differs in peace");
    say_account(&witness_request.account);
    arch_exit(0);
}

// --- Faults --------------------------------------------------------------------------------------

// Runs before the kernel's function of this name. Reports a fault of a thread other than the
// attacker as an error: only the attacker restarts, so after a fault of the judge the program would
// wait for ever.
void __real_kernel_fault(void);
void __wrap_kernel_fault(void);
void __wrap_kernel_fault(void) {
    if (kernel.current->process->restarts == 0) {
        arch_console_write(kernel.current->declared->name);
        arch_console_write(" has faulted\n");
        arch_fault_report(kernel.current);
        bench_fail("a victim or the judge faulted");
    }
    __real_kernel_fault();
}

// --- Requests ------------------------------------------------------------------------------------

static void serve(uint32_t request) {
    switch (request) {
    case REMEMBER:
        for_each_word(remember);
        own.sum_of_code = code_sum();
        own.sum_of_registers = machine_register_sum();
        break;
    case LEARN:
        for_each_word(learn);
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

void witness_look(void) {
    serve(witness_request.request);
    witness_request.request = 0;
}
