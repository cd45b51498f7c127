// SPDX-License-Identifier: MIT
//! What nearly every block is to the analysis: the repetition of an arc.

use crate::analysis::Analysis;
use crate::arcs::{Key, Step};
use crate::cells::Stretch;
use crate::stacks::Change;
use ticklab_isa::{Flow, Tally};
use ticklab_replay::BlockId;

impl Analysis<'_> {
    /// Whether all that just happened, since `running` began, is that it ran and led on.
    #[inline]
    pub(crate) fn is_repeating(&self, running: BlockId) -> bool {
        let is_listing = self.listing.as_ref().is_some_and(|listing| listing.is_open);
        self.player.core.was_plain()
            && self.from == 0
            && !is_listing
            && !self.is_new_stack
            && !self.code.blocks[running.0].moves_stack
    }

    /// Counts the way from `running` to `next`. `total` is the core's, behind it.
    #[inline]
    pub(crate) fn repeat(&mut self, running: BlockId, next: usize, total: &Tally) {
        let length = self.player.core.code(running).instructions().len();
        self.execute_effects(running, 0..length);
        let key = Key {
            leaf: self.stack().leaf(),
            block: running.0 as u32,
            next: next as u32,
        };
        if self.models_memory {
            self.add_rest(key, length, total);
        }
        let weight = self.windows.weight;
        let Some(arc) = self.arcs.follow(key) else {
            return self.go_first(key, length, total);
        };
        arc.count += weight;
        match arc.step {
            Step::Stay => {}
            Step::Call(node) => {
                let from = self.player.core.code(running).instructions()[length - 1];
                let function = self.code.blocks[next].function;
                self.tree.get(node).calls += weight;
                self.stack_mut().enter(function, node, from.end());
                self.changed(Change::Entered(function), &from);
            }
            Step::Other => self.step(running, length, next),
        }
    }

    /// What memory made of it this time.
    fn add_rest(&mut self, key: Key, length: usize, total: &Tally) {
        let rest = self.rest(key, length, total);
        let stretch = Stretch {
            leaf: key.leaf,
            block: key.block,
            from: 0,
            to: length as u16,
        };
        let weight = self.windows.weight;
        self.cells.get(stretch).add_rest(weight, &rest);
    }

    /// What was added besides the instructions of the block.
    fn rest(&self, key: Key, length: usize, total: &Tally) -> Tally {
        let block = self.player.core.code(BlockId(key.block as usize));
        *total - self.before - *block.sum(length)
    }

    #[cold]
    fn go_first(&mut self, key: Key, length: usize, total: &Tally) {
        let way = match self.models_memory {
            true => Tally::ZERO,
            false => self.rest(key, length, total),
        };
        let (block, next) = (BlockId(key.block as usize), key.next as usize);
        let step = self.first_step(block, length, next);
        let weight = self.windows.weight;
        self.arcs.add(key, step, length, weight, way);
    }

    /// Goes from the end of `block` to `next`, and says what that will do another time.
    fn first_step(&mut self, block: BlockId, length: usize, next: usize) -> Step {
        let from = self.player.core.code(block).instructions()[length - 1];
        let target = &self.code.blocks[next];
        let is_same = self.stack().function() == Some(target.function);
        let goes_on = target.start == from.end();
        let step = match from.flow {
            Flow::Return | Flow::IndirectBranch => Step::Other,
            Flow::Call { .. } | Flow::IndirectCall if goes_on && from.conditional => Step::Other,
            Flow::Call { .. } | Flow::IndirectCall => {
                self.step(block, length, next);
                return Step::Call(self.stack().leaf());
            }
            _ if is_same => Step::Stay,
            _ => Step::Other,
        };
        self.step(block, length, next);
        step
    }
}
