// SPDX-License-Identifier: MIT
//
// Tests restarts of processes by a supervisor: the limit, the delays and the escalation for a
// process that crashes at once after each restart; processes that hang in different ways and no
// longer report that they are alive; a server that crashes during a call; a supervisor that is
// late, crashes itself, or inherits a priority while it waits for a restart; and calls without the
// right to restart a process.
//
// The warden has the highest priority. It orders the other processes to crash or hang, and compares
// what the supervisor has logged. The log is in shared memory, because a restart initialises the
// memory of a process again.
#include "restart.h"
#include "report.h"
#include <bulkhead/supervise.h>
#include <handles.h>

enum { LIMIT = 3, DELAY_TICKS = 2, STABLE_TICKS = 40, SERVER_DELAY_TICKS = 3 };
enum { FAULTY, HANGER, SERVER, HOSTILE, SLOW }; // indices of the policies

volatile struct ledger ledger;

void warden_main_entry(void);

static void begin(void) {
    ledger.events = 0;
}

static bool is_event(uint32_t index, uint32_t kind, uint32_t process) {
    return index < ledger.events && ledger.seen[index].kind == kind &&
           ledger.seen[index].process == process;
}

static uint32_t tick_of(uint32_t index) {
    return ledger.seen[index].tick;
}

// Restarts `faulty` after the supervisor has given it up: the supervisor deletes what it knows of
// earlier crashes.
static void restart_faulty(void) {
    ledger.faulty = FAULTY_RESTS;
    ledger.boss = BOSS_FORGETS;
    bulkhead_delay(100);
}

// --- A process that crashes ----------------------------------------------------------------------

static void require_failure(uint32_t index, uint32_t delay_ticks) {
    require(is_event(index, BULKHEAD_FAULTED, FAULTY), "a fault is not seen");
    require(is_event(index + 1, BULKHEAD_RESTARTED, FAULTY), "a fault is followed by no restart");
    require(tick_of(index + 1) - tick_of(index) == delay_ticks, "a delay is wrong");
}

// Lets the process `faulty` crash at once after each restart, until the supervisor gives it up.
static void crash_to_limit(void) {
    begin();
    const uint32_t starts = ledger.faulty_starts;
    ledger.faulty = FAULTY_CRASHES;
    bulkhead_delay(100);
    for (uint32_t i = 0; i < LIMIT; i++) {
        require_failure(2 * i, DELAY_TICKS << i);
    }
    require(is_event(2 * LIMIT, BULKHEAD_FAULTED, FAULTY), "the last fault is not seen");
    require(is_event(2 * LIMIT + 1, BULKHEAD_GAVE_UP, FAULTY), "the limit has no effect");
    require(ledger.events == 2 * LIMIT + 2, "more happens after the limit");
    require(ledger.faulty_starts - starts == LIMIT, "it starts more often than it is restarted");
    require(bulkhead_start_thread(THREAD_FAULTY_MAIN) == BULKHEAD_REFUSED, "its thread is started");
}

// Lets `faulty` crash so seldom that the supervisor counts each crash as the first one.
static void crash_seldom(void) {
    ledger.faulty = FAULTY_RESTS;
    ledger.boss = BOSS_FORGETS;
    bulkhead_delay(STABLE_TICKS + PERIOD_TICKS);
    begin();
    for (uint32_t i = 0; i < LIMIT + 2; i++) {
        ledger.faulty = FAULTY_CRASHES_ONCE;
        bulkhead_delay(STABLE_TICKS + PERIOD_TICKS);
        require_failure(2 * i, DELAY_TICKS);
    }
}

// --- A supervisor that is late, or crashes itself, between the failures --------------------------

// Lets `faulty` crash at once after each restart, while the supervisor is late: it sees each crash
// only after stable_ticks, but must still count the crashes.
static void crash_before_late_supervisor(void) {
    restart_faulty();
    begin();
    ledger.boss = BOSS_IS_LATE;
    ledger.faulty = FAULTY_CRASHES;
    bulkhead_delay((2 * LIMIT + 4) * LATE_TICKS);
    require(is_event(2 * LIMIT + 1, BULKHEAD_GAVE_UP, FAULTY), "a late supervisor has no limit");
    ledger.boss = BOSS_SUPERVISES;
    bulkhead_delay(LATE_TICKS);
}

