// SPDX-License-Identifier: MIT
//! Models the stalls of a flash memory with an accelerator: its wait states minus the time that its
//! buffers and caches hide.
//!
//! The model follows the STM32L4's ART accelerator (RM0394, 3.3.4). One read of the array yields a
//! line. The line in use stays in a buffer; there is one buffer for instructions and one for data.
//! The next line may be prefetched. Two caches of a few rows keep lines that missed. The manual
//! does not say whether a miss fills its row or only its line, nor whether a line that was
//! prefetched in time is kept. The model follows all of these variants at once: an access that
//! misses in every variant is a miss, and an access that misses in some variants is a *possible*
//! miss.
//!
//! Lanes count misses by kind and thereby leave the length of their stall open. A miss in
//! sequential code stalls for the time that prefetch does not hide. A miss at an exception stalls
//! for the time that stacking does not hide.

#![forbid(unsafe_code)]

mod cache;
mod fetches;
#[cfg(test)]
mod tests;

use cache::{Array, Lookup, RowLines, Rows};
pub use fetches::{Begin, Fetches};
use fetches::{FlashLine, Stall, Summary};
use ticklab_isa::{Flash, Tally};

/// How execution reached a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// From the preceding instruction.
    Sequential,
    /// By a taken branch to the block.
    Branch,
    /// By the entry, exit or tail-chaining of an exception, while the processor stacks or unstacks.
    Exception,
}

/// The state of the memories during one execution, and the lanes that count its stalls.
#[derive(Clone, Debug)]
pub struct MemorySystem {
    array: Array,
    /// The cache contents under the assumption that every line that was read is kept, prefetched or
    /// not.
    all: Rows,
    /// The cache contents under the assumption that only lines for which the processor waited are
    /// kept.
    demanded: Rows,
    /// The line in the instruction buffer.
    in_use: Option<u32>,
    data: Rows,
    data_in_use: Option<u32>,
    prefetch: bool,
    wait_states: u32,
    lanes: StallLanes,
}

/// The lanes of a cycle model that count the stalls.
#[derive(Clone, Copy, Debug)]
pub struct StallLanes {
    pub cycles: usize,
    pub miss: usize,
    pub possible_miss: usize,
    pub hidden_stall: usize,
    pub literal_miss: usize,
}

impl MemorySystem {
    /// Returns the memories in their state after reset.
    #[must_use]
    pub fn new(flash: &Flash, lanes: StallLanes) -> MemorySystem {
        let array = Array::new(flash);
        let instructions = Rows::new(array, flash.instruction_cache);
        MemorySystem {
            array,
            all: instructions.clone(),
            demanded: instructions,
            in_use: None,
            data: Rows::new(array, flash.data_cache),
            data_in_use: None,
            prefetch: flash.prefetch,
            wait_states: flash.wait_states,
            lanes,
        }
    }

    /// Fetches the lines of a block and reads its literals, for the first `executed` instructions,
    /// which were executed.
    #[inline]
    pub fn fetch(
        &mut self,
        fetches: &Fetches,
        executed: usize,
        arrival: Arrival,
        tally: &mut Tally,
    ) {
        let is_whole = executed == fetches.instructions;
        match &fetches.summary {
            Some(summary) if is_whole && self.hits(summary, arrival) => {}
            _ => self.fetch_lines(&fetches.lines, executed, arrival, tally),
        }
        for literal in fetches
            .literals
            .iter()
            .take_while(|line| line.index < executed)
        {
            self.read_line(literal.number, tally);
        }
    }

    /// Returns whether all lines of a block are hits. If they are, marks their rows as used, which
    /// is then the whole effect of [`MemorySystem::fetch_lines`].
    #[inline]
    fn hits(&mut self, block: &Summary, arrival: Arrival) -> bool {
        let is_stream = self.prefetch && arrival == Arrival::Sequential;
        let is_begun =
            is_stream || self.in_use == Some(block.first) || self.is_demanded(block.entry);
        let is_held =
            |&row: &RowLines| self.all.has_read(row) && (self.prefetch || self.is_demanded(row));
        let hits = is_begun && block.rows.iter().all(is_held);
        if hits {
            self.in_use = Some(block.last);
            for &row in &block.rows {
                self.all.touch(row);
                self.demanded.touch(row);
            }
        }
        hits
    }

