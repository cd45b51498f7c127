// SPDX-License-Identifier: MIT
//
// The async form of interrupt_preemption.c.
use crate::bench::{Shared, Suspension as _};
use crate::kernel::{request, Suspension};

const HIGH: usize = 0;
const LOW: usize = 1;
const VERIFY_ROUNDS: u32 = 8;

static COUNTERS: [Shared; 2] = [const { Shared::new(0) }; 2];
static RESUMES: Shared = Shared::new(0); // of the high thread, during the verification
static PASSES: Shared = Shared::new(0);
static SUSPENSION: Suspension = Suspension::new();

interrupt! { SUSPENSION.resume(); }

async fn verify_high() {
    for _ in 0..VERIFY_ROUNDS {
        require!(
            RESUMES.get() == PASSES.get(),
            c"a suspended thread ran before it was resumed"
        );
        PASSES.count();
        SUSPENSION.suspend().await;
    }
}

// The high thread's first pass is its start. In the last round the low thread resumes it into its
// loop.
fn verify_low() {
    while PASSES.get() < VERIFY_ROUNDS {
        RESUMES.count();
        request();
        require!(
            PASSES.get() == RESUMES.get() + 1,
            c"interrupt never taken: the thread that it resumes did not run"
        );
    }
}

async fn high_thread() {
    verify_high().await;
    loop {
        mark!("iteration.high");
        COUNTERS[HIGH].count();
        SUSPENSION.suspend().await;
    }
}

async fn low_thread() {
    verify_low();
    loop {
        request();
        mark!("iteration.low");
        COUNTERS[LOW].count();
    }
}

tasks! { high_thread: 3, low_thread: 10 }
