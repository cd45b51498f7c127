// SPDX-License-Identifier: MIT
//
// Tests what a process finds in its registers. After a call, no register may have a value of
// another process, nor a value of the kernel if C code of the kernel executed the call. An
// interrupt may change no register. Two processes each fill every register with a secret value, and
// give up the processor in every way: they yield, sleep, wait, wake a thread of the other process
// or of their own, and are interrupted by the tick. Also tests that two threads of equal priority
// that wait for one semaphore are woken in turn.
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { ROUNDS = 300, TURNS = 40 };

#define LEFT 0x1EF71EF7u
#define RIGHT 0x41647416u

uint32_t registers_call(uint32_t handle, uint32_t method, uint32_t argument, uint32_t own,
                        uint32_t other);
uint32_t registers_call_in_c(uint32_t handle, uint32_t method, uint32_t argument, uint32_t own);
uint32_t registers_call_shortest(uint32_t handle, uint32_t method, uint32_t argument, uint32_t own);
uint32_t registers_hold(uint32_t own, uint32_t times);

static volatile uint32_t woken_within;

static void call(uint32_t handle, uint32_t method, uint32_t argument, uint32_t own) {
    const uint32_t other = own == LEFT ? RIGHT : LEFT;
    require(registers_call(handle * BULKHEAD_HANDLE_SCALE, method * BULKHEAD_METHOD_SCALE, argument,
                           own, other) == 0,
            "a call changed a register, or showed another process's");
}

static void call_in_c(uint32_t handle, uint32_t method, uint32_t argument) {
    require(registers_call_in_c(handle * BULKHEAD_HANDLE_SCALE, method * BULKHEAD_METHOD_SCALE,
                                argument, LEFT) == 0,
            "a call showed a value of the kernel");
}

static void call_shortest(uint32_t handle, uint32_t method) {
    require(registers_call_shortest(handle * BULKHEAD_HANDLE_SCALE, method * BULKHEAD_METHOD_SCALE,
                                    0, LEFT) == 0,
            "a shortest case showed a value of the kernel");
}

// Yields to a thread of equal priority in its own process, makes calls that do not switch threads,
// and wakes a thread of higher priority in its process.
static _Noreturn void yield_within(void) {
    for (;;) {
        call_shortest(BULKHEAD_SELF, BULKHEAD_SELF_YIELD);
        call_shortest(SEMAPHORE_FREE, BULKHEAD_SEMAPHORE_GIVE);
        call_shortest(SEMAPHORE_FREE, BULKHEAD_SEMAPHORE_TAKE);
        call_shortest(SEMAPHORE_FREE, BULKHEAD_METHODS - 1); // fails with DENIED
        call_shortest(SEMAPHORE_WITHIN, BULKHEAD_SEMAPHORE_GIVE);
    }
}

void equal_main(void);
void equal_main(void) {
    yield_within();
}

// A thread that the two threads wake. No thread of any other priority is ready then.
void woken_main(void);
void woken_main(void) {
    for (;;) {
        const uint32_t ready = 0x80000000u >> 9 | 0x80000000u >> 10;
        require(registers_call(SEMAPHORE_WITHIN * BULKHEAD_HANDLE_SCALE,
                               BULKHEAD_SEMAPHORE_TAKE * BULKHEAD_METHOD_SCALE, BULKHEAD_FOREVER,
                               LEFT, ready) == 0,
                "a wake-up showed which priorities are ready");
        woken_within++;
    }
}

// Yields `times` times to the thread of equal priority in the other process.
static _Noreturn void take_turns(uint32_t own, uint32_t times) {
    for (;;) {
        if (own == LEFT) {
            call(THREAD_LISTENER, BULKHEAD_THREAD_NOTIFY, 0, own);
        }
        call(BULKHEAD_SELF, BULKHEAD_SELF_YIELD, 0, own);
        require(registers_hold(own, times) == 0, "an interrupt changed a register");
    }
}

void left_main(void);
void left_main(void) {
    take_turns(LEFT, TURNS);
}

// A thread that is woken by a thread of its own process.
void listener_main(void);
void listener_main(void) {
    for (;;) {
        call_in_c(BULKHEAD_SELF, BULKHEAD_SELF_NOTIFICATION_WAIT, BULKHEAD_FOREVER);
    }
}

void right_main(void);
void right_main(void) {
    take_turns(RIGHT, TURNS + 7);
}

static volatile uint32_t woken[2];

static _Noreturn void wait(volatile uint32_t *own_woken, uint32_t own) {
    for (;;) {
        call(SEMAPHORE_BOTH, BULKHEAD_SEMAPHORE_TAKE, BULKHEAD_FOREVER, own);
        ++*own_woken;
    }
}

void first_main(void);
void first_main(void) {
    wait(&woken[0], LEFT);
}

void second_main(void);
void second_main(void) {
    wait(&woken[1], RIGHT);
}

// The prover has a higher priority than the two threads: it preempts them when its sleeps end, and
// its partner wakes it.
void prover_main(void);
void prover_main(void) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        call(THREAD_PARTNER, BULKHEAD_THREAD_NOTIFY, 0, LEFT);
        call(SEMAPHORE_TURN, BULKHEAD_SEMAPHORE_TAKE, BULKHEAD_FOREVER, LEFT);
        call(BULKHEAD_SELF, BULKHEAD_SELF_DELAY, 1, LEFT);
        call_in_c(BULKHEAD_SELF, BULKHEAD_SELF_DELAY, 0); // no delay: returns without a switch
        call_in_c(SEMAPHORE_TURN, BULKHEAD_SEMAPHORE_TAKE, BULKHEAD_NO_WAIT);
        // Meanwhile a thread of one of the two processes runs.
        call_in_c(BULKHEAD_SELF, BULKHEAD_SELF_DELAY, 1);
    }
    require(woken[0] == ROUNDS && woken[1] == ROUNDS && woken_within > ROUNDS,
            "a waiter was forgotten");
    say("registers: rounds ");
    say_number(ROUNDS);
    succeed();
}

// The prover's partner, a thread of the other process. Its priority is between those of the prover
// and of the two threads.
void partner_main(void);
void partner_main(void) {
    for (;;) {
        call(BULKHEAD_SELF, BULKHEAD_SELF_NOTIFICATION_WAIT, BULKHEAD_FOREVER, RIGHT);
        call(SEMAPHORE_BOTH, BULKHEAD_SEMAPHORE_GIVE, 0, RIGHT);
        call(SEMAPHORE_BOTH, BULKHEAD_SEMAPHORE_GIVE, 0, RIGHT);
        call(SEMAPHORE_TURN, BULKHEAD_SEMAPHORE_GIVE, 0, RIGHT);
    }
}
