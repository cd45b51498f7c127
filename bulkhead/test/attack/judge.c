// SPDX-License-Identifier: MIT
//
// The judge, the main thread of the attack test: gives the attacker one order after the other,
// checks the result of each order, and calls the witness from time to time. Its priority is below
// the attacker's, so it runs when the attacker waits for an order, has faulted, or is blocked in a
// call. In the last case the fuse (attacker.c) ends the call.
//
// The build defines ATTACK_SEED, the seed of the random numbers, and ATTACK_RANDOM and
// ATTACK_CRAFTED, the numbers of attempts of each kind.
#include "grants.h"
#include "guard.h"
#include "machine_judge.h"
#include "plan.h"
#include "witness.h"
#include <bulkhead/bulkhead.h>
#include <bulkhead/fault.h>

enum { ATTEMPTS_A_LOOK = 128, LEGAL_ROUNDS = 2000, LEGAL_A_LOOK = 8 };

volatile struct witness_request witness_request;
extern volatile uint32_t progress, impatient; // used by watch.c

static struct account account;
static bool is_fresh; // the attacker has just been restarted

// --- The witness ---------------------------------------------------------------------------------

static void ask(uint32_t request) {
    witness_request.account = account;
    witness_request.request = request;
    machine_call_witness();
    while (witness_request.request != 0) {
    }
}

static void require(bool condition, const char *line) {
    if (!condition) {
        witness_request.line = line;
        ask(FAIL);
    }
}

static void require_right(const char *wrong) {
    require(wrong == NULL, wrong);
}

// --- Faults --------------------------------------------------------------------------------------

// Number of faults that the kernel has reported to this thread, the supervisor.
static uint32_t reported;

// Returns the number of faults that the kernel reported since the last call of this function.
static uint32_t faults(void) {
    uint32_t count = 0;
    while (bulkhead_notification_wait(BULKHEAD_NO_WAIT) == BULKHEAD_OK) {
        count++;
    }
    reported += count;
    return count;
}

// Returns whether the kernel has reported each fault. Call this when no fault can come before the
// next order.
static bool all_are_reported(void) {
    struct bulkhead_fault latest;
    return bulkhead_fault_read(PROCESS_ATTACKER, &latest) == BULKHEAD_OK &&
           latest.faults == reported;
}

// Restarts the attacker. An attempt that waits with a timeout may continue just before the fuse
// ends it, and then fault by itself; there are two faults then.
static void restart_idle(void) {
    bulkhead_notify(THREAD_FUSE);
    require(faults() != 0 && all_are_reported(), "not each fault was reported once");
    is_fresh = true;
}

static void refresh(void) {
    if (!is_fresh) {
        restart_idle();
    }
}

// --- One attempt ---------------------------------------------------------------------------------

static void give_order(const struct order *given) {
    witness_request.kind = given->kind;
    witness_request.variant = given->variant;
    witness_request.address = given->address;
    order.kind = given->kind;
    order.variant = given->variant;
    order.address = given->address;
    order.done = 0;
    order.calls = 0;
    for (uint32_t i = 0; i < CORE_REGISTERS; i++) {
        order.registers[i] = given->registers[i];
        order.after[i] = 0;
    }
    machine_prepare();
}

// Lets the attacker make the attempt of the order. Returns the number of faults.
static uint32_t attempt(const struct order *given) {
    require(!is_fresh || order.leaked == 0, "a thread began with something in its registers");
    give_order(given);
    impatient = 0;
    progress++;
    bulkhead_notify(THREAD_ATTACKER);
    uint32_t count = faults();
    if (given->kind == FORGE && count == 0) {
        machine_forge();
    }
    progress++;
    count += faults();
    is_fresh = count != 0;
    return count;
}

static bool is_own_memory(uint32_t address) {
    return grants_may_write(address, 1) || grants_may_write(address + 64, 1);
}

// Returns whether the ordered call may have written to the attacker's own memory, so that the
// results there are not reliable.
static bool may_have_written(const struct order *given) {
    for (uint32_t i = FIRST_POINTER; i <= LAST_POINTER; i++) {
        if (is_own_memory(given->registers[i])) {
            return true;
        }
    }
    return false;
}

static bool is_word_refused(uint32_t address, bool is_sent) {
    const bool may = is_sent ? grants_may_read(address, 1) : grants_may_write(address, 1);
    return !may && !plan_is_overlooked(address);
}

// Returns whether the kernel must refuse the message: it is not aligned, or the attacker has no
// right to its first or its last word. The test of these two words suffices, because a message is
// shorter than any region.
static bool is_message_refused(const struct order *given) {
    const uint32_t first = given->registers[ARGUMENT];
    const uint32_t bytes = order_message_bytes(given);
    const bool is_sent = order_method(given) == BULKHEAD_QUEUE_SEND;
    return bytes != 0 && (first % 4 != 0 || is_word_refused(first, is_sent) ||
                          is_word_refused(first + bytes - 4, is_sent));
}

// Returns whether the kernel must refuse the lease: the attacker itself has no such access to
// its first or its last byte, or its end wraps around.
static bool is_lease_refused(const struct order *given) {
    const uint32_t first = given->registers[LENT_ADDRESS], bytes = given->registers[LENT_BYTES];
    const uint32_t last = first + bytes - 1;
    const bool is_written = given->registers[SECOND_ARGUMENT] & BULKHEAD_LEND_WRITE;
    return order_lends(given) && bytes != 0 &&
           (last < first || !grants_may_read(first, 1) || !grants_may_read(last, 1) ||
            (is_written && (!grants_may_write(first, 1) || !grants_may_write(last, 1))));
}

