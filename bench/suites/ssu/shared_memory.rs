// SPDX-License-Identifier: MIT
//
// The async form of shared_memory.c.
use crate::bench::{Semaphore as _, Shared};
use crate::kernel::Semaphore;

static REQUESTED: Semaphore<0, 1> = Semaphore::new();
static ANSWERED: Semaphore<0, 1> = Semaphore::new();
static WORD: Shared = Shared::new(0);

async fn server() {
    loop {
        REQUESTED.take().await;
        WORD.set(!WORD.get());
        require!(ANSWERED.give(), c"a semaphore at 0 could not be given");
    }
}

async fn client() {
    let mut number: u32 = 1;
    loop {
        WORD.set(number);
        mark!("request");
        let given = REQUESTED.give();
        ANSWERED.take().await;
        mark!("answer");
        require!(given, c"a semaphore failed");
        require!(
            WORD.get() == !number,
            c"the answer is not that to the request"
        );
        number = number.wrapping_add(1);
    }
}

tasks! { client: 10, server: 5 }
