// SPDX-License-Identifier: MIT
//
// The hostile process of the attack test: makes the attack that the judge orders (order.h). If the
// attack takes too long, a second thread of the process (the fuse) is notified and faults, so that
// the kernel restarts the whole process.
#include "guard.h"
#include "order.h"
#include <bulkhead/local.h>

volatile struct order order __attribute__((aligned(8)));

typedef void routine(uint32_t address, uint32_t first, uint32_t second, uint32_t third);
extern routine *const hostile_loads[], *const hostile_stores[], *const hostile_stacks[],
                                                                    *const hostile_privileges[];
void hostile_call(void);
void hostile_look(void);
void hostile_wait(void);

// Start addresses of memories, from the linker script.
extern char attacker_data_start[], attacker_stack[], common_start[], kernel[];

static void wait(void) {
    bulkhead_notification_wait(BULKHEAD_FOREVER);
}

static void run(routine *const table[]) {
    table[order.variant](order.address, order.registers[HANDLE], order.registers[METHOD],
                         order.registers[ARGUMENT]);
}

// The first handle of each kind of object: an object of the attacker itself.

// Makes only accesses and calls that the attacker has a right to, until the attempt ends or the
// fuse ends it.
static void be_legal(uint32_t variant) {
    uint32_t message[5] = {order.registers[0], order.registers[1], order.registers[2],
                           order.registers[3], order.registers[4]};
    const uint32_t timeout_ticks = order.registers[5] % 2 == 0 ? BULKHEAD_NO_WAIT : 1;
    void *block;
    switch (variant) {
    case 0:
        bulkhead_semaphore_take(SEMAPHORE_SHARED, timeout_ticks);
        break;
    case 1:
        bulkhead_semaphore_give(SEMAPHORE_SHARED);
        break;
    case 2:
        bulkhead_mutex_lock(MUTEX_SHARED, timeout_ticks);
        break;
    case 3:
        bulkhead_mutex_unlock(MUTEX_SHARED);
        break;
    case 4:
        bulkhead_queue_send(QUEUE_SHARED, message, timeout_ticks);
        break;
    case 5:
        bulkhead_queue_receive(QUEUE_SHARED, message, timeout_ticks);
        break;
    case 6:
        bulkhead_semaphore_take(SEMAPHORE_OWN, timeout_ticks);
        break;
    case 7:
        bulkhead_semaphore_give(SEMAPHORE_OWN);
        break;
    case 8:
        bulkhead_mutex_lock(MUTEX_OWN, timeout_ticks);
        break;
    case 9:
        bulkhead_mutex_unlock(MUTEX_OWN);
        break;
    case 10:
        bulkhead_queue_send(QUEUE_OWN, message, timeout_ticks);
        break;
    case 11:
        bulkhead_queue_receive(QUEUE_OWN, message, timeout_ticks);
        break;
    case 12:
        bulkhead_notify(THREAD_BELL);
        break;
    case 13:
        bulkhead_delay(timeout_ticks);
        break;
    case 14:
        bulkhead_exit();
    case 15:
        bulkhead_flags_set(FLAGS_SHARED, order.registers[0]);
        break;
    case 16:
        bulkhead_flags_clear(FLAGS_SHARED, order.registers[0]);
        break;
    case 17:
        bulkhead_flags_take_any(FLAGS_SHARED, &message[0], timeout_ticks);
        break;
    case 18:
        bulkhead_timer_start(TIMER_SHARED, 1 + order.registers[0] % 2, timeout_ticks);
        break;
    case 19:
        bulkhead_timer_stop(TIMER_SHARED);
        break;
    case 20:
        bulkhead_gate_call(GATE_CLERK, message,
                           order.registers[6] % 2 ? BULKHEAD_FOREVER : timeout_ticks);
        break;
    case 21:
        bulkhead_pool_allocate(POOL_SHARED, &block, timeout_ticks);
        break;
    case 22:
        bulkhead_pool_free(POOL_SHARED, (void *)order.registers[0]);
        break;
    case 23:
        bulkhead_queue_send(QUEUE_WORDS, message, timeout_ticks);
        break;
    case 24:
        bulkhead_queue_receive(QUEUE_WORDS, message, timeout_ticks);
        break;
    case 25:
        bulkhead_interrupt_pend(INTERRUPT_DOOR);
        break;
    case 26:
        bulkhead_semaphore_give(SEMAPHORE_GIVEN);
        break;
    case 27:
        bulkhead_queue_send(QUEUE_SENT, message, timeout_ticks);
        break;
    case 28:
        bulkhead_queue_receive(QUEUE_RECEIVED, message, timeout_ticks);
        break;
    case 29:
        bulkhead_flags_take_any(FLAGS_AWAITED, &message[0], timeout_ticks);
        break;
    case 30:
        bulkhead_gate_call_lending(GATE_CLERK, message, &message[4], 1 + order.registers[6] % 4,
                                   BULKHEAD_LEND_READ | BULKHEAD_LEND_WRITE, timeout_ticks);
        break;
    }
}

// --- Storms: many random system calls in one attempt ---------------------------------------------

