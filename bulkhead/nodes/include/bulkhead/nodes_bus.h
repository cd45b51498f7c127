// SPDX-License-Identifier: MIT
//
// The communication bus: message queues between tasks of all nodes, in global memory. Each message
// has a priority. The message of highest priority is received first, the oldest of several. A
// receiver of lower priority than its message runs at the message's priority until it releases the
// message (priority inheritance on receive, as in P. Nygren and L. Lindh, "Virtual Communication
// Bus with Hardware and Software Tasks in Real-Time System", 2000).
//
// Messages are not copied: the sender claims a place in the window, fills it and sends it. The
// receiver reads the message there and releases it. Two semaphores for each queue count messages
// and free places. The kernel keeps the lists of a queue under one lock cell.
#ifndef BULKHEAD_NODES_BUS_H
#define BULKHEAD_NODES_BUS_H

#include <bulkhead/nodes.h>
#include <bulkhead/nodes_copy.h>
#include <stddef.h>

#define NODES_QUEUES 8
#define NODES_QUEUE_PLACES 32
#define NODES_MESSAGE_BYTES 128

struct nodes_message {
    uint32_t bytes;    // bytes in use
    uint32_t priority; // information for the receiver; the kernel does not read it
    uint32_t data[NODES_MESSAGE_BYTES / 4];
};

// The queues' messages are at the beginning of the window; tasks may use the rest.
struct nodes_messages {
    struct nodes_message places[NODES_QUEUES][NODES_QUEUE_PLACES];
};

#define NODES_MESSAGES ((volatile struct nodes_messages *)NODES_WINDOW)
#define NODES_WINDOW_FREE (NODES_WINDOW + 0xa000u)
_Static_assert(sizeof(struct nodes_messages) <= 0xa000, "NODES_WINDOW_FREE");

// The semaphores of a queue, which are the last ones of all semaphores.
#define NODES_QUEUE_MESSAGES(queue) (NODES_SEMAPHORES - 2 - 2 * (queue))
#define NODES_QUEUE_SPACE(queue) (NODES_SEMAPHORES - 1 - 2 * (queue))

// Arguments of the bus's calls. A result at or above NODES_VALUE is the number of a place.
#define NODES_BUS(queue, place, priority) ((queue) | (place) << 3 | (priority) << 8)
#define NODES_VALUE 0x100u

// Empties a queue and gives it a number of places for messages, 1 … 32. Call it once, before the
// queue is used.
static inline enum nodes_result nodes_queue_init(uint32_t queue, uint32_t places) {
    if (queue >= NODES_QUEUES || places == 0 || places > NODES_QUEUE_PLACES) {
        return NODES_ARGUMENT;
    }
    nodes_call(NODES_CALL_QUEUE_INIT, NODES_BUS(queue, places - 1, 0));
    nodes_semaphore_init(NODES_QUEUE_MESSAGES(queue), 0);
    return nodes_semaphore_init(NODES_QUEUE_SPACE(queue), places);
}

static inline volatile struct nodes_message *nodes_message_at(uint32_t queue, uint32_t result) {
    return result < NODES_VALUE ? NULL : &NODES_MESSAGES->places[queue][result - NODES_VALUE];
}

static inline uint32_t nodes_message_place(uint32_t queue,
                                           volatile const struct nodes_message *message) {
    return (uint32_t)(message - NODES_MESSAGES->places[queue]);
}

// Returns a free place for a message to this queue. Waits until there is one. Returns NULL if there
// is no such queue.
static inline volatile struct nodes_message *nodes_claim(uint32_t queue) {
    if (queue >= NODES_QUEUES) {
        return NULL;
    }
    nodes_take(NODES_QUEUE_SPACE(queue));
    return nodes_message_at(queue, nodes_call(NODES_CALL_CLAIM, NODES_BUS(queue, 0, 0)));
}

// Sends a claimed message. NODES_ARGUMENT: the message is not claimed, or the priority is invalid.
static inline enum nodes_result nodes_send(uint32_t queue, volatile struct nodes_message *message,
                                           uint32_t priority) {
    const uint32_t place = nodes_message_place(queue, message);
    message->priority = priority;
    const uint32_t result = nodes_call(NODES_CALL_POST, NODES_BUS(queue, place, priority));
    if (result == NODES_OK) {
        nodes_signal(NODES_QUEUE_MESSAGES(queue));
    }
    return (enum nodes_result)result;
}

// Returns the most urgent message of a queue. Waits until there is one. The receiver then has the
// message's priority if that is more urgent than its own.
static inline volatile struct nodes_message *nodes_receive(uint32_t queue) {
    if (queue >= NODES_QUEUES) {
        return NULL;
    }
    nodes_take(NODES_QUEUE_MESSAGES(queue));
    return nodes_message_at(queue, nodes_call(NODES_CALL_ACCEPT, NODES_BUS(queue, 0, 0)));
}

// Frees the slot of a received message. The receiver loses the priority that it has from the
// message.
static inline enum nodes_result nodes_release(uint32_t queue,
                                              volatile struct nodes_message *message) {
    const uint32_t place = nodes_message_place(queue, message);
    const uint32_t result = nodes_call(NODES_CALL_RELEASE, NODES_BUS(queue, place, 0));
    if (result == NODES_OK) {
        nodes_signal(NODES_QUEUE_SPACE(queue));
    }
    return (enum nodes_result)result;
}

// Sends and receives with a copy at each end, in whole words: `message` and `room` are aligned to
// 4, and `room` holds NODES_MESSAGE_BYTES.
static inline enum nodes_result nodes_bus_send(uint32_t queue, const void *message, uint32_t bytes,
                                               uint32_t priority) {
    volatile struct nodes_message *place = bytes <= NODES_MESSAGE_BYTES ? nodes_claim(queue) : NULL;
    if (!place) {
        return NODES_ARGUMENT;
    }
    place->bytes = bytes;
    nodes_copy(place->data, message, (bytes + 3) / 4);
    return nodes_send(queue, place, priority);
}

static inline enum nodes_result nodes_bus_receive(uint32_t queue, void *room, uint32_t *bytes) {
    volatile struct nodes_message *place = nodes_receive(queue);
    if (!place) {
        return NODES_ARGUMENT;
    }
    *bytes = place->bytes <= NODES_MESSAGE_BYTES ? place->bytes : NODES_MESSAGE_BYTES;
    nodes_copy(room, place->data, (*bytes + 3) / 4);
    return nodes_release(queue, place);
}

#endif
