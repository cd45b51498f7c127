// SPDX-License-Identifier: MIT
//
// The async form of interrupt_processing.c.
use crate::bench::{fail, Semaphore as _, Shared};
use crate::kernel::{request, Semaphore};

const VERIFY_ROUNDS: u32 = 8;

static COUNTER: Shared = Shared::new(0);
static SEMAPHORE: Semaphore<1, 1> = Semaphore::new();

interrupt! { SEMAPHORE.give(); }

fn verify_round() {
    request();
    require!(
        SEMAPHORE.try_take(),
        c"interrupt never taken: its semaphore was not posted"
    );
    require!(
        !SEMAPHORE.try_take(),
        c"one interrupt posted its semaphore twice"
    );
}

fn verify() {
    require!(SEMAPHORE.try_take(), c"a semaphore at 1 could not be taken");
    require!(!SEMAPHORE.try_take(), c"a semaphore at 0 was taken");
    for _ in 0..VERIFY_ROUNDS {
        verify_round();
    }
}

async fn thread_0() {
    verify();
    loop {
        request();
        if !SEMAPHORE.try_take() {
            break;
        }
        mark!("iteration.0");
        COUNTER.count();
    }
    fail(c"interrupt never taken: its semaphore was not posted")
}

tasks! { thread_0: 10 }
