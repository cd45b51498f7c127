// SPDX-License-Identifier: MIT
//
// Copies of a lease together with other features of the kernel: a second client waits at the gate,
// with and without a timeout, while the process of the first client or of the server ends in the
// middle of a copy, by a fault or by its supervisor; and a thread waits for a server that copies,
// which therefore inherits a higher priority.
//
// After each tick that comes in the middle of a copy, the boss does what a case has ordered. The
// server copies until the case is over, so that the judge, which has the lowest priority, does not
// run before.
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>
#include <stdbool.h>

enum {
    BYTES = 1535,
    OTHER_BYTES = 1500,
    EDGE_BYTES = 8,
    FIRST_BYTE = 0x5A, // of client_buffer in the image
    MINE = 0x77,
    LENT = 0x33,
    ANSWER = 0x44,
    EDGE = 0xEE,
    COPIED_TICKS = 4,
};

typedef void work(void);

extern uint8_t client_buffer[BYTES + 1]; // lease_client.c; the judge may read it

// At another distance to a word than the lent memory, so that a copy takes longest.
static _Alignas(4) volatile uint8_t source[BYTES];
static uint8_t *const lent = client_buffer + 1;

static work *volatile in_copy;       // what the boss does in the middle of a copy, once
static work *volatile end;           // the end of a process, while another client waits
static volatile uint32_t ticks_left; // until the server answers
static volatile bool is_over;        // the boss has done everything, and the server may answer
static volatile bool client_is_done, other_is_done, high_waits, middle_ran_in_copy;
static volatile bool other_calls; // or is about to
static volatile bool is_lending;  // whether the call of the client lends
static volatile uint32_t middle_runs, high_timeout_ticks, other_timeout_ticks;
static volatile enum bulkhead_result of_client, of_other, of_high, copied;

void crash_entry(void);
void boss_main_entry(void);
void high_main_entry(void);
void middle_main_entry(void);
void server_main_entry(void);
void other_main_entry(void);
void client_main_entry(void);
void judge_main_entry(void);

static bool is_filled(const volatile uint8_t *memory, uint32_t bytes, uint8_t value) {
    uint32_t i = 0;
    while (i < bytes && memory[i] == value) {
        i++;
    }
    return i == bytes;
}

static void fill(volatile uint8_t *memory, uint32_t bytes, uint8_t value) {
    for (uint32_t i = 0; i < bytes; i++) {
        memory[i] = value;
    }
}

static bool is_partly_copied(void) {
    const volatile uint8_t *bytes = lent;
    return bytes[0] != bytes[BYTES - 1];
}

// --- The server ----------------------------------------------------------------------------------

static void serve_client(void) {
    uint8_t value = FIRST_BYTE;
    do {
        fill(source, BYTES, ++value);
        const uint32_t before = middle_runs;
        copied = bulkhead_lease_write(GATE_VAULT, 0, (const void *)source, BYTES);
        middle_ran_in_copy |= middle_runs != before;
    } while (copied == BULKHEAD_OK && !is_over);
}

static enum bulkhead_result read(uint32_t offset, uint32_t bytes) {
    return bulkhead_lease_read(GATE_VAULT, offset, (void *)source, bytes);
}

// Returns whether the result of a copy is PEER_LOST: the call of the second client has timed out.
static bool is_lost(enum bulkhead_result result) {
    return result == BULKHEAD_PEER_LOST && other_timeout_ticks != BULKHEAD_FOREVER;
}

static void require_denied(enum bulkhead_result result) {
    require(result == BULKHEAD_DENIED || is_lost(result),
            "the lease of the second client is as long as that of the first");
}

static void serve_other(void) {
    const enum bulkhead_result result = read(0, OTHER_BYTES);
    require(is_lost(result) || (result == BULKHEAD_OK && is_filled(source, OTHER_BYTES, LENT)),
            "another lease than that of the second client");
    require_denied(read(OTHER_BYTES, 1));
    require_denied(read(0, BYTES));
    fill(source, OTHER_BYTES, ANSWER);
    const enum bulkhead_result written =
        bulkhead_lease_write(GATE_VAULT, 0, (const void *)source, OTHER_BYTES);
    require(written == BULKHEAD_OK || is_lost(written), "a write for the second client");
}

static void serve_without_lease(void) {
    require(read(0, 1) == BULKHEAD_DENIED, "a lease is left after its call");
}