static void judge_call(const struct order *given) {
    const uint32_t result = order.after[RESULT];
    require(order_is_granted(given) || result == BULKHEAD_DENIED, "a call without the right");
    require(!is_message_refused(given) || result != BULKHEAD_OK, "a message from elsewhere");
    require(!is_lease_refused(given) || result == BULKHEAD_DENIED, "a lease of another's memory");
    if (may_have_written(given)) {
        return;
    }
    for (uint32_t i = 0; i < CORE_REGISTERS; i++) {
        const bool is_kept = order_is_kept(order_handle(given), i);
        require(!is_kept || order.after[i] == given->registers[i], "a call changed a register");
        require(order.after[i] != SECRET, "a secret was seen");
    }
}

static void judge_storm(void) {
    account.calls += order.calls;
    require(order.changed == 0, "a call changed a register");
    require(order.overstepped == 0, "a call did what is not granted");
}

static bool is_granted(const struct order *given) {
    const uint32_t address = given->address;
    switch (given->kind) {
    case LOAD:
        return plan_may_load(given->variant, address);
    case STORE:
        return plan_may_store(given->variant, address);
    case JUMP:
        return grants_may_run(address);
    case STACK:
        return machine_may_call_from(given->variant, address);
    default:
        return given->kind != PRIVILEGE;
    }
}

static void count(const struct order *given, uint32_t faulted, bool done) {
    account.faults += faulted;
    account.returns += done;
    account.blocks += faulted == 0 && !done;
    account.reads += done && given->kind == LOAD;
    account.writes += done && given->kind == STORE;
}

static void judge(const struct order *given, uint32_t faulted) {
    const bool done = faulted == 0 && order.done != 0;
    count(given, faulted, done);
    require(faulted <= 1 + impatient, "a fault was reported twice");
    if (!is_granted(given)) {
        require(!done, "what is not granted was done");
        require(faulted != 0, "what is not granted was not reported");
    }
    if (given->kind == FORGE && faulted != 0) {
        require_right(machine_forgery_wrong());
    } else if (given->kind == STORM && faulted == 0) {
        judge_storm();
    } else if (done && given->kind == CALL) {
        judge_call(given);
    } else if (done && given->kind == LOOK) {
        require_right(machine_look_wrong());
    }
    // The attacker makes some calls in succession without a restart between them, so that a call
    // begins in the state that the previous call has left.
    if (given->kind != CALL || !done || may_have_written(given) || plan_random() % 4 == 0) {
        refresh();
    }
}

// Restarts the attacker just after a tick, so that the attacker already waits when the next tick
// comes. A tick before that would save the attacker's registers in its context, and the witness
// would see a difference.
static void look(uint32_t request) {
    bulkhead_delay(1);
    restart_idle();
    ask(request);
}

static void attack(uint32_t attempts, uint32_t *counter, planner *plan) {
    struct order given;
    uint32_t since_look = 0;
    while (*counter < attempts) {
        plan(&given, *counter);
        const uint32_t calls = account.calls;
        judge(&given, attempt(&given));
        *counter += given.kind == STORM ? account.calls - calls : 1;
        if (++since_look == ATTEMPTS_A_LOOK) {
            look(COMPARE);
            since_look = 0;
        }
    }
    look(COMPARE);
}

// --- All attempts --------------------------------------------------------------------------------

static void learn(void) {
    struct order given;
    look(REMEMBER);
    for (uint32_t i = 0; i < LEGAL_ROUNDS; i++) {
        plan_legal_order(&given, i);
        attempt(&given);
        if (order.done == 0 || plan_random() % 2 == 0) {
            refresh();
        }
        if (i % LEGAL_A_LOOK == 0) {
            look(LEARN);
        }
    }
}

void judge_main(void);
void judge_main(void) {
    plan_begin(ATTACK_SEED);
    refresh();
    learn();
    attack(ATTACK_CRAFTED, &account.crafted, plan_crafted_order);
    attack(ATTACK_RANDOM, &account.random, plan_random_order);
    ask(SUCCEED);
}

// Answers every call with the words of the call. Writes to the memory that the caller lends, which
// must be memory of the caller.
void clerk_main(void);
void clerk_main(void) {
    static const uint32_t mark = 0x3A3A3A3A;
    uint32_t words[4] = {0}, caller;
    for (;;) {
        bulkhead_gate_receive(GATE_CLERK, words, &caller, BULKHEAD_FOREVER);
        bulkhead_lease_write(GATE_CLERK, 0, &mark, words[3] < 4 ? words[3] : 4);
    }
}

// When this thread is notified, it receives what the attacker may only send, and sends what the
// attacker may only receive.
void bell_main(void);
void bell_main(void) {
    static uint32_t message[5];
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        bulkhead_semaphore_take(SEMAPHORE_GIVEN, BULKHEAD_NO_WAIT);
        bulkhead_queue_receive(QUEUE_SENT, message, BULKHEAD_NO_WAIT);
        bulkhead_queue_send(QUEUE_RECEIVED, message, BULKHEAD_NO_WAIT);
        bulkhead_flags_set(FLAGS_AWAITED, 0x7FFFFFFF);
    }
}
