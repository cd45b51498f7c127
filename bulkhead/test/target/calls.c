// SPDX-License-Identifier: MIT
//
// Tests calls from one process into another process: the words that a call transfers, the priority
// at which the server runs, the order in which callers are served, and the result of a call when
// the caller's or the server's process is terminated.
#include "floats.h"
#include "handles.h"
#include "report.h"
#include "service.h"
#include <bulkhead/bulkhead.h>

enum { ROUNDS = 3000, ENOUGH_TICKS = 100 };
#define FILLED_BY 77u
#define FILLED echo_of(FILLED_BY) // second word of the server's answer when `low` has called FILL

// `order`: the threads whose calls returned, in this order; `returns`: their number.
static volatile uint32_t order[3], returns;
static volatile uint32_t middle_runs, middle_may_stop;
static volatile enum bulkhead_result low_result;
static volatile uint32_t low_floating, twin_floating, twin_turns;
static volatile bool high_lets_look, twin_lets_fill;
// Not constants, which the compiler might load through a floating-point register.
static uint32_t low_words[4], twin_words[4];

static enum bulkhead_result call(uint32_t service, uint32_t argument, uint32_t timeout_ticks) {
    uint32_t words[4] = {service, argument};
    return bulkhead_gate_call(GATE_SERVICE, words, timeout_ticks);
}

static void echo_within(uint32_t number, uint32_t timeout_ticks) {
    uint32_t words[4] = {ECHO, number, number + 1, number + 2};
    require(bulkhead_gate_call(GATE_SERVICE, words, timeout_ticks) == BULKHEAD_OK,
            "a call was refused");
    require(words[0] == bulkhead_page.self, "the server saw another caller");
    for (uint32_t i = 1; i < 4; i++) {
        require(words[i] == echo_of(number + i - 1), "a word of the answer is wrong");
    }
}

static void echo(uint32_t number) {
    echo_within(number, BULKHEAD_FOREVER);
}

// Calls ECHO as echo() does, but with a timeout if `number` is odd.
static void echo_either_way(uint32_t number) {
    echo_within(number, number % 2 == 0 ? BULKHEAD_FOREVER : ENOUGH_TICKS);
}

// --- The other callers ---------------------------------------------------------------------------

// Calls ECHO while floating-point registers are in use. Every path through the kernel must preserve
// them.
static void echo_floating(uint32_t number) {
    floats_fill(number, ~number);
    echo_either_way(number);
    require(floats_have(number, ~number), "floating-point registers were lost in a call");
}

// Makes a call with a timeout in which the server looks at the floating-point registers. The server
// has not used any yet, so it must see no values of its caller.
static void let_look(void) {
    uint32_t words[4] = {LOOK};
    floats_fill(ROUNDS, ROUNDS);
    require(bulkhead_gate_call(GATE_SERVICE, words, ENOUGH_TICKS) == BULKHEAD_OK && words[1] == 0,
            "the server saw floating-point registers of its timed caller");
    high_lets_look = false;
}

void high_main(void);
void high_main(void) {
    for (uint32_t number = 0;; number++) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        if (high_lets_look) {
            let_look();
        }
        echo_floating(number);
        order[returns++ % 3] = THREAD_HIGH;
    }
}

// Thread `low` makes the call that the prover has stored in `low_words`.
void low_main(void);
void low_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        low_result = bulkhead_gate_call(GATE_SERVICE, low_words, BULKHEAD_FOREVER);
        order[returns++ % 3] = THREAD_LOW;
        if (low_words[1] == FILLED) {
            low_floating = !floats_have(0, 0);
        }
    }
}

// Makes a call with a timeout that the server answers while it uses floating-point registers. The
// caller must not see the server's values.
static void let_fill(void) {
    twin_lets_fill = false;
    require(bulkhead_gate_call(GATE_SERVICE, twin_words, ENOUGH_TICKS) == BULKHEAD_OK,
            "a call was refused");
    twin_floating = !floats_have(0, 0);
}

// Thread `twin` has the prover's priority. When it is notified, it sleeps for a tick and then runs
// once.
void twin_main(void);
void twin_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        if (twin_lets_fill) {
            let_fill();
        }
        bulkhead_delay(1);
        twin_turns++;
    }
}

void middle_main(void);
void middle_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        middle_runs++;
        while (!middle_may_stop) {
        }
    }
}

void caller_main(void);
void caller_main(void) {
    uint32_t words[4] = {SLEEP, 2};
    bulkhead_gate_call(GATE_SERVICE, words, BULKHEAD_FOREVER);
    bulkhead_delay(BULKHEAD_FOREVER);
}

// Ends its process while the server serves `caller`.
void faulter_main(void);
void faulter_main(void) {
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    *(volatile uint32_t *)0 = 0;
}

