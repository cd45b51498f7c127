// SPDX-License-Identifier: MIT
//
// The async form of semaphore_uncontended.c.
use crate::bench::Semaphore as _;
use crate::kernel::Semaphore;

static SEMAPHORE: Semaphore<0, 1> = Semaphore::new();

async fn caller() {
    loop {
        mark!("signal.before");
        let given = SEMAPHORE.give();
        mark!("signal.after");
        require!(given, c"semaphore: a semaphore at 0 could not be given");
        mark!("wait.before");
        SEMAPHORE.take().await;
        mark!("wait.after");
    }
}

tasks! { caller: 10 }
