// SPDX-License-Identifier: MIT
//! The fast path for a block whose arc (transition under a node of the call tree) was executed
//! before, which is so for nearly every block.

use crate::analysis::Analysis;
use crate::arcs::{Key, StackEffect};
use crate::block_counts::BlockRange;
use crate::stacks::StackChange;
use ticklab_isa::{Flow, Tally};
use ticklab_replay::{BlockId, Core};

impl Analysis<'_> {
    /// Returns whether block `running` was executed from its beginning to its end, without an
    /// exception, a change of stacks or an open listing.
    #[inline]
    pub(crate) fn is_repeating(&self, core: &Core, running: BlockId) -> bool {
        let is_listing = self.listing.as_ref().is_some_and(|listing| listing.is_open);
        core.was_plain()
            && self.from == 0
            && !is_listing
            && !self.is_new_stack
            && !self.code.blocks[running.0].moves_stack
    }

    /// Counts an execution of the arc from `running` to `next`. `total` is the core's total after
    /// the arc.
    #[inline]
    pub(crate) fn repeat(&mut self, core: &Core, running: BlockId, next: usize, total: &Tally) {
        let length = core.code(running).instructions().len();
        self.execute_effects(core, running, 0..length);
        let key = Key {
            leaf: self.stack().leaf(),
            block: running.0 as u32,
            next: next as u32,
        };
        if self.models_memory {
            self.add_rest(core, key, length, total);
        }
        let weight = self.windows.weight;
        let Some(arc) = self.arcs.follow(key) else {
            return self.follow_first(core, key, length, total);
        };
        arc.count += weight;
        match arc.effect {
            StackEffect::Stay => {}
            StackEffect::Call(node) => {
                let from = core.code(running).instructions()[length - 1];
                let function = self.code.blocks[next].function;
                self.tree.get(node).calls += weight;
                self.stack_mut().enter(function, node, from.end());
                self.stack_changed(core, StackChange::Entered(function), &from);
            }
            StackEffect::Other => self.transfer(core, running, length, next),
        }
    }

    /// Adds the cycles for which this execution of the block stalled on memory.
    fn add_rest(&mut self, core: &Core, key: Key, length: usize, total: &Tally) {
        let rest = self.rest(core, key, length, total);
        let range = BlockRange {
            leaf: key.leaf,
            block: key.block,
            from: 0,
            to: length as u16,
        };
        let weight = self.windows.weight;
        self.block_counts.get(range).add_rest(weight, &rest);
    }

    /// Returns what was counted since the begin of the block, apart from the tally of the block's
    /// instructions.
    fn rest(&self, core: &Core, key: Key, length: usize, total: &Tally) -> Tally {
        let block = core.code(BlockId(key.block as usize));
        *total - self.before - *block.sum(length)
    }

    #[cold]
    fn follow_first(&mut self, core: &Core, key: Key, length: usize, total: &Tally) {
        let transition = match self.models_memory {
            true => Tally::ZERO,
            false => self.rest(core, key, length, total),
        };
        let (block, next) = (BlockId(key.block as usize), key.next as usize);
        let effect = self.first_transfer(core, block, length, next);
        let weight = self.windows.weight;
        self.arcs.add(key, effect, length, weight, transition);
    }

    /// Follows the first execution of an arc from the end of `block` to `next`, and returns its
    /// effect on the call stack.
    fn first_transfer(
        &mut self,
        core: &Core,
        block: BlockId,
        length: usize,
        next: usize,
    ) -> StackEffect {
        let from = core.code(block).instructions()[length - 1];
        let target = &self.code.blocks[next];
        let is_same = self.stack().function() == Some(target.function);
        let continues = target.start == from.end();
        let effect = match from.flow {
            Flow::Return | Flow::IndirectBranch => StackEffect::Other,
            Flow::Call { .. } | Flow::IndirectCall if continues && from.conditional => {
                StackEffect::Other
            }
            Flow::Call { .. } | Flow::IndirectCall => {
                self.transfer(core, block, length, next);
                return StackEffect::Call(self.stack().leaf());
            }
            _ if is_same => StackEffect::Stay,
            _ => StackEffect::Other,
        };
        self.transfer(core, block, length, next);
        effect
    }
}
