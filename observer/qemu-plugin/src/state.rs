// SPDX-License-Identifier: GPL-2.0-or-later
//! Holds the only observation of this process, because QEMU's callbacks get no pointer to it.

use crate::observation::Observation;
use std::cell::UnsafeCell;

struct State(UnsafeCell<Option<Observation>>);

// SAFETY: with -icount one thread runs the guest, and all callbacks on it; the callbacks at the end
// of QEMU run on that thread or after it has stopped.
unsafe impl Sync for State {}

static STATE: State = State(UnsafeCell::new(None));

pub fn set(observation: Observation) {
    // SAFETY: called once, before any callback is registered.
    unsafe { *STATE.0.get() = Some(observation) };
}

#[inline]
pub fn with(act: impl FnOnce(&mut Observation)) {
    // SAFETY: callbacks do not overlap (see above) and none calls into QEMU what would call back.
    if let Some(observation) = unsafe { &mut *STATE.0.get() } {
        act(observation);
    }
}
