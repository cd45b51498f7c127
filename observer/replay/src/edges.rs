// SPDX-License-Identifier: MIT
//! Remembers which block followed which, so that repeated transitions are handled fast.
//!
//! Nearly always, a block is executed to its end and continues at a block that followed it before.
//! Then only a known tally is added. This file recognises and handles this case in a few
//! instructions; block_exit.rs handles all other cases.

use crate::block::{Block, BlockId};
use ticklab_isa::{Flow, Tally};
use ticklab_memory::Arrival;

/// The data from which the fast path decides whether only a block's tally is added, packed for the
/// processor's cache.
#[repr(align(32))]
pub(crate) struct FastPath {
    /// The sum that the checkpoints give if the block is executed to its end.
    pub whole: u32,
    /// The two blocks that followed this block last. Not used if the block ends in a computed jump.
    next: [u32; 2],
    /// Whether the block or its edges change a call stack, which is not kept in thread mode unless
    /// calls are followed.
    pub uses_stack: bool,
    /// Whether the block ends in a computed jump. Then any block may follow, except a handler.
    is_computed: bool,
    pub is_handler: bool,
    /// The counts of the block in the lanes that are used without a cycle model.
    pub counted: [u32; 4],
}

/// Marks an unused entry: no block has this number.
const NO_BLOCK: u32 = u32::MAX;

impl FastPath {
    pub fn new(block: &Block, is_handler: bool) -> FastPath {
        let whole = block
            .checkpoints()
            .map(|checkpoint| checkpoint.advance)
            .sum();
        let last = block.last();
        let [instructions, reads, writes, port, ..] = block.sums[block.instructions.len()].0;
        FastPath {
            whole,
            next: [NO_BLOCK; 2],
            uses_stack: last.is_computed_jump()
                || matches!(last.flow, Flow::Call { .. })
                || block.stack_change.is_some(),
            is_computed: last.is_computed_jump(),
            is_handler,
            counted: [instructions, reads, writes, port],
        }
    }

    /// Returns whether `next` may follow without further tests: it followed before, or the jump is
    /// computed and `next` is no handler.
    #[inline]
    pub fn is_known_successor(
        &self,
        next: BlockId,
        next_is_handler: impl FnOnce() -> bool,
    ) -> bool {
        self.next.contains(&(next.0 as u32)) || (self.is_computed && !next_is_handler())
    }

    /// Remembers that `next` followed the block.
    pub fn learn(&mut self, next: BlockId) {
        if !self.is_computed && !self.next.contains(&(next.0 as u32)) {
            self.next = [next.0 as u32, self.next[0]];
        }
    }
}

/// The greatest number of successors of a block whose tallies are stored. A function may return to
/// any number of addresses, so there must be a limit.
const MAX_EDGES: usize = 8;

/// The edges of a block when cycles are modelled.
#[derive(Clone)]
pub(crate) struct Edges {
    /// The successors are stored apart from the tallies, so that a search stays within one cache
    /// line.
    next: [u32; MAX_EDGES],
    edges: Vec<Edge>,
}

/// An edge from a block that was executed to its end to the next block, without an exception
/// between them.
#[derive(Clone)]
pub(crate) struct Edge {
    pub arrival: Arrival,
    /// The tally of the block and the edge.
    pub tally: Tally,
}

impl Edges {
    pub fn new() -> Edges {
        Edges {
            next: [NO_BLOCK; MAX_EDGES],
            edges: Vec::new(),
        }
    }

    #[inline]
    pub fn to(&self, next: BlockId) -> Option<&Edge> {
        let index = self.next.iter().position(|&known| known == next.0 as u32)?;
        self.edges.get(index)
    }

    pub fn learn(&mut self, next: BlockId, edge: Edge) {
        if self.to(next).is_none() && self.edges.len() < MAX_EDGES {
            self.next[self.edges.len()] = next.0 as u32;
            self.edges.push(edge);
        }
    }
}

/// Adds the first four lanes with one vector addition.
#[inline]
pub(crate) fn add_counted(sum: &mut Tally, counted: [u32; 4]) {
    let mut lanes = [sum.0[0], sum.0[1], sum.0[2], sum.0[3]];
    for (lane, count) in lanes.iter_mut().zip(counted) {
        *lane = lane.wrapping_add(count);
    }
    sum.0[..4].copy_from_slice(&lanes);
}
