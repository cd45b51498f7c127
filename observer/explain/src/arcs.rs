// SPDX-License-Identifier: MIT
//! Counts arcs: transitions from one block to the next under a node of the call tree.
//!
//! Nearly all of an execution repeats earlier arcs: the same block, executed as a whole under the
//! same node of the tree, and followed by the same block. So the effect of an arc on tallies and
//! call stacks is determined at its first execution, and later executions are only counted.

use crate::block_counts::{BlockCounts, BlockRange};
use crate::tree::NodeId;
use rustc_hash::FxHashMap;
use ticklab_isa::Tally;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub leaf: NodeId,
    pub block: u32,
    pub next: u32,
}

/// The effect of an arc on the running call stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackEffect {
    /// No effect: execution stays in its function.
    Stay,
    /// A call of the function that this node stands for.
    Call(NodeId),
    /// The effect depends on the return addresses in the call stack, so it is determined at each
    /// execution.
    Other,
}

pub struct Arc {
    pub key: Key,
    pub effect: StackEffect,
    /// The number of instructions of the block.
    pub length: u16,
    /// The number of executions in summed samples, minus the number in the subtracted sample.
    pub count: i64,
    /// The tally of the transition to the next block, without the block's own instructions. It is
    /// the same at each execution.
    pub transition: Tally,
    /// The index of the arc that followed this one the last time.
    then: u32,
}

#[derive(Default)]
pub struct Arcs {
    pub list: Vec<Arc>,
    index: FxHashMap<Key, u32>,
    last: u32,
}

impl Arcs {
    /// Returns the arc with this key if it was executed before. Looks first at the arc that
    /// followed the previous arc the last time, which is usually the right one.
    #[inline]
    pub fn follow(&mut self, key: Key) -> Option<&mut Arc> {
        let expected = self.list.get(self.last as usize)?.then;
        let is_expected = self.list[expected as usize].key == key;
        let id = if is_expected {
            expected
        } else {
            *self.index.get(&key)?
        };
        self.list[self.last as usize].then = id;
        self.last = id;
        Some(&mut self.list[id as usize])
    }

    pub fn add(
        &mut self,
        key: Key,
        effect: StackEffect,
        length: usize,
        count: i64,
        transition: Tally,
    ) {
        let id = self.list.len() as u32;
        self.list.push(Arc {
            key,
            effect,
            length: length as u16,
            count,
            transition,
            then: id,
        });
        self.index.insert(key, id);
        self.last = id;
    }

    /// Adds the executions of all arcs to the block counts.
    pub fn add_to(&self, block_counts: &mut BlockCounts) {
        for arc in self.list.iter().filter(|arc| arc.count != 0) {
            let entry = block_counts.get(BlockRange {
                leaf: arc.key.leaf,
                block: arc.key.block,
                from: 0,
                to: arc.length,
            });
            entry.add(arc.count, &arc.transition);
        }
    }
}
