// SPDX-License-Identifier: MIT
//
// The async form of interrupt_resumes.c.
use crate::bench::{finish, Shared, Suspension as _};
use crate::kernel::{request, Suspension};

static HIGH: Suspension = Suspension::new();
static PASSES: Shared = Shared::new(0);

interrupt! { HIGH.resume(); }

async fn high() {
    HIGH.suspend().await;
    loop {
        PASSES.count();
        HIGH.suspend().await;
    }
}

async fn prover() {
    require!(
        PASSES.get() == 0,
        c"start: a task declared as suspended ran"
    );
    mark!("begin");
    request();
    require!(
        PASSES.get() == 1,
        c"interrupt: the task that it resumes did not pre-empt"
    );
    mark!("proved");
    finish()
}

tasks! { high: 5, prover: 10 }
