// SPDX-License-Identifier: MIT
//! The calling thread, and time.

use crate::objects::method;
use crate::{svc, Result, Ticks};

#[repr(C)]
struct Page {
    identity: u32,
    ticks: u32,
}

extern "C" {
    #[link_name = "bulkhead_page"]
    static PAGE: Page;
}

/// Returns the ticks since the kernel started; they wrap.
pub fn ticks() -> Ticks {
    // SAFETY: every process may read the page, which the kernel writes.
    unsafe { core::ptr::read_volatile(&raw const PAGE.ticks) }
}

/// Lets the other ready threads of the same priority run first.
pub fn yield_now() {
    let _ = svc::plain(method::SELF, method::SELF_YIELD, 0, 0);
}

/// Ends the calling thread, after its function. It is not for applications: a thread that is
/// started again gets the same stack, so none may end while references to its stack exist.
#[doc(hidden)]
pub fn end_of_thread() -> ! {
    loop {
        let _ = svc::plain(method::SELF, method::SELF_EXIT, 0, 0);
    }
}

/// Sleeps until a number of ticks has come.
pub fn delay(ticks: Ticks) {
    let _ = svc::plain(method::SELF, method::SELF_DELAY, ticks, 0);
}

/// Sleeps until a tick. [`crate::Error::TimedOut`], without a wait, if it has passed.
pub fn delay_until(tick: Ticks) -> Result {
    svc::plain(method::SELF, method::SELF_DELAY_UNTIL, tick, 0)
}

/// Waits for a notification of the calling thread.
pub fn notification_wait(timeout: Ticks) -> Result {
    svc::plain(method::SELF, method::SELF_NOTIFICATION_WAIT, timeout, 0)
}

/// The state of a thread that runs once in each period.
pub struct Period {
    release: Ticks,
    ticks: Ticks,
    overruns: u32,
}

impl Period {
    /// Creates the state with the present tick as begin. The first release is one period later.
    pub fn new(period: Ticks) -> Self {
        Self {
            release: ticks(),
            ticks: period,
            overruns: 0,
        }
    }

    /// Sleeps until the next release. If the release has passed, counts an overrun and returns
    /// false.
    pub fn wait(&mut self) -> bool {
        self.release = self.release.wrapping_add(self.ticks);
        let in_time = delay_until(self.release).is_ok();
        self.overruns += u32::from(!in_time);
        in_time
    }

    /// Returns the number of releases that came while the thread was still running.
    pub fn overruns(&self) -> u32 {
        self.overruns
    }
}
