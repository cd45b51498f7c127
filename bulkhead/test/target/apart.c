// SPDX-License-Identifier: MIT
//
// Tests objects for which one process may only send and another process may only receive. Each of
// the two processes makes every call of every object, directly and through servers in the other
// process: a server uses its own rights, not those of its client. The calls also use handles and
// methods beyond the lengths of their tables, which the kernel reduces modulo the length. A call
// without the right must be denied and must change nothing.
//
// The judge, which checks the results, has the lowest priority, so it runs only when all other
// threads wait.
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { SENDER, RECEIVER, SIDES };
// SERVERS is 2 because there are two servers, which call each other: a third call would wait for
// the first server, which itself waits for the second one.
enum { HANDLES = 16, METHODS = 8, FLAG = 1, SERVERS = 2, WAYS = METHODS * SIDES * (SERVERS + 1) };

struct order {
    uint32_t handle, method, argument, timeout_ticks;
    uint32_t hops; // number of servers that pass the order on
    uint32_t result;
    bool is_done;
};
static volatile struct order orders[SIDES];
static uint32_t messages[SIDES][4];

// --- The two sides -------------------------------------------------------------------------------

static uint32_t execute(const uint32_t words[4]) {
    uint32_t value = words[2];
    return bulkhead_exchange_2(words[0], words[1], &value, words[3]);
}

// Executes a call, or passes it to the next server. The upper bits of the method, which the kernel
// ignores, hold the number of servers that are still to come.
static uint32_t pass_on(uint32_t words[4], uint32_t gate) {
    if (words[1] >> 16 == 0) {
        return execute(words);
    }
    words[1] -= 1u << 16;
    require(bulkhead_gate_call(gate, words, BULKHEAD_FOREVER) == BULKHEAD_OK, "no server");
    return words[0];
}

static _Noreturn void obey(uint32_t side, uint32_t gate) {
    volatile struct order *order = &orders[side];
    for (;;) {
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        uint32_t words[4] = {order->handle, order->method + (order->hops << 16), order->argument,
                             order->timeout_ticks};
        order->result = pass_on(words, gate);
        order->is_done = true;
    }
}

static _Noreturn void serve(uint32_t own, uint32_t other) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        require(bulkhead_gate_receive(own, words, &caller, BULKHEAD_FOREVER) == BULKHEAD_OK,
                "a server receives nothing");
        words[0] = pass_on(words, other);
    }
}

void sender_main_entry(void);
void receiver_main_entry(void);
void sender_server_entry(void);
void receiver_server_entry(void);
void judge_main_entry(void);

void sender_main_entry(void) {
    obey(SENDER, GATE_OF_RECEIVER);
}

void receiver_main_entry(void) {
    obey(RECEIVER, GATE_OF_SENDER);
}

void sender_server_entry(void) {
    serve(GATE_OF_SENDER, GATE_OF_RECEIVER);
}

void receiver_server_entry(void) {
    serve(GATE_OF_RECEIVER, GATE_OF_SENDER);
}

// --- The state of the objects --------------------------------------------------------------------

enum { COUNT, SHORT, WORDS, SIGNALS, BLOCKS, OBJECTS };

struct object {
    uint32_t handle;
    uint8_t granted[SIDES]; // bit n: the side has the right to method n
    uint8_t changes;        // bit n: method n changes the state of the object
};

static const struct object objects[OBJECTS] = {
    [COUNT] = {SEMAPHORE_COUNT, {[SENDER] = 2, [RECEIVER] = 1}, 3},
    [SHORT] = {QUEUE_SHORT, {[SENDER] = 1, [RECEIVER] = 2}, 3},
    [WORDS] = {QUEUE_WORDS, {[SENDER] = 1, [RECEIVER] = 2}, 3},
    [SIGNALS] = {FLAGS_SIGNALS, {[SENDER] = 1, [RECEIVER] = 0x3E}, 0x33},
    [BLOCKS] = {POOL_BLOCKS, {[SENDER] = 2, [RECEIVER] = 1}, 3},
};

static void *given_block;

