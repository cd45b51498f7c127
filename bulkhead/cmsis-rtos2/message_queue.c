// SPDX-License-Identifier: MIT
//
// Message queues: osMessageQueueXxx. Messages are ordered by priority, and messages of the same
// priority by arrival.
//
// Two semaphores count the messages and the free elements of the queue's memory, and let threads
// wait in the order of their priorities. A mutex protects the list of messages while the list
// changes and a message is copied. The elements are linked in lists by their numbers.
#include "os.h"

struct place {
    uint16_t next;
    uint8_t priority;
};

enum { PLACE_BYTES = sizeof(uint32_t), NO_PLACE = UINT16_MAX };
_Static_assert(sizeof(struct place) <= PLACE_BYTES, "BULKHEAD_OS_QUEUE_BYTES");

static struct bulkhead_os_queue *find(osMessageQueueId_t id) {
    return OS_FIND(queue, queues, id);
}

static struct place *place_at(const struct bulkhead_os_queue *queue, uint32_t number) {
    return (struct place *)(void *)(queue->places + number * queue->place_bytes);
}

// --- Copies --------------------------------------------------------------------------------------

static void copy(void *to, const void *from, uint32_t bytes) {
    if (((uint32_t)to | (uint32_t)from | bytes) % sizeof(uint32_t) == 0) {
        for (uint32_t i = 0; i < bytes / sizeof(uint32_t); i++) {
            ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
        }
        return;
    }
    for (uint32_t i = 0; i < bytes; i++) {
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    }
}

static void *message_in(struct place *place) {
    return (uint8_t *)place + PLACE_BYTES;
}

// --- The list of messages ------------------------------------------------------------------------

static void clear(struct bulkhead_os_queue *queue) {
    queue->first = queue->last = NO_PLACE;
    queue->count = 0;
    queue->unused = 0;
    for (uint32_t i = 0; i < queue->capacity; i++) {
        const bool is_last = i + 1 == queue->capacity;
        place_at(queue, i)->next = is_last ? NO_PLACE : (uint16_t)(i + 1);
    }
}

// Returns the link after which a message with this priority is inserted.
static uint16_t *link_for(struct bulkhead_os_queue *queue, uint8_t priority) {
    uint16_t *link = &queue->first;
    if (queue->last != NO_PLACE && place_at(queue, queue->last)->priority >= priority) {
        return &place_at(queue, queue->last)->next;
    }
    while (*link != NO_PLACE && place_at(queue, *link)->priority >= priority) {
        link = &place_at(queue, *link)->next;
    }
    return link;
}

static void insert(struct bulkhead_os_queue *queue, const void *message, uint8_t priority) {
    const uint16_t number = queue->unused;
    struct place *place = place_at(queue, number);
    queue->unused = place->next;
    copy(message_in(place), message, queue->message_bytes);
    uint16_t *link = link_for(queue, priority);
    place->priority = priority;
    place->next = *link;
    *link = number;
    if (place->next == NO_PLACE) {
        queue->last = number;
    }
    queue->count++;
}

// Copies the first message out, and removes it. Returns its priority.
static uint8_t remove_first(struct bulkhead_os_queue *queue, void *message) {
    const uint16_t number = queue->first;
    struct place *place = place_at(queue, number);
    if (message != NULL) {
        copy(message, message_in(place), queue->message_bytes);
    }
    queue->first = place->next;
    if (queue->first == NO_PLACE) {
        queue->last = NO_PLACE;
    }
    place->next = queue->unused;
    queue->unused = number;
    queue->count--;
    return place->priority;
}

// --- Queues --------------------------------------------------------------------------------------

static bool has_memory(const void *entry, const void *wanted) {
    const struct bulkhead_os_queue *queue = entry;
    return queue->memory_bytes >= *(const uint32_t *)wanted;
}

// Returns whether a queue of `count` messages of `size` bytes is possible: its size fits in 32
// bits, and the memory in the attributes, if given, is large enough.
static bool is_possible(uint32_t count, uint32_t size, const osMessageQueueAttr_t *attr) {
    const uint32_t bytes = BULKHEAD_OS_QUEUE_BYTES(count, size);
    if (count == 0 || size == 0 || count > INT16_MAX || size > INT16_MAX) {
        return false;
    }
    if (attr == NULL || attr->mq_mem == NULL) {
        return attr == NULL || attr->mq_size == 0;
    }
    return (uint32_t)attr->mq_mem % sizeof(uint32_t) == 0 && attr->mq_size >= bytes;
}