// Lets `low` call the server. The server serves that call when this function returns and, for a
// service that takes `ticks`, for some ticks after that.
static void let_low_call(uint32_t service, uint32_t ticks) {
    low_words[0] = service;
    low_words[1] = ticks;
    bulkhead_notify(THREAD_LOW);
    bulkhead_delay(2);
}

// --- Invariants ----------------------------------------------------------------------------------

static void prove_refusals(void) {
    uint32_t words[4] = {0}, caller;
    require(bulkhead_semaphore_take(SEMAPHORE_REFUSED, ENOUGH_TICKS) == BULKHEAD_OK,
            "a thread received calls that is not the server");
    require(bulkhead_gate_receive(GATE_SERVICE, words, &caller, BULKHEAD_NO_WAIT) ==
                BULKHEAD_DENIED,
            "a caller received calls");
    words[0] = RECURSE;
    require(bulkhead_gate_call(GATE_SERVICE, words, BULKHEAD_FOREVER) == BULKHEAD_OK &&
                words[1] == BULKHEAD_REFUSED,
            "a server called itself");
}

// Proves that a process can be terminated while the server serves its call, and that a call to a
// terminated server fails.
static void prove_dead_client(void) {
    bulkhead_delay(1);
    bulkhead_notify(THREAD_FAULTER);
    echo(1);
    uint32_t words[4] = {0};
    require(bulkhead_gate_call(GATE_GONE, words, BULKHEAD_FOREVER) == BULKHEAD_PEER_LOST,
            "a server that has ended was called");
}

static void prove_polls(void) {
    uint32_t words[4] = {POLL};
    require(bulkhead_gate_call(GATE_SERVICE, words, BULKHEAD_FOREVER) == BULKHEAD_OK,
            "a call was refused");
    bulkhead_delay(20);
    words[0] = COMPARE;
    require(bulkhead_gate_call(GATE_SERVICE, words, BULKHEAD_FOREVER) == BULKHEAD_OK,
            "a call was refused");
    require(words[2] == 0, "a server waited for a call that was not to wait");
}

static void prove_registers(void) {
    uint32_t words[4] = {COMPARE};
    for (uint32_t number = 0; number < 8; number++) {
        echo_either_way(number);
    }
    require(bulkhead_gate_call(GATE_SERVICE, words, BULKHEAD_FOREVER) == BULKHEAD_OK,
            "a call was refused");
    require(words[1] == 0, "a register of the caller was seen by the server");
}

// Proves that the prover and the twin, which have equal priorities, take turns: the twin becomes
// ready while the server runs on behalf of the prover, or before the call.
static void prove_equals(void) {
    bulkhead_notify(THREAD_TWIN);
    bulkhead_yield();
    require(call(SPIN, 2, BULKHEAD_FOREVER) == BULKHEAD_OK, "a call was refused");
    bulkhead_yield();
    require(twin_turns == 1, "a server's equal was forgotten");
    echo(1); // the fast path answers this call, so the server waits as the fast path leaves it
    bulkhead_notify(THREAD_TWIN);
    bulkhead_yield();
    const uint32_t start = bulkhead_page.ticks;
    while (bulkhead_page.ticks - start < 2) {
    }
    echo(1);
    bulkhead_yield();
    require(twin_turns == 2, "a caller's equal was forgotten");
    echo(1);
    bulkhead_notify(THREAD_TWIN);
    require(call(SLEEP, 4, BULKHEAD_FOREVER) == BULKHEAD_OK, "a call was refused");
    require(twin_turns == 3, "a caller's equal did not run while the server slept");
}

// Proves that the server, whose own priority is the lowest, runs at the priority of its client, and
// no longer than the call takes.
static void prove_priority(uint32_t timeout_ticks) {
    let_low_call(ECHO, 0);
    const uint32_t runs = middle_runs;
    middle_may_stop = 1;
    bulkhead_notify(THREAD_MIDDLE);
    require(call(SPIN, 3, timeout_ticks) == BULKHEAD_OK, "a call was refused");
    require(middle_runs == runs, "the server ran below its client's priority");
    bulkhead_delay(2);
    require(middle_runs == runs + 1, "the server kept its client's priority");
}

static void prove_order(void) {
    returns = 0;
    let_low_call(SLEEP, 4);
    bulkhead_notify(THREAD_HIGH);
    echo(7);
    order[returns++ % 3] = THREAD_PROVER;
    bulkhead_delay(2);
    require(returns == 3 && order[0] == THREAD_HIGH && order[1] == THREAD_PROVER,
            "callers were not served by priority");
}

