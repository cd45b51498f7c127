// SPDX-License-Identifier: MIT
//! Defines the tally, a vector with one count for each lane. All counts of the observer are
//! tallies.
//!
//! The width is fixed so that an addition takes a few vector instructions. Lanes that a run does
//! not use stay 0. Counts wrap: the difference of two running tallies is exact if it is below 2³²,
//! and a correction may be "minus one".

use std::ops::{AddAssign, Index, IndexMut, Sub, SubAssign};

/// The number of lanes of every tally, used or not.
pub const LANES: usize = 32;

/// The number of counted lanes. The timing lanes, which are modelled, come after them.
pub const COUNTED: usize = 12;

/// The counted lanes, in the order of docs/reference/formats.md.
pub mod counted {
    pub const INSTRUCTIONS: usize = 0;
    pub const READS: usize = 1;
    pub const WRITES: usize = 2;
    /// Instructions of the kernel's port, at the addresses that the plan names.
    pub const PORT: usize = 3;
    pub const ENTERED: usize = 4;
    pub const LEFT: usize = 5;
    pub const TAIL_CHAINED: usize = 6;
    pub const SVCALL: usize = 7;
    pub const PENDSV: usize = 8;
    pub const SYSTICK: usize = 9;
    pub const EXTERNAL: usize = 10;
    pub const FAULTS: usize = 11;

    /// The lanes that count the entries of exceptions by kind. Each entry counts in exactly one of
    /// them.
    pub const KINDS: std::ops::Range<usize> = SVCALL..super::COUNTED;

    /// The names of the counted lanes in the header of an event log.
    pub const NAMES: [&str; super::COUNTED] = [
        "instructions",
        "reads",
        "writes",
        "port",
        "entered",
        "left",
        "tail_chained",
        "svcall",
        "pendsv",
        "systick",
        "external",
        "faults",
    ];
}

/// A vector of one count per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Tally(pub [u32; LANES]);

impl Tally {
    pub const ZERO: Tally = Tally([0; LANES]);

    /// Returns a tally of 1 in `lane` and 0 elsewhere.
    #[must_use]
    pub fn one(lane: usize) -> Self {
        Self::ZERO.plus(lane, 1)
    }

    /// Returns this tally with `count` more in `lane`.
    #[must_use]
    pub fn plus(mut self, lane: usize, count: u32) -> Self {
        self.0[lane] = self.0[lane].wrapping_add(count);
        self
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::ZERO
    }
}

impl AddAssign<&Tally> for Tally {
    #[inline]
    fn add_assign(&mut self, other: &Tally) {
        for (sum, count) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(*count);
        }
    }
}

impl AddAssign for Tally {
    #[inline]
    fn add_assign(&mut self, other: Tally) {
        *self += &other;
    }
}

impl SubAssign<&Tally> for Tally {
    #[inline]
    fn sub_assign(&mut self, other: &Tally) {
        for (count, less) in self.0.iter_mut().zip(&other.0) {
            *count = count.wrapping_sub(*less);
        }
    }
}

impl Sub for Tally {
    type Output = Tally;

    #[inline]
    fn sub(mut self, earlier: Tally) -> Tally {
        self -= &earlier;
        self
    }
}

impl Index<usize> for Tally {
    type Output = u32;

    #[inline]
    fn index(&self, lane: usize) -> &u32 {
        &self.0[lane]
    }
}

impl IndexMut<usize> for Tally {
    #[inline]
    fn index_mut(&mut self, lane: usize) -> &mut u32 {
        &mut self.0[lane]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_survives_wrapping() {
        let before = Tally::ZERO.plus(3, u32::MAX - 1);
        let mut after = before;
        after += Tally::ZERO.plus(3, 5);
        assert_eq!((after - before)[3], 5);
    }

    #[test]
    fn a_correction_may_be_negative() {
        let mut sum = Tally::ZERO.plus(12, 2);
        sum += Tally::ZERO.plus(12, 1u32.wrapping_neg());
        assert_eq!(sum, Tally::one(12));
    }
}