    /// Returns whether all of `lines`, for which the processor waits, are hits in every variant of
    /// the model.
    #[inline]
    fn is_demanded(&self, lines: RowLines) -> bool {
        self.all.has_copied(lines) && self.demanded.has_copied(lines)
    }

    fn fetch_lines(
        &mut self,
        lines: &[FlashLine],
        executed: usize,
        arrival: Arrival,
        tally: &mut Tally,
    ) {
        let mut lines = lines.iter().take_while(|line| line.index < executed);
        let Some(first) = lines.next() else {
            return;
        };
        let mut lookup = match arrival {
            Arrival::Sequential => self.stream(first.number, first.stall, tally),
            Arrival::Branch => self.branch(first.number, tally),
            Arrival::Exception => self.stacking(first.number, tally),
        };
        for line in lines {
            let stall = stall_after(lookup, line);
            lookup = self.stream(line.number, stall, tally);
        }
    }

    /// Fetches the exception vector at `address`, which the processor reads over the instruction
    /// bus while it stacks (DDI 0337G, 12.3).
    #[inline]
    pub fn vector(&mut self, address: u32, tally: &mut Tally) {
        if let Some(line) = self.array.line(address) {
            self.stacking(line, tally);
        }
    }

    /// Reads data at `address` for an instruction. [`MemorySystem::fetch`] already reads
    /// unconditional literals; do not report those here.
    #[inline]
    pub fn read(&mut self, address: u32, tally: &mut Tally) {
        if let Some(line) = self.array.line(address) {
            self.read_line(line, tally);
        }
    }

    /// Fetches a line that the processor waits for.
    #[inline]
    fn branch(&mut self, line: u32, tally: &mut Tally) -> Lookup {
        let lookup = self.demand(line);
        match lookup {
            Lookup::Hit => {}
            Lookup::PossibleMiss => tally[self.lanes.possible_miss] += 1,
            Lookup::Miss => tally[self.lanes.miss] += 1,
        }
        lookup
    }

    /// Fetches a line while the processor stacks or unstacks.
    #[inline]
    fn stacking(&mut self, line: u32, tally: &mut Tally) -> Lookup {
        let lookup = self.demand(line);
        if lookup != Lookup::Hit {
            tally[self.lanes.hidden_stall] += self.wait_states;
        }
        lookup
    }

    /// Fetches the line after the one in use.
    #[inline]
    fn stream(&mut self, line: u32, stall: Stall, tally: &mut Tally) -> Lookup {
        let lookup = if self.prefetch {
            self.prefetched(line)
        } else {
            self.demand(line)
        };
        if lookup == Lookup::Miss {
            tally[self.lanes.cycles] += stall.least;
            tally[self.lanes.hidden_stall] += stall.most - stall.least;
        } else if lookup == Lookup::PossibleMiss {
            tally[self.lanes.hidden_stall] += stall.most;
        }
        lookup
    }

    #[inline]
    fn demand(&mut self, line: u32) -> Lookup {
        if self.in_use == Some(line) {
            return Lookup::Hit;
        }
        self.in_use = Some(line);
        match (self.all.demand(line), self.demanded.demand(line)) {
            (Lookup::Hit, Lookup::Hit) => Lookup::Hit,
            (Lookup::Miss, Lookup::Miss) => Lookup::Miss,
            _ => Lookup::PossibleMiss,
        }
    }

    #[inline]
    fn prefetched(&mut self, line: u32) -> Lookup {
        if self.in_use == Some(line) {
            return Lookup::Hit;
        }
        self.in_use = Some(line);
        match (self.all.stream(line), self.demanded.holds(line)) {
            (Lookup::Miss, true) => Lookup::PossibleMiss,
            (lookup, _) => lookup,
        }
    }

    #[inline]
    fn read_line(&mut self, line: u32, tally: &mut Tally) {
        if self.data_in_use == Some(line) {
            return;
        }
        self.data_in_use = Some(line);
        match self.data.demand(line) {
            Lookup::Hit => {}
            Lookup::Miss => tally[self.lanes.literal_miss] += 1,
            Lookup::PossibleMiss => tally[self.lanes.possible_miss] += 1,
        }
    }
}

/// Returns the stall of a miss of `line`, given the result for the line before it. Only a read of
/// the line before can have delayed the prefetch, so the stall may be 0 if there was no such read.
#[inline]
fn stall_after(previous: Lookup, line: &FlashLine) -> Stall {
    match previous {
        Lookup::Miss => line.stall,
        _ => Stall {
            least: 0,
            ..line.stall
        },
    }
}
