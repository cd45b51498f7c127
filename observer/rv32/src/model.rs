// SPDX-License-Identifier: MIT
//! What instructions add to a tally.

use ticklab_isa::{accesses, counted, Exception, Instruction, Lane, Profile, ProfileError, Tally};

/// Counts instructions and accesses, and models no cycles.
#[derive(Clone, Debug)]
pub struct Model;

impl Model {
    #[must_use]
    pub fn counting() -> Model {
        Model
    }

    /// # Errors
    /// There is no cycle model of the core.
    pub fn new(core: &str, _profile: &Profile) -> Result<Model, ProfileError> {
        Err(ProfileError(format!("core {core:?} has no cycle model")))
    }

    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        &[]
    }

    #[must_use]
    pub fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        let mut sum = Tally::ZERO;
        let mut sums = vec![sum];
        for instruction in block {
            sum += Tally::one(counted::INSTRUCTIONS);
            sum += accesses(instruction);
            sums.push(sum);
        }
        sums
    }

    #[must_use]
    pub fn leave(&self, _from: &Instruction, _to: &Instruction) -> Tally {
        Tally::ZERO
    }

    #[must_use]
    pub fn exception(&self, _exception: Exception) -> Tally {
        Tally::ZERO
    }
}
