// SPDX-License-Identifier: MIT
//! What a flash memory behind an accelerator adds: wait states less what its buffers and caches
//! hide.
//!
//! After the STM32L4's ART accelerator (RM0394, 3.3.4): one read of the array yields a line; the
//! line in use stays in a buffer, one for instructions and one for data; the next line may be
//! prefetched; lines that missed are kept in two caches of a few rows. The manual leaves open
//! whether a miss fills its row or only its line, and whether a line that prefetch brings in time
//! is kept. All are followed at once: an access that misses in any case is a miss, one that misses
//! in some a *possible* miss.
//!
//! Lanes count misses by kind, and so leave open how long they stall. A miss in sequential code
//! stalls for what prefetch does not hide of it, and one at an exception for what stacking does not
//! hide.

mod cache;
mod fetches;
#[cfg(test)]
mod tests;

use crate::model::{Assumption, Lanes};
use cache::{Array, Found, Rows, Span};
pub(crate) use fetches::Begin;
pub use fetches::Fetches;
use fetches::{Line, Stall, Summary};
use ticklab_isa::Flash;
use ticklab_isa::Tally;

/// How execution came to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// From the instruction in front of it.
    Sequential,
    /// By a taken branch.
    Branch,
    /// By an exception's entry, exit or tail-chain, while the processor stacks or unstacks.
    Exception,
}

/// The state of the memories along one execution, and where its stalls are counted.
#[derive(Clone, Debug)]
pub struct MemorySystem {
    array: Array,
    /// Every line that was read is kept, prefetched or not.
    all: Rows,
    /// Only the lines that were waited for are kept.
    demanded: Rows,
    /// The line in the buffer of instructions.
    in_use: Option<u32>,
    data: Rows,
    data_in_use: Option<u32>,
    prefetch: bool,
    wait_states: u32,
    lanes: Places,
}

/// The lanes of the stalls.
#[derive(Clone, Copy, Debug)]
struct Places {
    cycles: usize,
    miss: usize,
    possible_miss: usize,
    hidden_stall: usize,
    literal_miss: usize,
}

impl Places {
    fn new(lanes: &Lanes) -> Option<Places> {
        Some(Places {
            cycles: lanes.place(Assumption::Cycles)?,
            miss: lanes.place(Assumption::FlashMiss)?,
            possible_miss: lanes.place(Assumption::FlashPossibleMiss)?,
            hidden_stall: lanes.place(Assumption::FlashHiddenStall)?,
            literal_miss: lanes.place(Assumption::LiteralMiss)?,
        })
    }
}

impl MemorySystem {
    pub(crate) fn new(flash: &Flash, lanes: &Lanes) -> Option<MemorySystem> {
        let array = Array::new(flash);
        let instructions = Rows::new(array, flash.instruction_cache);
        Some(MemorySystem {
            array,
            all: instructions.clone(),
            demanded: instructions,
            in_use: None,
            data: Rows::new(array, flash.data_cache),
            data_in_use: None,
            prefetch: flash.prefetch,
            wait_states: flash.wait_states,
            lanes: Places::new(lanes)?,
        })
    }

    /// The first `executed` instructions of a block were executed: its lines are fetched and its
    /// literals read.
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

