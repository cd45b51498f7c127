// SPDX-License-Identifier: MIT
//
// The async form of suspend_self.c.
use crate::bench::{finish, Shared, Suspension as _};
use crate::kernel::Suspension;

const ROUNDS: u32 = 3;

static HIGH: Suspension = Suspension::new();
static PASSES: Shared = Shared::new(0);

async fn high_task() {
    HIGH.suspend().await;
    loop {
        PASSES.count();
        HIGH.suspend().await;
    }
}

async fn low_task() {
    mark!("begin");
    require!(
        PASSES.get() == 0,
        c"start: a task declared as suspended ran"
    );
    for round in 1..=ROUNDS {
        HIGH.resume();
        require!(
            PASSES.get() >= round,
            c"resume: a higher task did not pre-empt at once"
        );
        require!(
            PASSES.get() == round,
            c"suspend: a task kept running after it suspended itself"
        );
    }
    mark!("proved");
    finish()
}

tasks! { high_task: 5, low_task: 10 }