// Lets `faulty` crash while the supervisor itself crashes and restarts after each event.
static void crash_before_faulty_supervisor(void) {
    const uint32_t starts = ledger.boss_starts;
    restart_faulty();
    begin();
    ledger.boss = BOSS_FAULTS_AFTER_EVENTS;
    ledger.faulty = FAULTY_CRASHES;
    bulkhead_delay(200);
    require(is_event(2 * LIMIT, BULKHEAD_FAULTED, FAULTY) &&
                is_event(2 * LIMIT + 1, BULKHEAD_GAVE_UP, FAULTY),
            "a restarted supervisor has no limit");
    require(ledger.events == 2 * LIMIT + 2, "a restarted supervisor sees a failure twice");
    require(ledger.boss_starts - starts == ledger.events, "the supervisor does not start again");
    ledger.boss = BOSS_SUPERVISES;
}

// The warden waits for the supervisor through a chain of two mutexes, so the supervisor inherits
// the warden's priority while it waits for a long restart.
static void inherit_in_restart(void) {
    const uint32_t calls = ledger.right_calls;
    ledger.boss = BOSS_ENDS_SLOW;
    while (!ledger.boss_waits) {
        bulkhead_delay(1);
    }
    const uint32_t tick = bulkhead_ticks();
    require(ledger.right_calls == calls, "the restart is too short");
    require(bulkhead_mutex_lock(MUTEX_OUTER, BULKHEAD_FOREVER) == BULKHEAD_OK, "no lock");
    require(bulkhead_ticks() - tick > 2, "the restart is over too early");
    require(bulkhead_mutex_unlock(MUTEX_OUTER) == BULKHEAD_OK, "a lock is lost");
    require(ledger.right_calls == calls + 2 && ledger.wrong_calls == 0,
            "a restart returns before it is complete");
}

// --- A process that is silent --------------------------------------------------------------------

static void hang_in_each_way(void) {
    for (uint32_t way = HANGER_LIVES + 1; way < HANGER_WAYS; way++) {
        const uint32_t starts = ledger.hanger_starts, lost = ledger.locks_lost;
        begin();
        ledger.hanger = way;
        bulkhead_delay(5 * PERIOD_TICKS);
        require(is_event(0, BULKHEAD_SILENT, HANGER), "a silent process is not found");
        require(is_event(1, BULKHEAD_RESTARTED, HANGER), "a silent process is not restarted");
        require(ledger.events == 2, "a process is silent twice");
        require(ledger.hanger_starts == starts + 1, "a silent process does not start again");
        require(ledger.locks_lost - lost == (way == HANGER_SPINS_WITH_LOCK), "a lock is not lost");
    }
    require(ledger.hanger_stale == 0, "a restarted process has its former memory");
}

// --- A call, and the supervisor ------------------------------------------------------------------

static void crash_in_call(void) {
    begin();
    ledger.client_calls = true;
    bulkhead_delay(60);
    require(ledger.calls == CALLS, "the client does not go on");
    for (uint32_t i = 0; i < CALLS; i++) {
        require(is_event(2 * i, BULKHEAD_FAULTED, SERVER) &&
                    is_event(2 * i + 1, BULKHEAD_RESTARTED, SERVER),
                "a server that crashes in a call is not restarted");
        require(tick_of(2 * i + 1) - tick_of(2 * i) == SERVER_DELAY_TICKS, "the server is late");
    }
    require(ledger.lost >= CALLS * SERVER_DELAY_TICKS && ledger.lost == ledger.lost_ticks,
            "calls of an ended server do not fail at once");
}

