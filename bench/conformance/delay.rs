// SPDX-License-Identifier: MIT
//
// The async form of delay.c.
use crate::bench::{finish, Shared};
use crate::kernel::{delay, ticks};

const TICKS: u32 = 3;

static LOWER_PASSES: Shared = Shared::new(0);

async fn sleeper() {
    mark!("begin");
    let start = ticks();
    delay(TICKS).await;
    require!(
        ticks().wrapping_sub(start) >= TICKS,
        c"delay: shorter than requested"
    );
    require!(
        LOWER_PASSES.get() != 0,
        c"delay: no lower task ran meanwhile"
    );
    mark!("proved");
    finish()
}

async fn lower() {
    loop {
        LOWER_PASSES.count();
    }
}

tasks! { sleeper: 5, lower: 10 }
