// SPDX-License-Identifier: MIT
//
// The async form of synchronization.c.
use crate::bench::{fail, Semaphore as _, Shared};
use crate::kernel::Semaphore;

const VERIFY_ROUNDS: u32 = 8;

static COUNTER: Shared = Shared::new(0);
static SEMAPHORE: Semaphore<1, 1> = Semaphore::new();

fn verify_round() {
    require!(SEMAPHORE.try_take(), c"a semaphore at 1 could not be taken");
    require!(!SEMAPHORE.try_take(), c"a semaphore at 0 was taken");
    require!(SEMAPHORE.give(), c"a semaphore at 0 could not be given");
}

async fn thread_0() {
    for _ in 0..VERIFY_ROUNDS {
        verify_round();
    }
    loop {
        if !SEMAPHORE.try_take() || !SEMAPHORE.give() {
            break;
        }
        mark!("iteration.0");
        COUNTER.count();
    }
    fail(c"a semaphore that no other thread uses could not be taken")
}

tasks! { thread_0: 10 }
