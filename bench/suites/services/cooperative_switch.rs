// SPDX-License-Identifier: MIT
//
// The async form of cooperative_switch.c.
use crate::bench::Shared;
use crate::kernel::{ticks, yield_now};

const TASKS: u32 = 2;

static TURNS: Shared = Shared::new(0);
static CALM_FROM: Shared = Shared::new(0);
static LAST_TICK: Shared = Shared::new(0);
static ARRIVALS: Shared = Shared::new(0);

fn is_calm() -> bool {
    let tick = ticks();
    if tick != LAST_TICK.get() {
        LAST_TICK.set(tick);
        CALM_FROM.set(TURNS.get() + 2 * TASKS);
    }
    TURNS.get() >= CALM_FROM.get()
}

async fn take_turns() {
    let place = ARRIVALS.get();
    ARRIVALS.count();
    loop {
        require!(
            LAST_TICK.get() != 0 || TURNS.get() % TASKS == place,
            c"wrong order: not the equal task that waited longest"
        );
        TURNS.count();
        let before = TURNS.get();
        mark!("yield.before");
        yield_now().await;
        mark!("yield.after");
        let calm = is_calm();
        require!(TURNS.get() != before || !calm, c"yield without a switch");
    }
}

async fn first() {
    take_turns().await
}

async fn second() {
    take_turns().await
}

tasks! { first: 5, second: 5 }
