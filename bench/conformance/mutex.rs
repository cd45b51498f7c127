// SPDX-License-Identifier: MIT
//
// The async form of mutex.c.
use crate::bench::{finish, Mutex as _, Shared};
use crate::kernel::{delay, Mutex};

const NOTHING: u32 = 0;
const SHUT_OUT: u32 = 1;
const LET_IN: u32 = 2;

static MUTEX: Mutex = Mutex::new();
static PROGRESS: Shared = Shared::new(NOTHING);

async fn owner() {
    mark!("begin");
    let guard = MUTEX.try_lock();
    require!(guard.is_some(), c"mutex: a free mutex could not be locked");
    delay(3).await;
    require!(
        PROGRESS.get() != LET_IN,
        c"mutex: a waiting task locked it while it was owned"
    );
    require!(
        PROGRESS.get() == SHUT_OUT,
        c"delay: no lower task ran meanwhile"
    );
    drop(guard);
    delay(1).await;
    require!(
        PROGRESS.get() == LET_IN,
        c"mutex: the second task did not get the free mutex"
    );
    mark!("proved");
    finish()
}

async fn second() {
    require!(
        MUTEX.try_lock().is_none(),
        c"mutex: a second task locked it"
    );
    PROGRESS.set(SHUT_OUT);
    let _guard = MUTEX.lock().await;
    PROGRESS.set(LET_IN);
    loop {}
}

tasks! { owner: 5, second: 10 }
