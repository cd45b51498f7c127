// SPDX-License-Identifier: MIT
//
// The async form of preemptive_switch.c.
use crate::bench::{Shared, Suspension as _};
use crate::kernel::Suspension;

static HIGH: Suspension = Suspension::new();
static RESUMED: Shared = Shared::new(0);
static RAN: Shared = Shared::new(0);

async fn high_task() {
    loop {
        HIGH.suspend().await;
        mark!("high.runs");
        RAN.count();
        require!(
            RAN.get() == RESUMED.get(),
            c"suspend: a suspended task ran before it was resumed"
        );
    }
}

async fn low_task() {
    loop {
        RESUMED.count();
        mark!("resume.before");
        HIGH.resume();
        require!(
            RAN.get() == RESUMED.get(),
            c"resume: a higher task did not pre-empt at once"
        );
    }
}

tasks! { high_task: 5, low_task: 10 }