osMessageQueueId_t osMessageQueueNew(uint32_t msg_count, uint32_t msg_size,
                                     const osMessageQueueAttr_t *attr) {
    if (!is_possible(msg_count, msg_size, attr)) {
        return NULL;
    }
    void *given = attr != NULL ? attr->mq_mem : NULL;
    const uint32_t bytes = given != NULL ? 0 : BULKHEAD_OS_QUEUE_BYTES(msg_count, msg_size);
    struct bulkhead_os_queue *made =
        os_take(&(struct os_request){OS_REQUEST(queue, queues, attr, 0), has_memory, &bytes});
    if (made != NULL) {
        made->places = given != NULL ? given : made->memory;
        made->place_bytes = PLACE_BYTES + BULKHEAD_OS_ROUNDED(msg_size);
        made->message_bytes = msg_size;
        made->capacity = msg_count;
        made->messages->count = 0;
        made->spaces->count = (int32_t)msg_count;
        clear(made);
    }
    return made;
}

const char *osMessageQueueGetName(osMessageQueueId_t mq_id) {
    return os_name(find(mq_id));
}

osStatus_t osMessageQueuePut(osMessageQueueId_t mq_id, const void *msg_ptr, uint8_t msg_prio,
                             uint32_t timeout) {
    struct bulkhead_os_queue *queue = find(mq_id);
    if (queue == NULL || msg_ptr == NULL) {
        return osErrorParameter;
    }
    const osStatus_t status = os_count_take(queue->spaces, timeout);
    if (status != osOK) {
        return status;
    }
    (void)bulkhead_mutex_lock(queue->mutex, BULKHEAD_FOREVER);
    insert(queue, msg_ptr, msg_prio);
    (void)bulkhead_mutex_unlock(queue->mutex);
    (void)bulkhead_semaphore_give(queue->messages);
    return osOK;
}

osStatus_t osMessageQueueGet(osMessageQueueId_t mq_id, void *msg_ptr, uint8_t *msg_prio,
                             uint32_t timeout) {
    struct bulkhead_os_queue *queue = find(mq_id);
    if (queue == NULL || msg_ptr == NULL) {
        return osErrorParameter;
    }
    const osStatus_t status = os_count_take(queue->messages, timeout);
    if (status != osOK) {
        return status;
    }
    (void)bulkhead_mutex_lock(queue->mutex, BULKHEAD_FOREVER);
    const uint8_t priority = remove_first(queue, msg_ptr);
    (void)bulkhead_mutex_unlock(queue->mutex);
    (void)bulkhead_semaphore_give(queue->spaces);
    if (msg_prio != NULL) {
        *msg_prio = priority;
    }
    return osOK;
}

uint32_t osMessageQueueGetCapacity(osMessageQueueId_t mq_id) {
    const struct bulkhead_os_queue *queue = find(mq_id);
    return queue == NULL ? 0 : queue->capacity;
}

uint32_t osMessageQueueGetMsgSize(osMessageQueueId_t mq_id) {
    const struct bulkhead_os_queue *queue = find(mq_id);
    return queue == NULL ? 0 : queue->message_bytes;
}

uint32_t osMessageQueueGetCount(osMessageQueueId_t mq_id) {
    const struct bulkhead_os_queue *queue = find(mq_id);
    return queue == NULL ? 0 : queue->count;
}

uint32_t osMessageQueueGetSpace(osMessageQueueId_t mq_id) {
    const struct bulkhead_os_queue *queue = find(mq_id);
    return queue == NULL ? 0 : queue->capacity - queue->count;
}

// Removes the messages one by one, so that for each of them a thread that waits for space is woken.
osStatus_t osMessageQueueReset(osMessageQueueId_t mq_id) {
    struct bulkhead_os_queue *queue = find(mq_id);
    if (queue == NULL) {
        return osErrorParameter;
    }
    for (uint32_t left = queue->capacity; left != 0; left--) {
        if (os_count_take(queue->messages, 0) != osOK) {
            return osOK;
        }
        (void)bulkhead_mutex_lock(queue->mutex, BULKHEAD_FOREVER);
        (void)remove_first(queue, NULL);
        (void)bulkhead_mutex_unlock(queue->mutex);
        (void)bulkhead_semaphore_give(queue->spaces);
    }
    return osOK;
}

osStatus_t osMessageQueueDelete(osMessageQueueId_t mq_id) {
    struct bulkhead_os_queue *queue = find(mq_id);
    if (queue == NULL) {
        return osErrorParameter;
    }
    if (os_is_awaited(queue->spaces)) {
        return osErrorResource;
    }
    return os_release(&queue->entry, queue->messages);
}
