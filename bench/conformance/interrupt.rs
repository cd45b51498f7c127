// SPDX-License-Identifier: MIT
//
// The async form of interrupt.c.
use crate::bench::{finish, Semaphore as _, Shared};
use crate::kernel::{request, Semaphore};

static POSTED: Semaphore<0, 1> = Semaphore::new();
static WOKEN: Shared = Shared::new(0);

interrupt! { POSTED.give(); }

async fn waiter() {
    loop {
        POSTED.take().await;
        WOKEN.count();
    }
}

async fn prover() {
    mark!("begin");
    request();
    require!(
        WOKEN.get() != 0,
        c"interrupt: not taken, or the task it woke did not pre-empt"
    );
    require!(WOKEN.get() == 1, c"interrupt: taken more than once");
    mark!("proved");
    finish()
}

tasks! { waiter: 5, prover: 10 }
