// SPDX-License-Identifier: MIT
//
// Calls into another process. A gate belongs to one thread, its server, which answers one call
// after another: with one system call the server answers its present client and receives the next
// call. While it serves a client, the server has the priority of that client, or a higher one of a
// thread that waits for the server. While it serves no client and runs, it has its own priority.
//
// A call and its answer carry four words, which stay in registers: while a function of this file
// runs, the architecture's entry keeps the words of the caller in its context. The entry also has
// the fast paths: a call to an idle server, and an answer to the only client.
//
// A call that was made in this file is also answered in this file (THREAD_SLOW_PATH): only a call
// that took the fast path may be answered on the fast path. A timeout (THREAD_TIMED) needs no slow
// path.
//
// The thread that runs after a call or an answer takes the position of the caller in the ready
// queue, ahead of threads of the same priority.
#include "methods.h"
#include "optional.h"

void gate_use_slow_path(struct thread *server) {
    if (server->client != NULL) {
        server->client->state |= THREAD_SLOW_PATH;
    }
    if (server->state & THREAD_RECEIVES) {
        server->state |= THREAD_SLOW_PATH;
    }
}

// Passes the words and the identity of `client` to the server. `frame` is the frame of the server.
static __attribute__((noinline)) void serve(struct thread *server, struct arch_frame *frame,
                                            struct thread *client) {
    server->client = client;
    arch_words_copy(&server->context, &client->context);
    arch_set_value(frame, thread_identity(client));
}

// --- The caller's side ---------------------------------------------------------------------------

static void call_idle(struct gate *gate, uint32_t timeout_ticks) {
    struct thread *self = kernel.current;
    struct thread *server = gate->resource.holder;
    const uint32_t until = timeout_ticks == BULKHEAD_NO_WAIT ? BULKHEAD_FOREVER : timeout_ticks;
    // The switch is decided below: the server runs next unless it is suspended.
    ignore_next(thread_block(THREAD_CALLS | THREAD_SLOW_PATH, until));
    serve(server, arch_context_frame(&server->context), self);
    thread_inherit(server);
    thread_wake_ahead(server);
}

static void call_busy(struct gate *gate, uint32_t timeout_ticks) {
    struct thread *server = gate->resource.holder;
    gate_use_slow_path(server);
    // The switch is decided below, because the server may have a higher priority than that thread
    // now.
    ignore_next(thread_wait(&gate->callers, timeout_ticks));
    thread_lend(server, kernel.current->priority_mask);
}

static struct thread *call(struct gate *gate, uint32_t timeout_ticks) {
    const uint32_t state = gate->resource.holder->state;
    if (gate->resource.holder == kernel.current) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    if (state & THREAD_DORMANT) {
        return end_first(gate->resource.holder, BULKHEAD_PEER_LOST);
    }
    if (!(state & THREAD_RECEIVES) && timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_fail(BULKHEAD_TIMED_OUT);
    }
    kernel.current->waits_for = &gate->resource;
    if (state & THREAD_RECEIVES) {
        call_idle(gate, timeout_ticks);
    } else {
        call_busy(gate, timeout_ticks);
    }
    return thread_highest();
}

struct thread *gate_call(struct gate *gate) {
    return call(gate, BULKHEAD_FOREVER);
}

struct thread *gate_call_timed(struct gate *gate, struct arch_frame *frame) {
    return call(gate, arch_argument(frame));
}

void gate_cancel_wait(struct resource *resource, struct thread *waiter) {
    struct thread *server = resource->holder;
    if (server->client == waiter) {
        server->client = NULL;
    }
    lease_end(waiter);
    thread_inherit(server);
}

// --- The server's side ---------------------------------------------------------------------------

// Serves the first waiting caller, as if it had called now.
static void serve_next(struct gate *gate, struct arch_frame *frame) {
    struct thread *client = gate->callers.first;
    wait_leave(client);
    client->state = (client->state & ~THREAD_WAITS) | THREAD_CALLS | THREAD_SLOW_PATH;
    serve(gate->resource.holder, frame, client);
}

static __attribute__((noinline)) enum bulkhead_result
next_or_wait(struct gate *gate, struct arch_frame *frame, uint32_t timeout_ticks) {
    if (gate->callers.first != NULL) {
        serve_next(gate, frame);
        return BULKHEAD_OK;
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return BULKHEAD_TIMED_OUT;
    }
    uint32_t reason = THREAD_RECEIVES;
    if (gate->resource.holder->held != NULL) {
        reason |= THREAD_SLOW_PATH;
    }
    // The switch is decided below: the client that is answered may have a higher priority than that
    // thread.
    ignore_next(thread_block(reason, timeout_ticks));
    return BULKHEAD_OK;
}

// Receives a call. A thread serves at most one gate, so the handle in the call is ignored.
static struct thread *receive(struct arch_frame *frame, uint32_t timeout_ticks) {
    struct thread *self = kernel.current;
    struct thread *client = self->client;
    struct gate *gate = self->declared->serves;
    if (gate == NULL) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    if (client != NULL) {
        arch_words_copy(&client->context, &self->context);
        self->client = NULL;
        lease_end(client);
    }
    arch_set_result(frame, next_or_wait(gate, frame, timeout_ticks));
    if (client != NULL) {
        client->waits_for = NULL;
        thread_wake_ahead(client);
    }
    thread_inherit(self);
    return thread_highest();
}

struct thread *gate_receive(struct gate *named, struct arch_frame *frame) {
    (void)named;
    return receive(frame, BULKHEAD_FOREVER);
}

struct thread *gate_receive_timed(struct gate *named, struct arch_frame *frame) {
    (void)named;
    return receive(frame, arch_argument(frame));
}

bool gate_abort(const struct thread *thread) {
    const struct gate *gate = thread->declared->serves;
    struct thread *caller = thread->client;
    if (caller == NULL && gate != NULL) {
        caller = gate->callers.first;
    }
    if (caller == NULL) {
        return false;
    }
    ignore_next(thread_wake(caller, BULKHEAD_PEER_LOST));
    return true;
}
