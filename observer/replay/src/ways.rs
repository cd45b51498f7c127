// SPDX-License-Identifier: MIT
//! Ways from block to block that execution went before.
//!
//! Nearly always a block runs to its end and goes on as it did before, and nothing but a known
//! tally is to be added. That is decided and done here in a few instructions; all else is the
//! business of transfer.rs.

use crate::block::Block;
use crate::core::BlockId;
use ticklab_armv7m::Arrival;
use ticklab_isa::{Flow, Instruction, Tally};

/// What decides at nearly every block that only its tally is to be added, packed for the cache.
#[repr(align(32))]
pub(crate) struct ShortCut {
    /// What the checkpoints add up to if the block ran to its end.
    pub whole: u32,
    /// Where it went on before, unless it ends in a computed jump.
    next: [u32; 2],
    /// Whether its ways change a call stack: they do not matter in thread mode.
    pub uses_stack: bool,
    /// Whether it ends in a computed jump: any block that is no handler may follow.
    is_computed: bool,
    pub is_handler: bool,
    /// The lanes that blocks fill when only counting.
    pub counted: [u32; 4],
}

/// What a block's number never is.
const NOWHERE: u32 = u32::MAX;

impl ShortCut {
    pub fn new(block: &Block, is_handler: bool) -> ShortCut {
        let whole = block
            .checkpoints()
            .map(|checkpoint| checkpoint.advance)
            .sum();
        let last = block.last();
        let [instructions, reads, writes, ..] = block.sums[block.instructions.len()].0;
        ShortCut {
            whole,
            next: [NOWHERE; 2],
            uses_stack: is_computed(last) || matches!(last.flow, Flow::Call { .. }),
            is_computed: is_computed(last),
            is_handler,
            counted: [instructions, reads, writes, 0],
        }
    }

    /// Whether execution goes on at `next` without a look: there before, or computed and to no
    /// handler.
    #[inline]
    pub fn leads_to(&self, next: BlockId, next_is_handler: impl FnOnce() -> bool) -> bool {
        self.next.contains(&(next.0 as u32)) || (self.is_computed && !next_is_handler())
    }

    /// Remembers that execution went on at `next`.
    pub fn learn(&mut self, next: BlockId) {
        if !self.is_computed && !self.next.contains(&(next.0 as u32)) {
            self.next = [next.0 as u32, self.next[0]];
        }
    }
}

/// How many ways out of a block are kept with their tallies; a function may return to any number of
/// places.
const KEPT: usize = 8;

/// The ways out of a block when its cycles are modelled.
#[derive(Clone)]
pub(crate) struct Ways {
    /// Apart from the tallies, so that a search stays within one line of the cache.
    next: [u32; KEPT],
    ways: Vec<Way>,
}

/// From a block that ran to its end to the next one, with no exception between.
#[derive(Clone)]
pub(crate) struct Way {
    pub arrival: Arrival,
    /// What the block and the way add.
    pub tally: Tally,
}

impl Ways {
    pub fn new() -> Ways {
        Ways {
            next: [NOWHERE; KEPT],
            ways: Vec::new(),
        }
    }

    #[inline]
    pub fn to(&self, next: BlockId) -> Option<&Way> {
        let index = self.next.iter().position(|&known| known == next.0 as u32)?;
        self.ways.get(index)
    }

    pub fn learn(&mut self, next: BlockId, way: Way) {
        if self.to(next).is_none() && self.ways.len() < KEPT {
            self.next[self.ways.len()] = next.0 as u32;
            self.ways.push(way);
        }
    }
}

/// Whether only execution tells where `instruction` leads.
pub(crate) fn is_computed(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow,
        Flow::IndirectBranch | Flow::IndirectCall | Flow::Return | Flow::ExceptionReturn
    )
}

/// Adds the first four lanes: one vector addition.
#[inline]
pub(crate) fn add_counted(sum: &mut Tally, counted: [u32; 4]) {
    let mut lanes = [sum.0[0], sum.0[1], sum.0[2], sum.0[3]];
    for (lane, count) in lanes.iter_mut().zip(counted) {
        *lane = lane.wrapping_add(count);
    }
    sum.0[..4].copy_from_slice(&lanes);
}
