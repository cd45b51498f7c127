// SPDX-License-Identifier: MIT
//
// See gate_entry.h. One thread takes the other thread's place in the ready queue, which does not
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

struct thread *gate_call_idle(struct gate *gate) {
    struct thread *self = kernel.current, *server = gate->resource.holder;
    if (server->state != THREAD_RECEIVES) {
        return gate_call(gate);
    }
    server->level = self->level;
    server->priority_mask = self->priority_mask;
    take_place(self, server);
    self->state = THREAD_CALLS;
    self->waits_for = &gate->resource;
    server->state = 0;
    server->client = self;
    arch_set_value(arch_context_frame(&server->context), thread_identity(self));
    arch_words_copy(&server->context, &self->context);
    return server;
}

struct thread *gate_receive_answering(struct gate *gate, struct arch_frame *frame) {
    struct thread *self = kernel.current, *client = self->client;
    if (client == NULL || client->state != THREAD_CALLS) {
        return gate_receive(gate, frame);
    }
    take_place(self, client);
    self->state = THREAD_RECEIVES;
    self->client = NULL;
    client->state = 0;
    client->waits_for = NULL;
    arch_words_copy(&client->context, &self->context);
    return client;
}
