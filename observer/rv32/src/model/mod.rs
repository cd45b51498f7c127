// SPDX-License-Identifier: MIT
//! The cycle models of the cores with RV32, one folder for each, and what they share.

mod cv32e40s;
mod ibex;

pub use cv32e40s::Cv32e40s;
pub use ibex::Ibex;

use crate::register;
use ticklab_isa::{Devices, Instruction, Profile, ProfileError, Tally, COUNTED};

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

/// Returns the cycles of an instruction before the cycle in which it retires: all but `last`. A
/// mark is observed at retirement, so these cycles come before the mark.
fn before_retirement(sums: &[Tally], index: usize, last: Tally) -> Tally {
    let mut own = sums[index + 1] - sums[index];
    own.0[..COUNTED].fill(0);
    own - last
}
