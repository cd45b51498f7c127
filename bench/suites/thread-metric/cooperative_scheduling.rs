// SPDX-License-Identifier: MIT
//
// The async form of cooperative_scheduling.c.
use crate::bench::Shared;
use crate::kernel::yield_now;

const THREADS: u32 = 5;
const ANYONE: u32 = u32::MAX;
const VERIFY_ROUNDS: u32 = 8;

static COUNTERS: [Shared; THREADS as usize] = [const { Shared::new(0) }; THREADS as usize];
static DUE: Shared = Shared::new(ANYONE); // the kernel chooses the first thread, not the next

async fn verify(this: u32) {
    for _ in 0..VERIFY_ROUNDS {
        require!(
            DUE.get() == ANYONE || DUE.get() != (this + 1) % THREADS,
            c"yield without a switch: the caller continued although an equal task was ready"
        );
        require!(
            DUE.get() == ANYONE || DUE.get() == this,
            c"wrong order: yield did not run the thread that had waited longest"
        );
        DUE.set((this + 1) % THREADS);
        yield_now().await;
    }
}

macro_rules! thread {
    ($name:ident, $number:literal) => {
        async fn $name() {
            verify($number).await;
            loop {
                yield_now().await;
                mark!(concat!("iteration.", $number));
                COUNTERS[$number].count();
            }
        }
    };
}

thread!(thread_0, 0);
thread!(thread_1, 1);
thread!(thread_2, 2);
thread!(thread_3, 3);
thread!(thread_4, 4);

tasks! { thread_0: 3, thread_1: 3, thread_2: 3, thread_3: 3, thread_4: 3 }
