// SPDX-License-Identifier: MIT
//! What the memories behind the core add: wait states, prefetch and caches.

use crate::tally::Tally;

/// What executing a block fetches, worked out once when the block is decoded.
#[derive(Clone, Debug, Default)]
pub struct Fetches {}

/// The state of the memories along one execution.
#[derive(Clone, Debug, Default)]
pub struct MemorySystem {}

impl MemorySystem {
    /// The first `executed` instructions of a block were fetched, in order, after everything before.
    #[inline]
    pub fn fetch(&mut self, _fetches: &Fetches, _executed: usize, _tally: &mut Tally) {}

    /// An instruction read data at `address`, literals included.
    #[inline]
    pub fn read(&mut self, _address: u32, _tally: &mut Tally) {}
}
