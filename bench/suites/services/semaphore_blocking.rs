// SPDX-License-Identifier: MIT
//
// The async form of semaphore_blocking.c.
use crate::bench::{Semaphore as _, Shared};
use crate::kernel::Semaphore;

static SEMAPHORE: Semaphore<0, 1> = Semaphore::new();
static GIVEN: Shared = Shared::new(0);
static TAKEN: Shared = Shared::new(0);

async fn waiter() {
    loop {
        mark!("wait.before");
        SEMAPHORE.take().await;
        mark!("wait.after");
        TAKEN.count();
        require!(
            TAKEN.get() == GIVEN.get(),
            c"a task was woken before its semaphore was given"
        );
    }
}

async fn low() {
    loop {
        GIVEN.count();
        mark!("signal.before");
        let given = SEMAPHORE.give();
        mark!("signal.after");
        require!(given, c"a semaphore at 0 could not be given");
        require!(
            TAKEN.get() == GIVEN.get(),
            c"the higher task that was woken did not run at once"
        );
    }
}

tasks! { low: 10, waiter: 5 }
