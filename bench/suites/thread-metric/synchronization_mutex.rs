// SPDX-License-Identifier: MIT
//
// The async form of synchronization_mutex.c.
use crate::bench::{fail, Mutex as _, Shared};
use crate::kernel::{delay, Mutex};

const NOT_TRIED: u32 = 0;
const EXCLUDED: u32 = 1;
const LET_IN: u32 = 2;

static MUTEX: Mutex = Mutex::new();
static COUNTER: Shared = Shared::new(0);
static ATTEMPT: Shared = Shared::new(NOT_TRIED);

async fn verify() {
    let guard = MUTEX.try_lock();
    require!(guard.is_some(), c"a free mutex could not be locked");
    delay(2).await;
    require!(
        ATTEMPT.get() != NOT_TRIED,
        c"the lower thread did not run while the higher one slept"
    );
    require!(
        ATTEMPT.get() == EXCLUDED,
        c"a second thread locked an owned mutex"
    );
    drop(guard);
    require!(
        MUTEX.try_lock().is_some(),
        c"the owner could not unlock its mutex"
    );
}

async fn intruder() {
    let attempt = if MUTEX.try_lock().is_some() {
        LET_IN
    } else {
        EXCLUDED
    };
    ATTEMPT.set(attempt);
    #[allow(clippy::empty_loop)]
    loop {}
}

async fn thread_0() {
    verify().await;
    loop {
        let Some(guard) = MUTEX.try_lock() else { break };
        drop(guard);
        mark!("iteration.0");
        COUNTER.count();
    }
    fail(c"a mutex that no other thread uses could not be locked")
}

tasks! { thread_0: 10, intruder: 11 }
