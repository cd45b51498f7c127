// SPDX-License-Identifier: MIT
//! The reads of flash memory that a block causes, computed once when the block is decoded.

use super::cache::{Array, RowLines};
use ticklab_isa::{Flash, Instruction};

/// The flash lines that contain a block's instructions and literals.
#[derive(Clone, Debug, Default)]
pub struct Fetches {
    pub(super) lines: Vec<FlashLine>,
    pub(super) literals: Vec<FlashLine>,
    /// The number of instructions in the block.
    pub(super) instructions: usize,
    pub(super) summary: Option<Summary>,
}

/// The lines of a whole block, grouped by row, so that few look-ups show whether the cache holds
/// all of them.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) rows: Vec<RowLines>,
    /// The block's first line, as a set of lines of its row.
    pub(super) entry: RowLines,
}

/// A line of the flash memory that a block needs. Instruction `index` of the block is the first
/// that needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlashLine {
    pub(super) number: u32,
    pub(super) index: usize,
    pub(super) stall: Stall,
}

/// The cycles for which the processor stalls if a line misses, for a line that follows the line in
/// use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stall {
    /// The lower bound, if the line in use was read from flash memory as well.
    pub(super) least: u32,
    pub(super) most: u32,
}

/// The cycle in which an instruction of a block begins: once with all assumptions at their low end,
/// once with all at their high end. Both values grow along the block, so their differences bound
/// the time between two instructions.
#[derive(Clone, Copy, Debug)]
pub struct Begin {
    pub soonest: u32,
    pub latest: u32,
}

impl Fetches {
    /// Computes the reads of `block`. `begins` has the cycle in which each instruction begins.
    #[must_use]
    pub fn new(flash: &Flash, block: &[Instruction], begins: &[Begin]) -> Fetches {
        let array = Array::new(flash);
        let mut fetches = Fetches {
            instructions: block.len(),
            ..Fetches::default()
        };
        for (index, instruction) in block.iter().enumerate() {
            let last_byte = instruction.end().wrapping_sub(1);
            for address in [instruction.address, last_byte] {
                fetches.code(flash, array.line(address), index, begins);
            }
            fetches.literal(array, index, instruction);
        }
        let row_bits = flash.instruction_cache.lines_per_row.trailing_zeros();
        fetches.summary = Summary::new(&fetches.lines, row_bits);
        fetches
    }

    fn code(&mut self, flash: &Flash, line: Option<u32>, index: usize, begins: &[Begin]) {
        let last = self.lines.last();
        let Some(number) = line.filter(|line| last.map(|last| last.number) != Some(*line)) else {
            return;
        };
        let stall = match last {
            Some(last) => stall(flash, begins[last.index], begins[index]),
            None => unknown_stall(flash),
        };
        self.lines.push(FlashLine {
            number,
            index,
            stall,
        });
    }

    /// Adds the flash line that an unconditional PC-relative load reads. A conditional one may not
    /// execute, so its read is reported through [`super::MemorySystem::read`], as other data is.
    fn literal(&mut self, array: Array, index: usize, instruction: &Instruction) {
        let literal = instruction.literal.filter(|_| !instruction.conditional);
        if let Some(number) = literal.and_then(|address| array.line(address)) {
            self.literals.push(FlashLine {
                number,
                index,
                stall: Stall::default(),
            });
        }
    }
}

impl Summary {
    fn new(lines: &[FlashLine], row_bits: u32) -> Option<Summary> {
        let mut rows: Vec<RowLines> = Vec::new();
        for line in lines {
            let span = RowLines::new(line.number, row_bits);
            if !rows.last_mut().is_some_and(|row| row.join(span)) {
                rows.push(span);
            }
        }
        let (first, last) = (lines.first()?.number, lines.last()?.number);
        Some(Summary {
            first,
            last,
            rows,
            entry: RowLines::new(first, row_bits),
        })
    }
}

/// Computes the stall of a line needed at `needed`, while the line first needed at `in_use` is in
/// use.
///
/// The prefetch of a line begins when the read of the line before it ends, if that line was read at
/// all. The prefetch therefore hides at most the time for which the line before is in use. Without
/// prefetch, the core's own fetch buffer may hide a whole read or nothing.
fn stall(flash: &Flash, in_use: Begin, needed: Begin) -> Stall {
    if !flash.prefetch {
        return Stall {
            least: 0,
            most: flash.wait_states,
        };
    }
    let read = flash.wait_states + 1;
    let (longest, shortest) = (
        needed.latest - in_use.latest,
        needed.soonest - in_use.soonest,
    );
    Stall {
        least: read.saturating_sub(longest),
        most: read.saturating_sub(shortest).min(flash.wait_states),
    }
}

/// Returns the stall of a block's first line if the fetches before the block are unknown. A line of
/// 64 bits is in use for at least two cycles (RM0394, 3.3.4).
fn unknown_stall(flash: &Flash) -> Stall {
    let hidden = if flash.prefetch { 1 } else { 0 };
    Stall {
        least: 0,
        most: flash.wait_states.saturating_sub(hidden),
    }
}
