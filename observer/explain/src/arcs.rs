// SPDX-License-Identifier: MIT
//! Ways from block to block under a node of the call tree, and how often each was gone.
//!
//! Nearly all of an execution repeats: the same block, whole, in the same place of the tree, on to
//! the same next block. What that means for tallies and call stacks is found out the first time
//! and only counted from then on.

use crate::cells::{Cells, Mixer, Stretch};
use crate::tree::NodeId;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use ticklab_isa::Tally;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub leaf: NodeId,
    pub block: u32,
    pub next: u32,
}

/// What going that way does to the running call stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing: execution stays within its function.
    Stay,
    /// Calls what this node stands for.
    Call(NodeId),
    /// What the stack says, which knows where functions return to.
    Other,
}

pub struct Arc {
    pub key: Key,
    pub step: Step,
    /// Instructions of the block.
    pub length: u16,
    /// In samples.
    pub count: u64,
    /// What the way adds besides the block's instructions, the same every time.
    pub way: Tally,
    /// The arc that followed the last time.
    then: u32,
}

#[derive(Default)]
pub struct Arcs {
    pub list: Vec<Arc>,
    index: HashMap<Key, u32, BuildHasherDefault<Mixer>>,
    last: u32,
}

impl Arcs {
    /// The arc with this key if execution went that way before: most often the one that followed
    /// the last arc before.
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

    pub fn add(&mut self, key: Key, step: Step, length: usize, count: u64, way: Tally) {
        let id = self.list.len() as u32;
        self.list.push(Arc {
            key,
            step,
            length: length as u16,
            count,
            way,
            then: id,
        });
        self.index.insert(key, id);
        self.last = id;
    }

    /// Adds all of it to the cells.
    pub fn settle(&self, cells: &mut Cells) {
        for arc in self.list.iter().filter(|arc| arc.count > 0) {
            let cell = cells.get(Stretch {
                leaf: arc.key.leaf,
                block: arc.key.block,
                from: 0,
                to: arc.length,
            });
            cell.add(arc.count, &arc.way);
        }
    }
}