// Empties `object`. Returns the number of counts, messages or blocks that the object had, or its
// flags.
static uint32_t drained(uint32_t object) {
    uint32_t found = 0, message[4], bits = 0xFF;
    void *block;
    switch (object) {
    case COUNT:
        for (; bulkhead_semaphore_take(SEMAPHORE_COUNT, BULKHEAD_NO_WAIT) == BULKHEAD_OK; found++) {
        }
        return found;
    case SHORT:
        for (; bulkhead_queue_receive(QUEUE_SHORT, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK;) {
            found++;
        }
        return found;
    case WORDS:
        for (; bulkhead_queue_receive(QUEUE_WORDS, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK;) {
            found++;
        }
        return found;
    case SIGNALS:
        return bulkhead_flags_take_any(FLAGS_SIGNALS, &bits, BULKHEAD_NO_WAIT) == BULKHEAD_OK ? bits
                                                                                              : 0;
    default:
        for (; bulkhead_pool_allocate(POOL_BLOCKS, &block, BULKHEAD_NO_WAIT) == BULKHEAD_OK;) {
            given_block = block;
            found++;
        }
        return found;
    }
}

// Fills every object to one half, for example to 1 of 2 counts, so that one more can be given and
// one can be taken.
static void prepare(void) {
    uint32_t message[4] = {7, 7, 7, 7};
    for (uint32_t object = 0; object < OBJECTS; object++) {
        (void)drained(object);
    }
    require(bulkhead_semaphore_give(SEMAPHORE_COUNT) == BULKHEAD_OK, "prepare");
    require(bulkhead_queue_send(QUEUE_SHORT, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK, "prepare");
    require(bulkhead_queue_send(QUEUE_WORDS, message, BULKHEAD_NO_WAIT) == BULKHEAD_OK, "prepare");
    bulkhead_flags_set(FLAGS_SIGNALS, FLAG);
    char *const first = given_block;
    const uint32_t is_last = bulkhead_pool_free(POOL_BLOCKS, first + 16) == BULKHEAD_OK;
    require(is_last || bulkhead_pool_free(POOL_BLOCKS, first - 16) == BULKHEAD_OK, "prepare");
}

// --- Every call of each side ---------------------------------------------------------------------

static void start(uint32_t side, const struct order *given) {
    volatile struct order *order = &orders[side];
    order->handle = given->handle;
    order->method = given->method;
    order->argument = given->argument;
    order->timeout_ticks = given->timeout_ticks;
    order->hops = given->hops;
    order->is_done = false;
    bulkhead_notify(side == SENDER ? THREAD_SENDER_MAIN : THREAD_RECEIVER_MAIN);
}

static uint32_t argument_of(uint32_t object, uint32_t method, uint32_t side) {
    switch (object) {
    case SHORT:
    case WORDS:
        return (uint32_t)messages[side];
    case SIGNALS:
        return method == BULKHEAD_FLAGS_SET ? 2 * FLAG : FLAG;
    case BLOCKS:
        return method == BULKHEAD_POOL_FREE ? (uint32_t)given_block : BULKHEAD_NO_WAIT;
    default:
        return BULKHEAD_NO_WAIT;
    }
}

// Makes one call and requires its result. If servers pass the call on, the last server makes the
// call, with the rights of its own side.
static void attempt(uint32_t object, uint32_t method, uint32_t side, uint32_t hops, bool forged) {
    const struct object *of = &objects[object];
    const uint32_t caller = hops % 2 == 0 ? side : 1 - side;
    const bool granted = of->granted[caller] >> method & 1;
    prepare();
    const struct order given = {
        .handle = of->handle + (forged ? HANDLES * (1 + method) : 0),
        .method = method + (forged ? METHODS * (1 + object) : 0),
        .argument = argument_of(object, method, caller),
        .hops = hops,
    };
    start(side, &given);
    require(orders[side].is_done, "a call does not return");
    require((orders[side].result == BULKHEAD_DENIED) != granted, "a call without the right");
    const uint32_t before = SIGNALS == object ? FLAG : 1, now = drained(object);
    require((now != before) == (granted && of->changes >> method & 1), "a call changes the object");
}

static uint32_t sweep(void) {
    uint32_t attempts = 0;
    for (uint32_t object = 0; object < OBJECTS; object++) {
        for (uint32_t n = 0; n < 2 * WAYS; n++, attempts++) {
            const uint32_t hops = n / METHODS / SIDES % (SERVERS + 1);
            attempt(object, n % METHODS, n / METHODS % SIDES, hops, n >= WAYS);
        }
    }
    return attempts;
}

// --- Waits ---------------------------------------------------------------------------------------

static const struct order waits[OBJECTS] = {
    [COUNT] = {SEMAPHORE_COUNT, BULKHEAD_SEMAPHORE_TAKE, BULKHEAD_FOREVER, 0, 0, 0, false},
    [SHORT] = {QUEUE_SHORT, BULKHEAD_QUEUE_RECEIVE, 0, BULKHEAD_FOREVER, 0, 0, false},
    [WORDS] = {QUEUE_WORDS, BULKHEAD_QUEUE_RECEIVE, 0, BULKHEAD_FOREVER, 0, 0, false},
    [SIGNALS] = {FLAGS_SIGNALS, BULKHEAD_FLAGS_TAKE_ALL, 2 * FLAG, BULKHEAD_FOREVER, 0, 0, false},
    [BLOCKS] = {POOL_BLOCKS, BULKHEAD_POOL_ALLOCATE, BULKHEAD_FOREVER, 0, 0, 0, false},
};
static const uint8_t sends[OBJECTS] = {
    [COUNT] = BULKHEAD_SEMAPHORE_GIVE, [SHORT] = BULKHEAD_QUEUE_SEND, [WORDS] = BULKHEAD_QUEUE_SEND,
    [SIGNALS] = BULKHEAD_FLAGS_SET,    [BLOCKS] = BULKHEAD_POOL_FREE,
};

static void send_from(uint32_t object, uint32_t hops) {
    const struct order given = {
        .handle = objects[object].handle,
        .method = sends[object],
        .argument = argument_of(object, sends[object], SENDER),
        .hops = hops,
    };
    start(SENDER, &given);
}

// Lets the receiver wait for the object. A server on the receiver's side cannot end this wait; the
// sender can.
static void wait_and_send(uint32_t object) {
    prepare();
    (void)drained(object);
    struct order given = waits[object];
    if (object == SHORT || object == WORDS) {
        given.argument = (uint32_t)messages[RECEIVER];
    }
    messages[SENDER][0] = 100 + object;
    start(RECEIVER, &given);
    require(!orders[RECEIVER].is_done, "the receiver does not wait");
    send_from(object, 1);
    require(orders[SENDER].result == BULKHEAD_DENIED, "the receiver's server sends");
    require(!orders[RECEIVER].is_done, "a denied call ends a wait");
    send_from(object, 0);
    require(orders[SENDER].result == BULKHEAD_OK, "the sender cannot send");
    require(orders[RECEIVER].is_done && orders[RECEIVER].result == BULKHEAD_OK, "a wait goes on");
    require(given.handle != QUEUE_SHORT || messages[RECEIVER][0] == 100 + SHORT, "a message");
    require(given.handle != QUEUE_WORDS || messages[RECEIVER][0] == 100 + WORDS, "a message");
}

// Lets the sender wait to send to a full queue until the receiver takes a message.
static void wait_for_room(uint32_t object) {
    prepare();
    struct order given = {objects[object].handle,
                          BULKHEAD_QUEUE_SEND,
                          (uint32_t)messages[SENDER],
                          BULKHEAD_FOREVER,
                          0,
                          0,
                          false};
    start(SENDER, &given);
    require(orders[SENDER].is_done, "no room for two");
    start(SENDER, &given);
    require(!orders[SENDER].is_done, "room for three");
    given.method = BULKHEAD_QUEUE_RECEIVE;
    given.argument = (uint32_t)messages[RECEIVER];
    start(RECEIVER, &given);
    require(orders[RECEIVER].result == BULKHEAD_OK && orders[SENDER].is_done, "a wait for room");
    require(orders[SENDER].result == BULKHEAD_OK && drained(object) == 2, "a message is lost");
}

void judge_main_entry(void) {
    const uint32_t attempts = sweep();
    for (uint32_t object = 0; object < OBJECTS; object++) {
        wait_and_send(object);
    }
    wait_for_room(SHORT);
    wait_for_room(WORDS);
    say("apart: ");
    say_number(attempts);
    say(" calls by either side, directly and by servers");
    succeed();
}
