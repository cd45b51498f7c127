// SPDX-License-Identifier: MIT
//! What executing a block reads from flash memory, worked out once when the block is decoded.

use super::cache::{Array, Span};
use ticklab_isa::Flash;
use ticklab_isa::Instruction;

/// The lines that a block's instructions and literals lie in.
#[derive(Clone, Debug, Default)]
pub struct Fetches {
    pub(super) lines: Vec<Line>,
    pub(super) literals: Vec<Line>,
    /// How many instructions the block has.
    pub(super) instructions: usize,
    pub(super) summary: Option<Summary>,
}

/// The lines of a whole block by rows of the cache, for the question whether it holds them all.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) rows: Vec<Span>,
    /// The first line again.
    pub(super) entry: Span,
}

/// A line of the flash memory, first needed by the block's instruction `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: u32,
    pub(super) index: usize,
    pub(super) stall: Stall,
}

/// Cycles that a miss of a line stalls behind the line in front of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stall {
    /// If that line was read from flash memory as well.
    pub(super) least: u32,
    pub(super) most: u32,
}

/// The cycles in which an instruction of a block begins: all assumptions at their low, and at their
/// high ends. Both grow along the block, so that differences are bounds of what lies between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begin {
    pub(crate) soonest: u32,
    pub(crate) latest: u32,
}

impl Fetches {
    pub(crate) fn new(flash: &Flash, block: &[Instruction], begins: &[Begin]) -> Fetches {
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
        self.lines.push(Line {
            number,
            index,
            stall,
        });
    }

    /// A conditional literal is read or not: its reader reports it, like other data.
    fn literal(&mut self, array: Array, index: usize, instruction: &Instruction) {
        let literal = instruction.literal.filter(|_| !instruction.conditional);
        if let Some(number) = literal.and_then(|address| array.line(address)) {
            self.literals.push(Line {
                number,
                index,
                stall: Stall::default(),
            });
        }
    }
}

impl Summary {
    fn new(lines: &[Line], row_bits: u32) -> Option<Summary> {
        let mut rows: Vec<Span> = Vec::new();
        for line in lines {
            let span = Span::new(line.number, row_bits);
            if !rows.last_mut().is_some_and(|row| row.join(span)) {
                rows.push(span);
            }
        }
        let (first, last) = (lines.first()?.number, lines.last()?.number);
        Some(Summary {
            first,
            last,
            rows,
            entry: Span::new(first, row_bits),
        })
    }
}

/// Prefetch reads a line while the line in front is in use. It begins when that line has been read,
/// if it was read, and so hides no more than the time for which it is in use. Without prefetch a
/// whole read may be hidden, by the core's own fetch buffer, or nothing.
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

/// A line of 64 bits is in use for two cycles at least (RM0394, 3.3.4).
fn unknown_stall(flash: &Flash) -> Stall {
    let hidden = if flash.prefetch { 1 } else { 0 };
    Stall {
        least: 0,
        most: flash.wait_states.saturating_sub(hidden),
    }
}
