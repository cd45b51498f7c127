// SPDX-License-Identifier: MIT
//
// Leases: a server copies from and to the memory that its client lends with a call, and nothing
// else, in no other direction, and not after the answer. lease_cases.c has the copies and what is
// denied, lease_lives.c the ends of leases, lease_bus.c what the bus refuses.
//
// The judge, which checks the results, has the lowest priority, so it runs only when all other
// threads wait.
#include "lease.h"

service *volatile serving = serve_nothing;
volatile uint32_t served;
work *volatile at_tick;
volatile uint8_t common[COMMON_BYTES];
volatile enum bulkhead_result result;
uint8_t *const lent_buffer = client_buffer + 1;

static work *volatile works[PARTIES];
static volatile bool done[PARTIES];

// --- Functions that the cases use ----------------------------------------------------------------

void let(enum party party, work *what) {
    static const uint32_t threads[PARTIES] = {THREAD_CLIENT_MAIN, THREAD_OTHER_MAIN,
                                              THREAD_HELPER_MAIN};
    works[party] = what;
    done[party] = false;
    bulkhead_notify(threads[party]);
}

bool is_done(enum party party) {
    return done[party];
}

void require_done(enum party party, const char *what) {
    require(done[party], what);
}

void kill(uint32_t thread) {
    bulkhead_notify(thread);
}

void kill_client(void) {
    at_tick = NULL;
    kill(THREAD_CLIENT_FAULT);
}

void kill_server(void) {
    at_tick = NULL;
    kill(THREAD_SERVER_FAULT);
}

void wait_until_told(void) {
    (void)bulkhead_semaphore_take(SEMAPHORE_TOLD, BULKHEAD_FOREVER);
}

enum bulkhead_result lend_for(const volatile void *memory, uint32_t bytes, uint32_t access,
                              uint32_t timeout_ticks) {
    uint32_t words[4] = {0};
    return bulkhead_gate_call_lending(GATE_VAULT, words, (const void *)memory, bytes, access,
                                      timeout_ticks);
}

enum bulkhead_result lend(const volatile void *memory, uint32_t bytes, uint32_t access) {
    return lend_for(memory, bytes, access, BULKHEAD_FOREVER);
}

void lend_for_ever(void) {
    result = lend(lent_buffer, LONG_BYTES, WRITE);
}

void call_plainly(void) {
    uint32_t words[4] = {0};
    require(bulkhead_gate_call(GATE_VAULT, words, BULKHEAD_FOREVER) == BULKHEAD_OK, "a call");
}

void serve_nothing(uint32_t words[4]) {
    (void)words;
}

void require_denied_copies(uint32_t words[4]) {
    uint32_t word = 0;
    (void)words;
    require(bulkhead_lease_read(GATE_VAULT, 0, &word, 4) == BULKHEAD_DENIED &&
                bulkhead_lease_read(GATE_VAULT, 0, &word, 0) == BULKHEAD_DENIED &&
                bulkhead_lease_write(GATE_VAULT, 0, &word, 4) == BULKHEAD_DENIED,
            "a call without a lease lends");
}

void fill(volatile uint8_t *memory, uint32_t bytes, uint8_t value) {
    for (uint32_t i = 0; i < bytes; i++) {
        memory[i] = value;
    }
}

bool is_filled(const volatile uint8_t *memory, uint32_t bytes, uint8_t value) {
    uint32_t i = 0;
    while (i < bytes && memory[i] == value) {
        i++;
    }
    return i == bytes;
}

// --- The threads ---------------------------------------------------------------------------------

static _Noreturn void obey(enum party party) {
    for (;;) {
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        works[party]();
        done[party] = true;
    }
}

void client_main_entry(void);
void other_main_entry(void);
void helper_main_entry(void);
void server_main_entry(void);
void plain_main_entry(void);
void fault_main_entry(void);
void high_main_entry(void);
void judge_main_entry(void);

void client_main_entry(void) {
    obey(CLIENT);
}

void other_main_entry(void) {
    obey(OTHER);
}

void helper_main_entry(void) {
    obey(HELPER);
}

void server_main_entry(void) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        if (bulkhead_gate_receive(GATE_VAULT, words, &caller, BULKHEAD_FOREVER) == BULKHEAD_OK) {
            served++;
            serving(words);
        }
    }
}

void plain_main_entry(void) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        if (bulkhead_gate_receive(GATE_PLAIN, words, &caller, BULKHEAD_FOREVER) == BULKHEAD_OK) {
            words[0] = bulkhead_lease_read(GATE_VAULT, 0, words, 4);
        }
    }
}

void fault_main_entry(void) {
    (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
    *(volatile uint32_t *)0 = 0;
}

void high_main_entry(void) {
    for (;;) {
        bulkhead_delay(1);
        if (at_tick != NULL) {
            at_tick();
        }
    }
}

void judge_main_entry(void) {
    test_copies();
    test_lives();
    test_bus();
    say("lease: a server copies what its client lends, until the answer; calls ");
    say_number(served);
#ifndef __riscv
    test_panic();
#endif
    succeed();
}