// `faulty` has a higher priority than the supervisor, so it crashes first. The supervisor sees this
// event, then crashes on order, and restarts `faulty` after its own restart.
static void crash_supervisor(void) {
    const uint32_t boss = ledger.boss_starts, faulty = ledger.faulty_starts;
    struct bulkhead_fault fault;
    begin();
    ledger.boss = BOSS_FAULTS;
    ledger.faulty = FAULTY_CRASHES_ONCE;
    bulkhead_delay(4 * PERIOD_TICKS);
    require(ledger.boss_starts == boss + 1, "the supervisor does not start again");
    require(ledger.faulty_starts == faulty + 1, "its process stays ended");
    require(is_event(0, BULKHEAD_FAULTED, FAULTY) && is_event(1, BULKHEAD_RESTARTED, FAULTY),
            "the end of a process is lost with it");
    require(bulkhead_fault_read(PROCESS_BOSS, &fault) == BULKHEAD_OK && fault.faults == boss,
            "the fault of the supervisor is not reported");
    require(ledger.events == 2, "it restarts others, or sees a failure twice");
}

// Terminates the supervisor while it waits for the restart of a process. The kernel completes this
// restart, and the process faults again before the supervisor runs again.
static void crash_supervisor_in_restart(void) {
    const uint32_t boss = ledger.boss_starts;
    begin();
    ledger.slow_crashes = 2;
    while (!is_event(0, BULKHEAD_FAULTED, SLOW)) {
        bulkhead_delay(1);
    }
    require(ledger.events == 1, "the restart is too short");
    ledger.boss = BOSS_IS_LATE;
    require(bulkhead_start_thread(THREAD_BOSS_OTHER) == BULKHEAD_OK, "no supervisor");
    bulkhead_delay(2 * LATE_TICKS);
    require(ledger.boss_starts == boss + 1 && ledger.slow_crashes == 0, "nothing crashes");
    ledger.boss = BOSS_SUPERVISES;
    bulkhead_delay(2 * LATE_TICKS);
    require(is_event(1, BULKHEAD_FAULTED, SLOW), "a failure is not counted");
    require(is_event(2, BULKHEAD_RESTARTED, SLOW) && ledger.events == 3, "it is not restarted");
}

static void call_in_each_state(void) {
    const uint32_t right_calls = ledger.right_calls;
    ledger.boss = BOSS_CALLS;
    bulkhead_delay(100);
    require(ledger.right_calls == right_calls + 3 * 13 + 40, "not all calls are made");
    require(ledger.wrong_calls == 0, "a call of the supervisor fails");
    require(ledger.hanger_stale == 0, "a restart leaves memory");
    require(ledger.faulty_alone == 0, "a thread runs before its process is launched");
}

// --- Other threads -------------------------------------------------------------------------------

// Lets the hostile process make its calls. The warden itself is the supervisor of the boss's
// process, but without a policy, so its calls must be denied too.
static void attack(void) {
    const uint32_t starts = ledger.faulty_starts, boss = ledger.boss_starts;
    begin();
    ledger.hostile_attacks = true;
    bulkhead_delay(20);
    require(ledger.denied == (HANDLES - 1) * BULKHEAD_METHODS && ledger.not_denied == 0,
            "a process without the right makes a call");
    require(bulkhead_process_restart(PROCESS_BOSS) == BULKHEAD_DENIED &&
                bulkhead_process_end(PROCESS_BOSS) == BULKHEAD_DENIED &&
                bulkhead_process_is_ended(PROCESS_BOSS) == BULKHEAD_DENIED,
            "a supervisor restarts a process without a policy");
    require(ledger.events == 0 && ledger.faulty_starts == starts && ledger.boss_starts == boss,
            "a hostile process restarts others");
}

void warden_main_entry(void) {
    bulkhead_delay(2 * PERIOD_TICKS);
    crash_to_limit();
    crash_seldom();
    crash_before_late_supervisor();
    crash_before_faulty_supervisor();
    restart_faulty();
    inherit_in_restart();
    hang_in_each_way();
    crash_in_call();
    attack();
    crash_supervisor();
    crash_supervisor_in_restart();
    call_in_each_state();
    say("restart: limit, delays, ");
    say_number(HANGER_WAYS - 1);
    say(" ways to hang, ");
    say_number(ledger.right_calls);
    say(" calls");
    succeed();
}
