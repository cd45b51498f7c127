// SPDX-License-Identifier: MIT
//
// The async form of bare_increment.c.
use crate::bench::Shared;

static COUNTER: Shared = Shared::new(0);

async fn thread_0() {
    loop {
        mark!("iteration.0");
        COUNTER.count();
    }
}

tasks! { thread_0: 10 }
