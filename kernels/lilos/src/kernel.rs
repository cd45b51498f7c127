// SPDX-License-Identifier: MIT
//! The contract for async tasks (bench/include/bench/port.rs) on lilos.
//!
//! lilos has one executor, and no priorities. It masks interrupts while tasks run, except those
//! above a given NVIC priority. The tick is above: it has the highest priority.
use core::convert::Infallible;
use core::future::Future;
use core::pin::Pin;
use lilos::exec::{self, Interrupts};

use crate::bench;

extern "C" {
    /// Defined in clock.c.
    static LILOS_CLOCK_HZ: u32;
}

/// The NVIC priority: interrupts of this or a lower priority are masked while tasks run.
const MASKED: u8 = 0x80;

/// Starts the tick.
pub fn start_tick() {
    // SAFETY: called once, before any task runs.
    let mut timer = unsafe { cortex_m::Peripherals::steal() }.SYST;
    lilos::time::initialize_sys_tick(&mut timer, unsafe { LILOS_CLOCK_HZ });
}

/// Runs the scenario's tasks.
pub fn run(tasks: &mut [Pin<&mut dyn Future<Output = Infallible>>]) -> ! {
    // SAFETY: the tick, which alone interrupts tasks, uses no object of theirs.
    unsafe { exec::run_tasks_with_preemption(tasks, exec::ALL_TASKS, Interrupts::Filtered(MASKED)) }
}

#[allow(unused_macros)]
macro_rules! tasks {
    ($($name:ident: $priority:expr),* $(,)?) => {
        pub fn run() -> ! {
            crate::kernel::run(&mut [$(core::pin::pin!(async {
                $name().await;
                crate::bench::fail(c"port: a task ended")
            })),*])
        }
    };
}

#[allow(unused_imports)]
pub use lilos::exec::yield_cpu as yield_now;

#[allow(dead_code)]
pub fn ticks() -> u32 {
    u64::from(lilos::time::TickTime::now()) as u32
}

/// lilos's semaphores have no maximum, and only tasks use them.
pub struct Semaphore<const INITIAL: usize, const MAXIMUM: usize>(lilos_semaphore::Semaphore);

// SAFETY: all tasks run in one executor.
unsafe impl<const INITIAL: usize, const MAXIMUM: usize> Sync for Semaphore<INITIAL, MAXIMUM> {}

#[allow(dead_code)]
impl<const INITIAL: usize, const MAXIMUM: usize> Semaphore<INITIAL, MAXIMUM> {
    pub const fn new() -> Self {
        Self(lilos_semaphore::Semaphore::new(INITIAL))
    }

    fn pinned(&self) -> Pin<&lilos_semaphore::Semaphore> {
        // SAFETY: scenarios declare semaphores as static variables, which never move.
        unsafe { Pin::new_unchecked(&self.0) }
    }
}

impl<const INITIAL: usize, const MAXIMUM: usize> bench::Semaphore for Semaphore<INITIAL, MAXIMUM> {
    async fn take(&self) {
        self.pinned().acquire().await
    }

    fn try_take(&self) -> bool {
        self.0.try_acquire().is_ok()
    }

    fn give(&self) -> bool {
        self.pinned().release();
        true
    }
}
