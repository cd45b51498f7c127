// SPDX-License-Identifier: MIT
//
// The async form of interrupt_request_to_task.c.
use crate::bench::{Semaphore as _, Shared};
use crate::kernel::{request, Semaphore};

static SEMAPHORE: Semaphore<0, 1> = Semaphore::new();
static REQUESTED: Shared = Shared::new(0);
static SERVED: Shared = Shared::new(0);

interrupt! { SEMAPHORE.give(); }

async fn high() {
    loop {
        SEMAPHORE.take().await;
        mark!("task");
        SERVED.count();
        require!(
            SERVED.get() == REQUESTED.get(),
            c"a task was woken before its interrupt"
        );
    }
}

async fn low() {
    loop {
        REQUESTED.count();
        mark!("request");
        request();
        require!(
            SERVED.get() == REQUESTED.get(),
            c"interrupt: not taken, or the task it woke did not pre-empt"
        );
    }
}

tasks! { high: 5, low: 10 }
