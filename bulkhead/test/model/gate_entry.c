// SPDX-License-Identifier: MIT
//
// See gate_entry.h. One thread takes the other thread's place in the ready queue, which does not
// change.
#include "gate_entry.h"
#include "methods.h"

static bool has_equals(const struct thread *thread) {
    return thread->next != thread;
}

struct thread *gate_call_idle(struct gate *gate) {
    struct thread *self = kernel.current, *server = gate->resource.holder;
    if (server->state != THREAD_RECEIVES || has_equals(self)) {
        return gate_call(gate);
    }
    server->level = self->level;
    server->priority_mask = self->priority_mask;
    *self->level = server;
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
    if (client == NULL || client->state != THREAD_CALLS || has_equals(self)) {
        return gate_receive(gate, frame);
    }
    *self->level = client;
    self->state = THREAD_RECEIVES;
    self->client = NULL;
    client->state = 0;
    client->waits_for = NULL;
    arch_words_copy(&client->context, &self->context);
    return client;
}
