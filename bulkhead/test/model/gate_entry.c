// SPDX-License-Identifier: MIT
//
// The fast paths of a call and of its answer, in C (gate_entry.h). On the fast path, the server
// replaces the client in the ready queue (or the client the server), so the queue itself does not
// change.
#include "gate_entry.h"
#include "methods.h"

static void take_place(struct thread *from, struct thread *to) {
    *from->level = to;
    if (from->next != from) {
        to->next = from->next;
        to->previous = from->previous;
        to->next->previous = to;
        to->previous->next = to;
        from->next = from;
        from->previous = from;
    }
}

static struct thread *call_server(struct gate *gate, uint32_t state) {
    struct thread *self = kernel.current, *server = gate->resource.holder;
    server->level = self->level;
    server->priority_mask = self->priority_mask;
    take_place(self, server);
    self->state = state;
    self->waits_for = &gate->resource;
    server->state = 0;
    server->client = self;
    arch_set_value(arch_context_frame(&server->context), thread_identity(self));
    arch_words_copy(&server->context, &self->context);
    return server;
}

struct thread *gate_call_idle(struct gate *gate) {
    const bool is_idle = gate->resource.holder->state == THREAD_RECEIVES;
    return is_idle ? call_server(gate, THREAD_CALLS) : gate_call(gate);
}

struct thread *gate_call_timed_idle(struct gate *gate, struct arch_frame *frame) {
    const uint32_t timeout_ticks = arch_argument(frame);
    if (gate->resource.holder->state != THREAD_RECEIVES) {
        return gate_call_timed(gate, frame);
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT || !timer_can_wait(timeout_ticks)) {
        return gate_call_idle(gate);
    }
    thread_arm(timeout_ticks);
    return call_server(gate, THREAD_CALLS | THREAD_TIMED);
}

struct thread *gate_receive_answering(struct gate *gate, struct arch_frame *frame) {
    struct thread *self = kernel.current, *client = self->client;
    if (client == NULL || (client->state & ~THREAD_TIMED) != THREAD_CALLS) {
        return gate_receive(gate, frame);
    }
    if (client->state & THREAD_TIMED) {
        kernel_disarm(&client->timer);
    }
    take_place(self, client);
    self->state = THREAD_RECEIVES;
    self->client = NULL;
    client->state = 0;
    client->waits_for = NULL;
    arch_words_copy(&client->context, &self->context);
    return client;
}