// REACH: number of bytes from the start of the process's memory.
enum { STORM_CALLS = 32, REACH = 1024, STACK_BYTES = 512 };

static uint32_t storm_state;

static uint32_t storm_random(void) {
    storm_state ^= storm_state << 13;
    storm_state ^= storm_state >> 17;
    storm_state ^= storm_state << 5;
    return storm_state;
}

// Returns a handle or a method, a pointer to anywhere, a pointer near the end of the memory, or a
// timeout.
static uint32_t storm_argument(void) {
    const uint32_t random = storm_random();
    switch (random >> 29) {
    case 0:
        return storm_random();
    case 1:
        return (uint32_t)kernel + random % 0x4000;
    case 2:
        return (uint32_t)attacker_data_start + REACH - (random & 28);
    case 3:
        return -(random & 1);
    default:
        return random & 31;
    }
}

// Returns whether the call may have overwritten the state of this test in the attacker's own
// memory, which the attacker has the right to do.
static bool storm_writes_here(void) {
    enum { MESSAGE_BYTES = 20 };
    const uint32_t data = (uint32_t)attacker_data_start, stack = (uint32_t)attacker_stack;
    for (uint32_t i = FIRST_POINTER; i <= LAST_POINTER; i++) {
        const uint32_t end = order.registers[i] + MESSAGE_BYTES;
        const bool is_in_data = end - data < REACH;
        const bool is_in_stack = end - stack < STACK_BYTES + MESSAGE_BYTES;
        if (is_in_data || is_in_stack) {
            return true;
        }
    }
    return false;
}

// Returns whether the message overlaps the `length` bytes from `start`.
static bool storm_meets(const char *start, uint32_t length) {
    const uint32_t bytes = order_message_bytes(&order);
    const uint32_t last = order.registers[ARGUMENT] + bytes - 1;
    return bytes != 0 && last - (uint32_t)start < length + bytes - 1;
}

// Returns whether the call receives a message to memory with results of this test, which the
// attacker has the right to do.
static bool storm_receives_here(void) {
    return order_method(&order) == BULKHEAD_QUEUE_RECEIVE &&
           (storm_meets(attacker_data_start, REACH) || storm_meets(attacker_stack, STACK_BYTES));
}

// Returns whether the message is in kernel memory after the page that every thread may read, with
// no byte in memory that the attacker may read.
static bool storm_reaches_others(void) {
    enum { PAGE_BYTES = 32, AFTER_PAGE = 0x4000, COMMON_BYTES = 32 };
    return storm_meets(kernel + PAGE_BYTES, AFTER_PAGE) && !storm_meets(kernel, PAGE_BYTES) &&
           !storm_meets(attacker_data_start, REACH) && !storm_meets(attacker_stack, STACK_BYTES) &&
           !storm_meets(common_start, COMMON_BYTES);
}

static void storm_judge(void) {
    const uint32_t result = order.after[RESULT];
    order.overstepped |= !order_is_granted(&order) && result != BULKHEAD_DENIED;
    order.overstepped |= storm_reaches_others() && result == BULKHEAD_OK;
    for (uint32_t i = 0; i < CORE_REGISTERS; i++) {
        order.changed |= order_is_kept(order_handle(&order), i)
                             ? order.after[i] ^ order.registers[i]
                             : order.after[i] == SECRET;
    }
}

static void storm(void) {
    storm_state = order.registers[0] | 1;
    for (uint32_t calls = 1; calls <= STORM_CALLS; calls++) {
        for (uint32_t i = 0; i < CORE_REGISTERS; i++) {
            order.registers[i] = storm_argument();
        }
        order.registers[HANDLE] *= HANDLE_SCALE;
        order.registers[HANDLE] |= storm_random() % (2 * HANDLE_SCALE); // any handle but its own
        order.registers[METHOD] *= METHOD_SCALE;
        order_expect_success(&order);
        const bool is_certain = !storm_writes_here(), is_last = storm_receives_here();
        hostile_call();
        if (is_certain) {
            storm_judge();
        }
        order.calls = calls;
        if (is_last) {
            order.changed = order.overstepped = 0;
            return;
        }
    }
}

static void attempt(void) {
    switch (order.kind) {
    case LEGAL:
        be_legal(order.variant);
        break;
    case LOAD:
        run(hostile_loads);
        break;
    case STORE:
        run(hostile_stores);
        break;
    case JUMP:
        ((routine *)(order.address | order.variant))(0, 0, 0, 0);
        break;
    case CALL:
        hostile_call();
        break;
    case STORM:
        storm();
        break;
    case STACK:
        run(hostile_stacks);
        break;
    case FORGE:
        hostile_wait();
        break;
    case PRIVILEGE:
        run(hostile_privileges);
        (void)*(volatile uint32_t *)order.address;
        break;
    case LOOK:
        hostile_look();
        break;
    }
}

void attacker_loop(void);
void attacker_loop(void) {
    for (;;) {
        wait();
        attempt();
        order.done = 1;
    }
}

void fuse_main(void);
void fuse_main(void) {
    wait();
    machine_fault();
}