    /// Whether all lines of a block are hits, which leave nothing behind but that their rows were
    /// used. Uses them if so, and has the same effect as [`MemorySystem::fetch_lines`] then.
    #[inline]
    fn hits(&mut self, block: &Summary, arrival: Arrival) -> bool {
        let is_stream = self.prefetch && arrival == Arrival::Sequential;
        let is_begun =
            is_stream || self.in_use == Some(block.first) || self.is_demanded(block.entry);
        let is_held =
            |&row: &Span| self.all.has_read(row) && (self.prefetch || self.is_demanded(row));
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

    /// Whether to wait for `lines` is a hit whatever the cache keeps.
    #[inline]
    fn is_demanded(&self, lines: Span) -> bool {
        self.all.has_copied(lines) && self.demanded.has_copied(lines)
    }

    fn fetch_lines(
        &mut self,
        lines: &[Line],
        executed: usize,
        arrival: Arrival,
        tally: &mut Tally,
    ) {
        let mut lines = lines.iter().take_while(|line| line.index < executed);
        let Some(first) = lines.next() else {
            return;
        };
        let mut found = match arrival {
            Arrival::Sequential => self.stream(first.number, first.stall, tally),
            Arrival::Branch => self.branch(first.number, tally),
            Arrival::Exception => self.stacking(first.number, tally),
        };
        for line in lines {
            let stall = behind(found, line);
            found = self.stream(line.number, stall, tally);
        }
    }

    /// The processor fetched the vector at `address`, over the bus of instructions (DDI 0337G,
    /// 12.3) and while it stacked.
    #[inline]
    pub fn vector(&mut self, address: u32, tally: &mut Tally) {
        if let Some(line) = self.array.line(address) {
            self.stacking(line, tally);
        }
    }

    /// An instruction read data at `address`, other than the unconditional literals that
    /// [`MemorySystem::fetch`] knows of.
    #[inline]
    pub fn read(&mut self, address: u32, tally: &mut Tally) {
        if let Some(line) = self.array.line(address) {
            self.read_line(line, tally);
        }
    }

    /// A fetch that the processor waits for.
    #[inline]
    fn branch(&mut self, line: u32, tally: &mut Tally) -> Found {
        let found = self.demand(line);
        match found {
            Found::Hit => {}
            Found::PossibleMiss => tally[self.lanes.possible_miss] += 1,
            Found::Miss => tally[self.lanes.miss] += 1,
        }
        found
    }

    /// A fetch while the processor stacks or unstacks.
    #[inline]
    fn stacking(&mut self, line: u32, tally: &mut Tally) -> Found {
        let found = self.demand(line);
        if found != Found::Hit {
            tally[self.lanes.hidden_stall] += self.wait_states;
        }
        found
    }

    /// A fetch of the line behind the one in use.
    #[inline]
    fn stream(&mut self, line: u32, stall: Stall, tally: &mut Tally) -> Found {
        let found = if self.prefetch {
            self.prefetched(line)
        } else {
            self.demand(line)
        };
        if found == Found::Miss {
            tally[self.lanes.cycles] += stall.least;
            tally[self.lanes.hidden_stall] += stall.most - stall.least;
        } else if found == Found::PossibleMiss {
            tally[self.lanes.hidden_stall] += stall.most;
        }
        found
    }

    #[inline]
    fn demand(&mut self, line: u32) -> Found {
        if self.in_use == Some(line) {
            return Found::Hit;
        }
        self.in_use = Some(line);
        match (self.all.demand(line), self.demanded.demand(line)) {
            (Found::Hit, Found::Hit) => Found::Hit,
            (Found::Miss, Found::Miss) => Found::Miss,
            _ => Found::PossibleMiss,
        }
    }

    #[inline]
    fn prefetched(&mut self, line: u32) -> Found {
        if self.in_use == Some(line) {
            return Found::Hit;
        }
        self.in_use = Some(line);
        match (self.all.stream(line), self.demanded.holds(line)) {
            (Found::Miss, true) => Found::PossibleMiss,
            (found, _) => found,
        }
    }

    #[inline]
    fn read_line(&mut self, line: u32, tally: &mut Tally) {
        if self.data_in_use == Some(line) {
            return;
        }
        self.data_in_use = Some(line);
        match self.data.demand(line) {
            Found::Hit => {}
            Found::Miss => tally[self.lanes.literal_miss] += 1,
            Found::PossibleMiss => tally[self.lanes.possible_miss] += 1,
        }
    }
}

/// What a miss of `line` stalls, if the line in front of it was `found` so: only a read of that
/// line keeps the prefetch from having begun before.
#[inline]
fn behind(found: Found, line: &Line) -> Stall {
    match found {
        Found::Miss => line.stall,
        _ => Stall {
            least: 0,
            ..line.stall
        },
    }
}