void server_main_entry(void) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        (void)bulkhead_gate_receive(GATE_VAULT, words, &caller, BULKHEAD_FOREVER);
        if (words[3] == BYTES) {
            serve_client();
        } else if (words[3] == OTHER_BYTES) {
            serve_other();
        } else {
            serve_without_lease();
        }
    }
}

// --- The clients ---------------------------------------------------------------------------------

static enum bulkhead_result call(uint32_t timeout_ticks) {
    uint32_t words[4] = {0};
    return bulkhead_gate_call(GATE_VAULT, words, timeout_ticks);
}

static enum bulkhead_result lend(void *memory, uint32_t bytes, uint32_t access,
                                 uint32_t timeout_ticks) {
    uint32_t words[4] = {0};
    return bulkhead_gate_call_lending(GATE_VAULT, words, memory, bytes, access, timeout_ticks);
}

// Lends memory, and then uses it: after the call, only the client may use this memory.
static void lend_and_use(void) {
    of_client = lend(lent, BYTES, BULKHEAD_LEND_WRITE, BULKHEAD_FOREVER);
    fill(client_buffer, BYTES + 1, MINE);
    bulkhead_delay(2);
    require(is_filled(client_buffer, BYTES + 1, MINE), "written after the client went on");
}

void client_main_entry(void) {
    for (;;) {
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        if (is_lending) {
            lend_and_use();
        }
        require(call(BULKHEAD_FOREVER) == BULKHEAD_OK, "a call of the client without a lease");
        client_is_done = true;
    }
}

// Returns how many bytes have the server's answer. The rest, and what is beside the lease, must be
// unchanged.
static uint32_t answered(const uint8_t *memory) {
    const uint8_t *const lease = memory + EDGE_BYTES;
    uint32_t bytes = 0;
    while (bytes < OTHER_BYTES && lease[bytes] == ANSWER) {
        bytes++;
    }
    require(is_filled(memory, EDGE_BYTES, EDGE) &&
                is_filled(lease + bytes, OTHER_BYTES - bytes, LENT) &&
                is_filled(lease + OTHER_BYTES, EDGE_BYTES, EDGE),
            "what was written to the second client");
    return bytes;
}

void other_main_entry(void) {
    uint8_t memory[EDGE_BYTES + OTHER_BYTES + EDGE_BYTES];
    for (;;) {
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        fill(memory, sizeof memory, EDGE);
        fill(memory + EDGE_BYTES, OTHER_BYTES, LENT);
        other_calls = true;
        of_other = lend(memory + EDGE_BYTES, OTHER_BYTES, BULKHEAD_LEND_READ | BULKHEAD_LEND_WRITE,
                        other_timeout_ticks);
        const uint32_t bytes = answered(memory);
        require(of_other == BULKHEAD_TIMED_OUT ||
                    bytes == (of_other == BULKHEAD_OK ? OTHER_BYTES : 0),
                "the answer to the second client");
        bulkhead_delay(COPIED_TICKS);
        require(answered(memory) == bytes, "written after the second client went on");
        require(call(BULKHEAD_FOREVER) == BULKHEAD_OK, "a call of the second client");
        other_is_done = true;
    }
}

void high_main_entry(void) {
    for (;;) {
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        high_waits = true;
        of_high = call(high_timeout_ticks);
        high_waits = false;
    }
}

// --- The other threads ---------------------------------------------------------------------------

void crash_entry(void) {
    (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
    *(volatile uint32_t *)0 = 0;
}

// Becomes ready at each tick, at a priority below the one that the server inherits.
void middle_main_entry(void) {
    for (;;) {
        bulkhead_delay(1);
        require(!high_waits, "a thread below the priority that the server inherits");
        middle_runs++;
    }
}

void boss_main_entry(void) {
    for (;;) {
        bulkhead_delay(1);
        work *const ordered = in_copy;
        if (ordered != NULL && is_partly_copied()) {
            in_copy = NULL;
            ordered();
        }
    }
}

// --- Leases that end in the middle of a copy -----------------------------------------------------

static void restart_client(void) {
    require(bulkhead_process_restart(PROCESS_CLIENT) == BULKHEAD_OK &&
                is_filled(client_buffer, BYTES + 1, FIRST_BYTE),
            "a restart");
    is_over = true;
}

static uint32_t sum(const volatile uint8_t *memory) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < BYTES; i++) {
        value = value * 31 + memory[i];
    }
    return value;
}

static void end_client(void) {
    require(bulkhead_process_end(PROCESS_CLIENT) == BULKHEAD_OK, "an end");
    const uint32_t before = sum(lent);
    bulkhead_delay(2);
    require(sum(lent) == before, "written after the end of the client");
    restart_client();
}

