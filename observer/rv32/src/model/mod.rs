// SPDX-License-Identifier: MIT
//! The cycle models of the cores with RV32, one folder for each, and what they share.

mod cv32e40s;
mod ibex;

pub use cv32e40s::Cv32e40s;
pub use ibex::Ibex;

use crate::register;
use ticklab_isa::{Cycles, Devices, Instruction, Lane, Profile, ProfileError, Tally, COUNTED};

/// The index of the timing lane `cycles`, in which each model counts the cycles that no assumption
/// changes.
const CYCLES: usize = 0;

const fn lane(name: &'static str, low: u32, high: u32, source: &'static str) -> Lane {
    Lane {
        name,
        low: Cycles(low),
        high: Cycles(high),
        source,
    }
}

/// Returns `tally` with `count` more events in a timing lane, which is given by its assumption.
fn count(tally: Tally, assumption: usize, count: u32) -> Tally {
    tally.plus(COUNTED + assumption, count)
}

fn cycles(cycles: u32) -> Tally {
    count(Tally::ZERO, CYCLES, cycles)
}

/// Returns the slow devices of a timing profile for `core`.
///
/// # Errors
/// The profile describes flash memory.
fn devices(core: &str, profile: &Profile) -> Result<Option<Devices>, ProfileError> {
    if profile.flash.is_some() {
        return Err(ProfileError(format!(
            "timing profile: {core} has no flash memory; take {core}-node"
        )));
    }
    Ok(profile.devices.clone())
}

/// Returns whether the instruction may store to a device. No device is near a stack.
fn may_reach_devices(instruction: &Instruction) -> bool {
    instruction.writes > 0 && !instruction.base.contains(register::SP)
}

/// Returns the additional cost of a store to `address`, or `None` if no slow device is there.
fn store_to_device(devices: &Devices, address: u32) -> Option<Tally> {
    let is_slow = devices.has(address);
    is_slow.then(|| cycles(devices.store_cycles))
}

/// Returns the cycles of an instruction before the cycle in which it retires: all but the last. A
/// mark is observed at retirement, so these cycles come before the mark.
fn before_retirement(sums: &[Tally], index: usize) -> Tally {
    let mut own = sums[index + 1] - sums[index];
    own.0[..COUNTED].fill(0);
    own - cycles(1)
}
