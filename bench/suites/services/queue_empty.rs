// SPDX-License-Identifier: MIT
//
// The async form of queue_empty.c.
use crate::bench::{Queue as _, Shared};
use crate::kernel::Queue;

static QUEUE: Queue<4, 1> = Queue::new();
static SENT: Shared = Shared::new(0);
static RECEIVED: Shared = Shared::new(0);

async fn waiter() {
    loop {
        mark!("receive.before");
        let [message] = QUEUE.receive().await;
        mark!("receive.after");
        RECEIVED.count();
        require!(
            message == SENT.get(),
            c"queue: a message is not the one sent"
        );
        require!(
            RECEIVED.get() == SENT.get(),
            c"queue: more messages received than sent"
        );
    }
}

async fn low() {
    loop {
        SENT.count();
        let message = [SENT.get()];
        mark!("send.before");
        QUEUE.send(message).await;
        mark!("send.after");
        require!(
            RECEIVED.get() == SENT.get(),
            c"the higher task that was woken did not run at once"
        );
    }
}

tasks! { low: 10, waiter: 5 }
