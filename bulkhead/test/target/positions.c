// SPDX-License-Identifier: MIT
//
// Tests code paths with an interrupt before each of their instructions (paths.h): every path on
// which a thread blocks, continues or exits, and every path on which two threads change an object
// in user space. The instructions are those of the lower thread, of the kernel on its behalf, and
// of servers that it calls. The interrupt resumes a higher thread, which at once does what the
// lower thread waits for, or is about to wait for; or the interrupt is a tick.
//
// Wherever the interrupt comes, both threads must continue with the expected result and message,
// and the object must afterwards be in its initial state.
#include "handles.h"
#include "injection.h"
#include "paths.h"
#include "report.h"

enum { LOWEST_BYTES = 128, POSITIONS = 60000, SOON_INSTRUCTIONS = 8 };

static const struct path *path;
static volatile bool has_ended; // whether the higher thread has executed `end`
// Address of the instruction before which the first interrupt came; 0 if none came.
static volatile uint32_t where;

volatile uint32_t number, wait_ticks;
static volatile enum bulkhead_result expected, outcome;

bool is_ok(enum bulkhead_result result) {
    return result == BULKHEAD_OK;
}

bool is_expected(enum bulkhead_result result) {
    return result == expected;
}

bool is_in_time(enum bulkhead_result result) {
    outcome = result;
    return result == BULKHEAD_OK || result == BULKHEAD_TIMED_OUT;
}

bool was_in_time(void) {
    return outcome == BULKHEAD_OK;
}

static void require_done(bool (*what)(void)) {
    require(what == NULL || what(), path->name);
}

// The higher thread. In each run it suspends itself twice: until the lower thread resumes it to
// execute `prepare`, and until the interrupt resumes it to execute `end`.
void high_main(void);
void high_main(void) {
    for (;;) {
        bulkhead_suspend(THREAD_HIGH);
        require_done(path->prepare);
        bulkhead_suspend(THREAD_HIGH);
        require_done(path->end);
        has_ended = true;
    }
}

static void come_again(void) {
    const uint32_t came = injection_disarm();
    where = where == 0 ? came : where;
    if (path->how == TIMED) {
        injection_arm(SOON_INSTRUCTIONS);
        return;
    }
    require(path->rescue != NULL, path->name);
    require_done(path->rescue);
}

// The lowest thread runs when all other threads block. If the interrupt has come before, the other
// threads need another tick, or the function `rescue`.
void lowest_main(void);
void lowest_main(void) {
    for (;;) {
        if (injection_came()) {
            come_again();
        }
    }
}

static void bind(void) {
    if (path->how == TIMED || path->how == RACED) {
        injection_bind_tick();
    } else {
        injection_bind_line(path->how == DELIVERED ? DELIVERED_LINE : RESUMING_LINE);
    }
}

static void expect(uint32_t ticks, enum bulkhead_result result) {
    wait_ticks = ticks;
    expected = result;
}

static void run(uint32_t position) {
    if (path->how == TIMED) {
        expect(1, BULKHEAD_TIMED_OUT);
    }
    injection_arm(position);
    require_done(path->wait);
    const uint32_t last = injection_disarm();
    where = where == 0 ? last : where;
    expect(BULKHEAD_FOREVER, BULKHEAD_OK);
}

// Runs the path once, with the interrupt at `position`. Returns whether the interrupt came.
static bool attempt(uint32_t position) {
    number++;
    where = 0;
    has_ended = false;
    require_done(path->first);
    bulkhead_resume(THREAD_HIGH);
    run(position);
    if (!has_ended) {
        bulkhead_resume(THREAD_HIGH);
    }
    require(has_ended, path->name);
    require_done(path->restore);
    return where != 0;
}

static bool found_all_waiting(void) {
    return where - (uint32_t)lowest_main < LOWEST_BYTES;
}

// Runs the path with the interrupt one instruction later each time, until the interrupt comes only
// when the lower thread already waits, or not before the path has ended. Returns the number of
// runs.
static uint32_t sweep(void) {
    uint32_t position = 1;
    bind();
    while (attempt(position) && !found_all_waiting()) {
        require(position++ < POSITIONS, "a path has no end");
    }
    return position;
}

static uint32_t paths, positions;

static void sweep_all(const struct path *list) {
    for (path = list; path->name != NULL; path++) {
        positions += sweep();
        paths++;
    }
}

void low_main(void);
void low_main(void) {
    expect(BULKHEAD_FOREVER, BULKHEAD_OK);
    sweep_all(object_paths);
    sweep_all(thread_paths);
    sweep_all(gate_paths);
    say("positions: paths ");
    say_number(paths);
    say(", interrupts ");
    say_number(positions);
    succeed();
}
