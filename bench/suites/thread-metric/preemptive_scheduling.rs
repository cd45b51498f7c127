// SPDX-License-Identifier: MIT
//
// The async form of preemptive_scheduling.c.
use crate::bench::{Shared, Suspension as _};
use crate::kernel::Suspension;

const THREADS: usize = 5;
const HIGHEST: usize = THREADS - 1;
const VERIFY_ROUNDS: u32 = 8;

static COUNTERS: [Shared; THREADS] = [const { Shared::new(0) }; THREADS];
static RESUMES: [Shared; THREADS] = [const { Shared::new(0) }; THREADS]; // of the verification
static PASSES: [Shared; THREADS] = [const { Shared::new(0) }; THREADS];
static SUSPENSIONS: [Suspension; THREADS] = [const { Suspension::new() }; THREADS];

fn verify_resume(next: usize) {
    RESUMES[next].count();
    SUSPENSIONS[next].resume();
    require!(
        PASSES[next].get() == RESUMES[next].get(),
        c"wrong order: the resumed thread of higher priority did not run at once"
    );
}

async fn verify_round(this: usize) {
    require!(
        this == 0 || RESUMES[this].get() == PASSES[this].get() + 1,
        c"a suspended thread ran before it was resumed"
    );
    if this != HIGHEST {
        verify_resume(this + 1);
    }
    PASSES[this].count();
    if this != 0 {
        SUSPENSIONS[this].suspend().await;
    }
}

async fn verify(this: usize) {
    for _ in 0..VERIFY_ROUNDS {
        verify_round(this).await;
    }
}

async fn thread_0() {
    verify(0).await;
    loop {
        SUSPENSIONS[1].resume();
        mark!("iteration.0");
        COUNTERS[0].count();
    }
}

macro_rules! middle_thread {
    ($name:ident, $number:literal) => {
        async fn $name() {
            SUSPENSIONS[$number].suspend().await;
            verify($number).await;
            loop {
                SUSPENSIONS[$number + 1].resume();
                mark!(concat!("iteration.", $number));
                COUNTERS[$number].count();
                SUSPENSIONS[$number].suspend().await;
            }
        }
    };
}

middle_thread!(thread_1, 1);
middle_thread!(thread_2, 2);
middle_thread!(thread_3, 3);

async fn thread_4() {
    SUSPENSIONS[4].suspend().await;
    verify(4).await;
    loop {
        mark!("iteration.4");
        COUNTERS[4].count();
        SUSPENSIONS[4].suspend().await;
    }
}

tasks! { thread_0: 10, thread_1: 9, thread_2: 8, thread_3: 7, thread_4: 6 }
