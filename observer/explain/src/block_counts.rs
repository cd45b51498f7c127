// SPDX-License-Identifier: MIT
//! Counts how often each range of a block was executed under each node of the call tree.
//!
//! Nearly all of an execution repeats. So the counts are kept for each range of a block, and
//! converted once, at the end, to sums for each instruction and node (`Analysis::sum_blocks`).

use crate::tree::{NodeId, Sum};
use rustc_hash::FxHashMap;
use ticklab_isa::Tally;

/// The instructions `from` to `to` (exclusive) of a block, executed under the node `leaf` of the
/// call tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockRange {
    pub leaf: NodeId,
    pub block: u32,
    pub from: u16,
    pub to: u16,
}

pub struct RangeCount {
    pub range: BlockRange,
    pub count: i64,
    /// The sum of the tallies that do not belong to instructions of the block, such as those of
    /// transitions.
    pub rest: Sum,
    /// Conditional memory accesses that were executed: the index of the instruction, and the number
    /// of executions.
    pub accesses: Vec<(usize, i64)>,
}

#[derive(Default)]
pub struct BlockCounts {
    pub list: Vec<RangeCount>,
    index: FxHashMap<BlockRange, usize>,
}

impl BlockCounts {
    #[inline]
    pub fn get(&mut self, range: BlockRange) -> &mut RangeCount {
        let next = self.list.len();
        let index = *self.index.entry(range).or_insert(next);
        if index == next {
            self.list.push(RangeCount {
                range,
                count: 0,
                rest: Sum::ZERO,
                accesses: Vec::new(),
            });
        }
        &mut self.list[index]
    }
}

impl RangeCount {
    /// Adds `count` executions of a range. The tally `rest` is added to each.
    #[inline]
    pub fn add(&mut self, count: i64, rest: &Tally) {
        self.count += count;
        self.add_rest(count, rest);
    }

    #[inline]
    pub fn add_rest(&mut self, count: i64, rest: &Tally) {
        if *rest != Tally::ZERO {
            self.rest.add(rest, count);
        }
    }

    pub fn access(&mut self, index: usize, weight: i64) {
        match self.accesses.iter_mut().find(|(known, _)| *known == index) {
            Some((_, count)) => *count += weight,
            None => self.accesses.push((index, weight)),
        }
    }
}