// Proves priority inheritance. The server serves `low` when the prover calls. Without inheritance,
// `middle` would keep the server from running, and this call would time out.
static void prove_inheritance(void) {
    let_low_call(SPIN, 6);
    middle_may_stop = 0;
    bulkhead_notify(THREAD_MIDDLE);
    bulkhead_delay(1);
    require(call(ECHO, 0, ENOUGH_TICKS) == BULKHEAD_OK, "a busy server did not inherit");
    middle_may_stop = 1;
    bulkhead_delay(3);
}

static void prove_timeouts(void) {
    let_low_call(SLEEP, 8);
    require(call(ECHO, 0, BULKHEAD_NO_WAIT) == BULKHEAD_TIMED_OUT, "a busy server was not busy");
    bulkhead_delay(1);
    const uint32_t start = bulkhead_page.ticks;
    require(call(ECHO, 0, 2) == BULKHEAD_TIMED_OUT, "a busy server answered");
    require(bulkhead_page.ticks - start == 2, "a call timed out at the wrong time");
    echo(3);
    require(call(SLEEP, 5, 2) == BULKHEAD_TIMED_OUT, "a call did not time out while it was served");
    echo(4);
    require(call(SLEEP, 2, ENOUGH_TICKS) == BULKHEAD_OK, "a timed call was not answered");
    require(call(ECHO, 0, BULKHEAD_NO_WAIT) == BULKHEAD_OK, "an idle server was busy");
    require(call(SLEEP, 2, BULKHEAD_NO_WAIT) == BULKHEAD_OK, "an answer was not waited for");
    const uint32_t end = bulkhead_page.ticks + 5;
    require(call(ECHO, 0, 2) == BULKHEAD_OK, "a timed call was not answered");
    bulkhead_delay(5);
    require((int32_t)(bulkhead_page.ticks - end) >= 0, "an answered call timed out");
}

static void prove_floating_callers(void) {
    floats_fill(ROUNDS, ROUNDS);
    require(call(SLEEP, 2, BULKHEAD_NO_WAIT) == BULKHEAD_OK,
            "an answer was not waited for with floating-point registers in use");
    high_lets_look = true;
    bulkhead_notify(THREAD_HIGH);
    require(!high_lets_look, "a call has no end");
}

static void prove_dead_server(void) {
    require(call(FAULT, 0, BULKHEAD_FOREVER) == BULKHEAD_PEER_LOST,
            "the end of its server was not heard of");
    require(bulkhead_semaphore_take(SEMAPHORE_REFUSED, ENOUGH_TICKS) == BULKHEAD_OK,
            "the server's process did not come back");
    let_low_call(FAULT, 3);
    require(call(ECHO, 0, BULKHEAD_FOREVER) == BULKHEAD_PEER_LOST,
            "a caller that waited did not learn that the server was terminated");
    bulkhead_delay(2);
    require(low_result == BULKHEAD_PEER_LOST, "the end of its server was not heard of");
    echo(5);
}

static void prove_under_preemption(void) {
    for (uint32_t number = 0; number < ROUNDS; number++) {
        if (number % 16 == 0) {
            bulkhead_notify(THREAD_HIGH);
        }
        if (number % 64 == 0) {
            low_words[0] = ECHO;
            bulkhead_notify(THREAD_LOW);
            bulkhead_delay(1);
        }
        echo_either_way(number);
    }
}

// Proves that no process sees floating-point values of another process. Run this test last, because
// the server uses floating-point registers from then on.
static void prove_floating(void) {
    uint32_t words[4] = {LOOK};
    floats_fill(ROUNDS, ROUNDS);
    require(bulkhead_gate_call(GATE_SERVICE, words, BULKHEAD_FOREVER) == BULKHEAD_OK,
            "a call was refused");
    require(words[1] == 0, "the server saw floating-point registers of its caller");
    low_floating = ~0u;
    bulkhead_delay(100); // until the last call of `low` in prove_under_preemption() has returned
    let_low_call(FILL, FILLED_BY);
    require(low_floating != ~0u, "a call has no end");
    require(low_floating == 0, "a caller saw floating-point registers of the server");
    twin_floating = ~0u;
    twin_words[0] = FILL;
    twin_lets_fill = true;
    bulkhead_notify(THREAD_TWIN);
    bulkhead_delay(2);
    require(twin_floating == 0, "a timed caller saw floating-point registers of the server");
}

void prover_main(void);
void prover_main(void) {
    prove_refusals();
    prove_dead_client();
    prove_polls();
    prove_registers();
    prove_equals();
    prove_priority(BULKHEAD_FOREVER);
    prove_priority(ENOUGH_TICKS);
    prove_order();
    prove_inheritance();
    prove_timeouts();
    prove_floating_callers(); // before prove_dead_server(), which restarts the server
    prove_dead_server();
    prove_under_preemption();
    prove_registers();
    prove_floating();
    say("calls: rounds ");
    say_number(ROUNDS);
    say(", ticks ");
    say_number(bulkhead_page.ticks);
    succeed();
}