static void fault_client(void) {
    bulkhead_notify(THREAD_CLIENT_FAULT);
    require(bulkhead_process_is_ended(PROCESS_CLIENT) == BULKHEAD_OK, "a fault");
    restart_client();
}

static void fault_server(void) {
    bulkhead_notify(THREAD_SERVER_FAULT);
    is_over = true;
}

// The other client prepares its memory, which may take longer than a tick, before it calls.
static void await_other(void) {
    in_copy = other_calls ? end : await_other;
}

static void let_other_wait(void) {
    in_copy = await_other;
    other_calls = false;
    bulkhead_notify(THREAD_OTHER_MAIN);
}

static void begin(work *first, bool has_other) {
    is_over = client_is_done = false;
    other_is_done = !has_other;
    in_copy = first;
    is_lending = true;
    bulkhead_notify(THREAD_CLIENT_MAIN);
}

static void require_no_lease_left(void) {
    is_lending = false;
    client_is_done = false;
    bulkhead_notify(THREAD_CLIENT_MAIN);
    require(client_is_done, "a call after a case");
}

// The timeout of the second client may be over before the end.
static void require_other_result(enum bulkhead_result expected) {
    require(of_other == expected ||
                (of_other == BULKHEAD_TIMED_OUT && other_timeout_ticks != BULKHEAD_FOREVER),
            "the call of the second client");
}

static void test_client_ends(work *ends) {
    end = ends;
    begin(let_other_wait, true);
    while (!is_over || !other_is_done) {
    }
    require(copied == BULKHEAD_PEER_LOST, "a copy to a client that is lost");
    require_other_result(BULKHEAD_OK);
    require(is_filled(client_buffer, BYTES + 1, FIRST_BYTE), "written after the restart");
    require_no_lease_left();
}

static void test_client_ends_alone(work *ends) {
    begin(ends, false);
    while (!is_over) {
    }
    require(copied == BULKHEAD_PEER_LOST, "a copy to a client that is lost, without another");
    require_no_lease_left();
}

static void test_server_ends(void) {
    end = fault_server;
    begin(let_other_wait, true);
    while (!client_is_done || !other_is_done) {
    }
    require(of_client == BULKHEAD_PEER_LOST, "the call of the first client");
    require_other_result(BULKHEAD_PEER_LOST);
    require_no_lease_left();
}

// --- Inherited priorities ------------------------------------------------------------------------

static void let_copies_go_on(void) {
    if (ticks_left-- == 0) {
        is_over = true;
    } else {
        in_copy = let_copies_go_on;
    }
}

static void let_high_wait(void) {
    require(middle_ran_in_copy, "no thread of middle priority runs during a copy");
    in_copy = let_copies_go_on;
    middle_ran_in_copy = false;
    bulkhead_notify(THREAD_HIGH_MAIN);
}

static void let_middle_run(void) {
    in_copy = middle_ran_in_copy ? let_high_wait : let_middle_run;
}

// Middle_main runs during copies before and after high_main waits, and not while it waits.
static void test_inherited(uint32_t timeout_ticks) {
    middle_ran_in_copy = false;
    ticks_left = COPIED_TICKS;
    high_timeout_ticks = timeout_ticks;
    begin(let_middle_run, false);
    while (!client_is_done) {
    }
    const bool has_timed_out = of_high == BULKHEAD_TIMED_OUT;
    require(of_client == BULKHEAD_OK && copied == BULKHEAD_OK, "copies at an inherited priority");
    require(of_high == BULKHEAD_OK || has_timed_out, "the call of a thread of high priority");
    require(has_timed_out == (timeout_ticks != BULKHEAD_FOREVER) &&
                has_timed_out == middle_ran_in_copy,
            "when the server loses the priority");
    require_no_lease_left();
}

void judge_main_entry(void) {
    static const uint32_t timeouts[] = {BULKHEAD_FOREVER, 1, 2, 3, 50};
    static work *const ends[] = {restart_client, end_client, fault_client};
    for (uint32_t each = 0; each < sizeof timeouts / sizeof timeouts[0]; each++) {
        other_timeout_ticks = timeouts[each];
        for (uint32_t how = 0; how < sizeof ends / sizeof ends[0]; how++) {
            test_client_ends(ends[how]);
            test_client_ends_alone(ends[how]);
        }
        test_server_ends();
    }
    test_inherited(BULKHEAD_FOREVER);
    test_inherited(2);
    say("lease_combined: copies beside a second client, ends, restarts and inherited priorities");
    succeed();
}
