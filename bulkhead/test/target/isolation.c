// SPDX-License-Identifier: MIT
//
// Tests what a process can do to the rest of the system. Each row of the tables is one attack by
// the hostile process, the suspect. After each attack, the suspect has been restarted or has the
// result of its call, and the rest of the system runs on.
#include "attempts.h"
#include "handles.h"
#include "orders.h"
#include "report.h"
#include <bulkhead/bulkhead.h>
#include <bulkhead/fault.h>
#include <string.h>

enum { VALUE = 0x0BAD0BAD }; // the value that the suspect writes

enum outcome { SURVIVES, FAULTS };

struct row {
    const char *name;
    enum attempt attempt;
    uintptr_t address;
    enum outcome outcome;
};

struct call_row {
    const char *name;
    uint32_t handle, method;
    uintptr_t arguments[2];
    enum bulkhead_result result;
};

// Only these addresses are used: this process has no right to the memory either.
extern char kernel[], kernel_threads[], kernel_boot[], memory_stack_top[];
extern char victim_words[], victim_main[], victim_stack[], suspect_main[];
extern char orders_start[], suspect_stack[];
extern char memory_data_load[], victim_data_load[];

static uint32_t own_word;

void prover_main(void);

static const struct row rows[] = {
    {"write its own memory", WRITE, (uintptr_t)&order.value, SURVIVES},
    {"read the page that is for all", READ, (uintptr_t)&bulkhead_page, SURVIVES},
    {"write the page that is for all", WRITE, (uintptr_t)&bulkhead_page, FAULTS},
    {"read kernel data", READ, (uintptr_t)kernel + 64, FAULTS},
    {"write kernel data", WRITE, (uintptr_t)kernel + 64, FAULTS},
    {"write a control block", WRITE, (uintptr_t)kernel_threads, FAULTS},
    {"read the kernel's stack", READ, (uintptr_t)memory_stack_top - 4, FAULTS},
    {"read kernel code", READ, (uintptr_t)kernel_boot, FAULTS},
    {"run kernel code", JUMP, (uintptr_t)kernel_boot, FAULTS},
    {"read address 0", READ, 0, FAULTS},
    {"write address 0", WRITE, 0, FAULTS},
    {"run address 0", JUMP, 0, FAULTS},
    {"read its own code", READ, (uintptr_t)suspect_main, SURVIVES},
    {"write its own code", WRITE, (uintptr_t)suspect_main, FAULTS},
    {"read another process's code", READ, (uintptr_t)victim_main, FAULTS},
    {"run another process's code", JUMP, (uintptr_t)victim_main, FAULTS},
    {"write the code that is for all", WRITE, (uintptr_t)prover_main, FAULTS},
    {"read what kernel data begins as", READ, (uintptr_t)memory_data_load, FAULTS},
    {"read what another's data begins as", READ, (uintptr_t)victim_data_load, FAULTS},
    {"run its own data", JUMP, (uintptr_t)&order, FAULTS},
    {"read another process's data", READ, (uintptr_t)victim_words, FAULTS},
    {"write another process's data", WRITE, (uintptr_t)victim_words, FAULTS},
    {"write the prover's data", WRITE, (uintptr_t)&own_word, FAULTS},
    {"read another thread's stack", READ, (uintptr_t)victim_stack, FAULTS},
    {"write another thread's stack", WRITE, (uintptr_t)victim_stack, FAULTS},
    SYSTEM_ROWS{"read nowhere", READ, 0x60000000u, FAULTS},
    {"make a call on the kernel's stack", CALL_FROM, (uintptr_t)memory_stack_top - 64, FAULTS},
    {"make a call on the victim's data", CALL_FROM, (uintptr_t)victim_words + 32, FAULTS},
    {"make a call on no memory", CALL_FROM, 0x00000020u, FAULTS},
    {"run an undefined instruction", UNDEFINED, 0, FAULTS},
    {"stop at a breakpoint", BREAK, 0, FAULTS},
    {"mask interrupts, in vain", MASK, 0, MASK_OUTCOME},
    {"make itself privileged", ESCALATE, (uintptr_t)kernel + 64, FAULTS},
};

