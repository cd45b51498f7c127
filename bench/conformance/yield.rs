// SPDX-License-Identifier: MIT
//
// The async form of yield.c.
use crate::bench::{fail, finish, Shared};
use crate::kernel::yield_now;

const TASKS: u32 = 3;
const ROUNDS: u32 = 4;
const NOBODY: u32 = TASKS;

static DUE: Shared = Shared::new(NOBODY); // the kernel chooses which task starts

async fn take_turns(this: u32) {
    mark!("begin");
    for _ in 0..ROUNDS {
        require!(
            DUE.get() == NOBODY || DUE.get() == this,
            c"yield: not the equal task that waited longest"
        );
        DUE.set((this + 1) % TASKS);
        yield_now().await;
    }
    mark!("proved");
    finish()
}

async fn task_0() {
    take_turns(0).await
}

async fn task_1() {
    take_turns(1).await
}

async fn task_2() {
    take_turns(2).await
}

async fn lower() {
    fail(c"yield: a task of lower priority ran while others were ready")
}

tasks! { task_0: 5, task_1: 5, task_2: 5, lower: 6 }
