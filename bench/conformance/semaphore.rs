// SPDX-License-Identifier: MIT
//
// The async form of semaphore.c.
use crate::bench::{finish, Semaphore as _, Shared};
use crate::kernel::Semaphore;

const GIVES: u32 = 3;

static COUNTING: Semaphore<1, { GIVES as usize }> = Semaphore::new();
static AWAITED: Semaphore<0, 1> = Semaphore::new();
static WOKEN: Shared = Shared::new(0);

async fn waiter() {
    loop {
        AWAITED.take().await;
        WOKEN.count();
    }
}

fn prove_counting() {
    require!(COUNTING.try_take(), c"semaphore: initial count missing");
    require!(!COUNTING.try_take(), c"semaphore: taken at 0");
    for _ in 0..GIVES {
        require!(COUNTING.give(), c"semaphore: refused below its maximum");
    }
    for _ in 0..GIVES {
        require!(COUNTING.try_take(), c"semaphore: lost a count");
    }
    require!(!COUNTING.try_take(), c"semaphore: taken at 0");
}

fn prove_waking() {
    for i in 0..GIVES {
        require!(WOKEN.get() == i, c"semaphore: taken without a give");
        require!(AWAITED.give(), c"semaphore: refused to wake a waiter");
        require!(
            WOKEN.get() == i + 1,
            c"semaphore: a higher waiter did not pre-empt its giver"
        );
    }
    require!(
        !AWAITED.try_take(),
        c"semaphore: a give both woke a waiter and counted"
    );
}

async fn prover() {
    mark!("begin");
    prove_counting();
    prove_waking();
    mark!("proved");
    finish()
}

tasks! { waiter: 6, prover: 10 }
