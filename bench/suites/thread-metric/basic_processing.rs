// SPDX-License-Identifier: MIT
//
// The async form of basic_processing.c.
use crate::bench::Shared;

const WORDS: usize = 1024;

static ARRAY: [Shared; WORDS] = [const { Shared::new(0) }; WORDS];
static COUNTER: Shared = Shared::new(0);

async fn thread_0() {
    loop {
        for word in &ARRAY {
            word.set(word.get().wrapping_add(COUNTER.get()) ^ word.get());
        }
        mark!("iteration.0");
        COUNTER.count();
    }
}

tasks! { thread_0: 10 }