// System calls that the suspect makes, with the expected results. The suspect has the right to
// control itself and its peer, to notify the prover, and to use the shared objects.
static const struct call_row calls[] = {
    {"no such method", BULKHEAD_SELF, 7, {0, 0}, BULKHEAD_DENIED},
    {"the method after the last, which is the first again", BULKHEAD_SELF, 8, {0, 0}, BULKHEAD_OK},
    {"no such method of an object", MUTEX_SHARED, 2, {0, 0}, BULKHEAD_DENIED},
    {"no such handle", 31, 0, {0, 0}, BULKHEAD_DENIED},
    {"no such handle at all", UINT32_MAX, UINT32_MAX, {0, 0}, BULKHEAD_DENIED},
    {"notify without the right", THREAD_VICTIM, BULKHEAD_THREAD_NOTIFY, {0, 0}, BULKHEAD_DENIED},
    {"suspend a thread that it may notify",
     THREAD_PROVER,
     BULKHEAD_THREAD_SUSPEND,
     {0, 0},
     BULKHEAD_DENIED},
    {"resume a thread that it may notify",
     THREAD_PROVER,
     BULKHEAD_THREAD_RESUME,
     {0, 0},
     BULKHEAD_DENIED},
    {"start a thread that it may notify",
     THREAD_PROVER,
     BULKHEAD_THREAD_START,
     {0, 0},
     BULKHEAD_DENIED},
    {"notify a thread that it may suspend",
     THREAD_PEER,
     BULKHEAD_THREAD_NOTIFY,
     {0, 0},
     BULKHEAD_DENIED},
    {"raise another's priority",
     THREAD_PROVER,
     BULKHEAD_THREAD_SET_PRIORITY,
     {0, 0},
     BULKHEAD_DENIED},
    {"give without the right", SEMAPHORE_SHARED, BULKHEAD_SEMAPHORE_GIVE, {0, 0}, BULKHEAD_DENIED},
    {"lock another's own mutex", HANDLE_MUTEX_LOCAL, BULKHEAD_MUTEX_LOCK, {0, 0}, BULKHEAD_DENIED},
    {"unlock what it has not locked",
     MUTEX_SHARED,
     BULKHEAD_MUTEX_UNLOCK,
     {0, 0},
     BULKHEAD_REFUSED},
    {"raise a thread above the ceiling",
     THREAD_PEER,
     BULKHEAD_THREAD_SET_PRIORITY,
     {7, 0},
     BULKHEAD_REFUSED},
    {"raise a thread to the ceiling",
     THREAD_PEER,
     BULKHEAD_THREAD_SET_PRIORITY,
     {8, 0},
     BULKHEAD_OK},
    {"send from kernel data",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)kernel + 64, 0},
     BULKHEAD_DENIED},
    {"send eight words from another process's data",
     QUEUE_EIGHT,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)victim_words, 0},
     BULKHEAD_DENIED},
    {"send from another's data",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)victim_words, 0},
     BULKHEAD_DENIED},
    {"send from the end of memory",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_SEND,
     {0xFFFFFFFCu, 0},
     BULKHEAD_DENIED},
    {"send from an unaligned address",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)&order + 2, 0},
     BULKHEAD_DENIED},
    {"send unaligned, across its memory's end",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)orders_start + ORDERS_BYTES - 6, 0},
     BULKHEAD_DENIED},
    {"send from its own data",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)&order, 0},
     BULKHEAD_OK},
    {"receive into kernel data",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)kernel + 64, 0},
     BULKHEAD_DENIED},
    {"receive into code",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)suspect_main, 0},
     BULKHEAD_DENIED},
    {"receive to an unaligned address",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)&order.arguments + 1, 0},
     BULKHEAD_DENIED},
    {"receive unaligned, across its memory's end",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)orders_start + ORDERS_BYTES - 7, 0},
     BULKHEAD_DENIED},
    {"receive into its own data",
     QUEUE_SHARED,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)&order.arguments, 0},
     BULKHEAD_OK},
    {"send four words from kernel data",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)kernel + 64, 0},
     BULKHEAD_DENIED},
    {"send four words from across its memory's end",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)orders_start + ORDERS_BYTES - 12, 0},
     BULKHEAD_DENIED},
    {"send four words from across its memory's start",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)orders_start - 4, 0},
     BULKHEAD_DENIED},
    {"receive four words that nobody sent",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)&order.arguments, 0},
     BULKHEAD_TIMED_OUT},
    {"send four words from an unaligned address",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)&order + 1, 0},
     BULKHEAD_DENIED},
    {"send four words unaligned, across its memory's end",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)orders_start + ORDERS_BYTES - 13, 0},
     BULKHEAD_DENIED},
    {"send four words from its own data",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)&order, 0},
     BULKHEAD_OK},
    {"receive four words across its memory's end",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)orders_start + ORDERS_BYTES - 12, 0},
     BULKHEAD_DENIED},
    {"receive four words across its memory's start",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)orders_start - 4, 0},
     BULKHEAD_DENIED},
    {"receive four words into another's data",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)victim_words, 0},
     BULKHEAD_DENIED},
    {"receive four words to an unaligned address",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)&order.arguments + 3, 0},
     BULKHEAD_DENIED},
    {"receive four words unaligned, across its memory's end",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)orders_start + ORDERS_BYTES - 14, 0},
     BULKHEAD_DENIED},
    {"receive four words into its own data",
     QUEUE_FOUR,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)&order.arguments, 0},
     BULKHEAD_OK},
    {"send five words from across its memory's start",
     QUEUE_FIVE,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)orders_start - 16, 0},
     BULKHEAD_DENIED},
    {"send five words unaligned, across its memory's end",
     QUEUE_FIVE,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)orders_start + ORDERS_BYTES - 18, 0},
     BULKHEAD_DENIED},
    {"send five words from its own data",
     QUEUE_FIVE,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)&order, 0},
     BULKHEAD_OK},
    {"receive five words across its memory's start",
     QUEUE_FIVE,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)orders_start - 16, 0},
     BULKHEAD_DENIED},
    {"receive five words unaligned, across its memory's end",
     QUEUE_FIVE,
     BULKHEAD_QUEUE_RECEIVE,
     {(uintptr_t)orders_start + ORDERS_BYTES - 17, 0},
     BULKHEAD_DENIED},
    {"send to a queue without the right",
     QUEUE_PRIVATE,
     BULKHEAD_QUEUE_SEND,
     {(uintptr_t)&order, 0},
     BULKHEAD_DENIED},
    {"call without the right",
     GATE_PRIVATE,
     BULKHEAD_GATE_CALL_TIMED,
     {BULKHEAD_NO_WAIT, 0},
     BULKHEAD_DENIED},
    {"allocate without the right",
     POOL_PRIVATE,
     BULKHEAD_POOL_ALLOCATE,
     {BULKHEAD_NO_WAIT, 0},
     BULKHEAD_DENIED},
    {"drive an interrupt without the right",
     INTERRUPT_POSTS,
     BULKHEAD_INTERRUPT_WAIT,
     {BULKHEAD_NO_WAIT, 0},
     BULKHEAD_DENIED},
    {"read the report of its faults",
     PROCESS_SUSPECT,
     BULKHEAD_PROCESS_FAULT_READ,
     {(uintptr_t)suspect_stack, 0},
     BULKHEAD_DENIED},
    {"request an interrupt", INTERRUPT_POSTS, BULKHEAD_INTERRUPT_PEND, {0, 0}, BULKHEAD_DENIED},
};

