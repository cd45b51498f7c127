// SPDX-License-Identifier: MIT
//! The supervisor of `supervise.h`: restarts processes that fault, and processes that do not say
//! that they are alive, by the policies of the declaration.

use crate::Ticks;
use core::ptr;

/// The policy of a process, as the declaration states it: struct bulkhead_policy.
#[repr(C)]
pub struct Policy {
    process: u32,
    record: u32,
    limit: u32,
    stable_ticks: Ticks,
    delay_ticks: Ticks,
    flags: u32,
    alive: u32,
}

impl Policy {
    /// Returns a policy. `objects!` makes all that the declaration has.
    ///
    /// # Safety
    /// The handles are those of a process, a record and flags, or 0.
    pub const unsafe fn new(
        process: u32,
        record: u32,
        limit: u32,
        stable_ticks: Ticks,
        delay_ticks: Ticks,
        flags: u32,
        alive: u32,
    ) -> Self {
        Self {
            process,
            record,
            limit,
            stable_ticks,
            delay_ticks,
            flags,
            alive,
        }
    }
}

/// An event of a supervised process, whose policy has been carried out. The number is the index of
/// the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The process ended by a fault; it is restarted after the delay.
    Faulted(usize),
    /// The process did not say in a whole period that it is alive, and was ended.
    Silent(usize),
    /// The process runs again.
    Restarted(usize),
    /// The process reached its limit: it stays ended, or the next call resets the system.
    GaveUp(usize),
    /// A period is over, and no process was silent: feed the watchdog.
    AllAlive,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct State {
    state: u32,
    restarts: u32,
    since: Ticks,
    due: Ticks,
    is_heard: bool,
}

#[repr(C)]
struct Words {
    policies: *const Policy,
    states: *mut State,
    count: u32,
    period_ticks: Ticks,
    period_end: Ticks,
    asked: u32,
    is_started: bool,
    is_silent: bool,
}

#[repr(C)]
#[allow(dead_code)] // C makes them
enum Kind {
    Faulted,
    Silent,
    Restarted,
    GaveUp,
    AllAlive,
}

#[repr(C)]
struct Found {
    kind: Kind,
    process: u32,
}

extern "C" {
    fn bulkhead_supervise(supervisor: &mut Words) -> Found;
}

/// A supervisor of `COUNT` processes. It stays in the thread that the kernel notifies.
pub struct Supervisor<const COUNT: usize> {
    words: Words,
    states: [State; COUNT],
}

impl<const COUNT: usize> Supervisor<COUNT> {
    /// Supervises by the policies of a thread, POLICIES_THREAD of `objects!`. In each period a
    /// process has to say that it is alive, if its policy asks for that.
    pub const fn new(policies: &'static [Policy; COUNT], period_ticks: Ticks) -> Self {
        let state = State {
            state: 0,
            restarts: 0,
            since: 0,
            due: 0,
            is_heard: false,
        };
        Self {
            words: Words {
                policies: policies.as_ptr(),
                states: ptr::null_mut(),
                count: COUNT as u32,
                period_ticks,
                period_end: 0,
                asked: 0,
                is_started: false,
                is_silent: false,
            },
            states: [state; COUNT],
        }
    }

    /// Waits for the next event, and does what the policies say.
    pub fn next_event(&mut self) -> Event {
        // The states moved if the supervisor did.
        self.words.states = self.states.as_mut_ptr();
        // SAFETY: the function accesses the words, the states and the policies, as declared.
        let found = unsafe { bulkhead_supervise(&mut self.words) };
        let process = found.process as usize;
        match found.kind {
            Kind::Faulted => Event::Faulted(process),
            Kind::Silent => Event::Silent(process),
            Kind::Restarted => Event::Restarted(process),
            Kind::GaveUp => Event::GaveUp(process),
            Kind::AllAlive => Event::AllAlive,
        }
    }
}