// Lets the suspect make the attack that `order` describes. The suspect has a higher priority than
// this thread, so it has notified this thread or has been restarted when this function returns.
static void let_try(void) {
    order.done = 0;
    bulkhead_notify(THREAD_SUSPECT);
    require(bulkhead_notification_wait(BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "neither the suspect nor its fault was heard of");
    require(bulkhead_notification_wait(BULKHEAD_NO_WAIT) == BULKHEAD_TIMED_OUT,
            "one attempt was heard of twice");
}

// --- Reports to the supervisor -------------------------------------------------------------------

static enum bulkhead_fault_kind kind_of(const struct row *row) {
    switch (row->attempt) {
    case JUMP:
        return BULKHEAD_FAULT_CODE;
    case CALL_FROM:
        return BULKHEAD_FAULT_STACK;
    case MASK:
    case UNDEFINED:
        return BULKHEAD_FAULT_INSTRUCTION;
    case ESCALATE:
        return ESCALATE_KIND;
    case BREAK:
        return BULKHEAD_FAULT_BREAKPOINT;
    default:
        return BULKHEAD_FAULT_DATA;
    }
}

static bool has_register(const struct bulkhead_registers *registers, uint32_t value) {
    const uint32_t *each = (const uint32_t *)registers;
    const uint32_t *end = each + sizeof *registers / sizeof *each;
    while (each != end && *each != value) {
        each++;
    }
    return each != end;
}

static void prove_report(const struct row *row) {
    static uint32_t faults;
    struct bulkhead_fault fault;
    require(bulkhead_fault_read(PROCESS_SUSPECT, &fault) == BULKHEAD_OK, "no fault was reported");
    require(fault.faults == ++faults, "faults were not counted");
    require(fault.thread == THREAD_SUSPECT, "another thread is said to have done it");
    require(fault.kind == (uint32_t)kind_of(row), row->name);
    require(row->attempt != UNDEFINED || fault.registers.UNDEFINED_REGISTER == VALUE,
            "a register is not the thread's");
    require(row->attempt != CALL_FROM || (fault.registers.pc == 0) == STACK_FAULT_LOSES_PC,
            "a report has registers of an earlier fault, or none");
    require(row->attempt != JUMP || row->address != (uintptr_t)&order ||
                fault.registers.pc == row->address,
            "data was executed up to the end of its region");
    require(row->attempt != CALL_FROM || row->address > (uintptr_t)suspect_stack ||
                (fault.status & STACK_LIMIT_STATUS) == STACK_LIMIT_STATUS,
            "a stack below its limit was not found by the limit");
    if (row->attempt == READ || row->attempt == WRITE) {
        require(fault.address == row->address, "another address is said to have been accessed");
        require(has_register(&fault.registers, row->address), "the registers are not the thread's");
        require(strcmp(bulkhead_place_of(fault.registers.pc)->name, "code of suspect") == 0,
                "it is said to have been elsewhere");
    }
}

static void prove_row(const struct row *row) {
    order.attempt = row->attempt;
    order.address = row->address;
    order.value = VALUE;
    let_try();
    require((order.done != 0) == (row->outcome == SURVIVES), row->name);
    require(order.done != 0 || order.attempt == NOTHING,
            "a process was restarted with what it had in its memory");
    if (row->outcome == FAULTS) {
        prove_report(row);
    }
}

static void prove_call(const struct call_row *row) {
    order.attempt = CALL;
    order.address = row->handle;
    order.value = row->method;
    order.arguments[0] = row->arguments[0];
    order.arguments[1] = row->arguments[1];
    let_try();
    require(order.done != 0 && order.result == (uint32_t)row->result, row->name);
}

static void prove_victim_lives(void) {
    for (int i = 0; i < 3; i++) {
        require(bulkhead_semaphore_take(SEMAPHORE_SHARED, 10) == BULKHEAD_OK,
                "the victim is not heard of any more");
    }
}

void prover_main(void) {
    uint32_t proved_rows = 0, proved_calls = 0;
    struct bulkhead_fault fault;
    require(bulkhead_fault_read(PROCESS_SUSPECT, &fault) == BULKHEAD_REFUSED, "no fault yet");
    for (; proved_rows < sizeof rows / sizeof rows[0]; proved_rows++) {
        prove_row(&rows[proved_rows]);
    }
    for (; proved_calls < sizeof calls / sizeof calls[0]; proved_calls++) {
        prove_call(&calls[proved_calls]);
    }
    require(bulkhead_fault_read(PROCESS_SUSPECT, (struct bulkhead_fault *)kernel_threads) ==
                BULKHEAD_DENIED,
            "a report was copied to where its reader has no right to write");
    require(bulkhead_fault_read(PROCESS_SUSPECT, (struct bulkhead_fault *)((char *)&fault + 2)) ==
                BULKHEAD_DENIED,
            "a report was copied to an unaligned address");
    require(own_word == 0, "the prover's memory was changed");
    prove_victim_lives();
    say("isolation: attempts ");
    say_number(proved_rows);
    say(", calls ");
    say_number(proved_calls);
    succeed();
}

void peer_main(void);
void peer_main(void) {
    for (;;) {
        bulkhead_suspend(THREAD_PEER);
    }
}
