// SPDX-License-Identifier: MIT
//! Models a small, fully associative cache that evicts the least recently used row.
//!
//! A table with an entry for each row of the cached memory finds a row. A hit therefore costs one
//! look-up and one store, however many rows the cache has. The plugin pays this cost for every
//! block that executes.
//!
//! The cache certainly holds a line that it read for an access that missed. It possibly holds two
//! other kinds of line: the other lines of a held row, because a miss may fill the whole row, and
//! prefetched lines, because a prefetch may fill no cache.

use ticklab_isa::{Cache, Flash};

/// The cached memory: its address range, and the size of its lines, which are numbered from its
/// start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array {
    origin: u32,
    bytes: u32,
    line_bits: u32,
}

impl Array {
    pub(super) fn new(flash: &Flash) -> Array {
        Array {
            origin: flash.origin,
            bytes: flash.bytes,
            line_bits: flash.line_bytes.trailing_zeros(),
        }
    }

    /// Returns the line that contains `address`, or `None` outside the memory.
    #[inline]
    pub(super) fn line(self, address: u32) -> Option<u32> {
        let offset = address.wrapping_sub(self.origin);
        (offset < self.bytes).then_some(offset >> self.line_bits)
    }

    fn lines(self) -> u32 {
        ((self.bytes - 1) >> self.line_bits) + 1
    }
}

/// The result of looking a line up in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    Hit,
    /// The cache possibly holds the line.
    PossibleMiss,
    Miss,
}

/// A set of lines in one row of the memory. A row is a group of adjacent lines that share a slot of
/// the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowLines {
    row: u32,
    /// One bit for each line of the row.
    lines: u8,
}

/// Marks an empty slot. No row has this number: a memory of 256 MiB with rows of 4 bytes has fewer.
const NO_ROW: u32 = u32::MAX;

/// For one row of the memory, the lines that the cache holds.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    /// The slot of the cache that holds the row, or [`NO_SLOT`].
    slot: u8,
    /// The lines that were read because an access missed.
    copied: u8,
    /// The lines that were read for any reason.
    read: u8,
}

/// The slot of every row that is not cached. It never holds a row, so touching an uncached row
/// needs no branch.
const NO_SLOT: u8 = 0;

#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// For each row of the memory, by its number: the lines that the cache holds.
    held: Vec<Held>,
    /// For each slot of the cache: the number of the row that it holds, and the time of the row's
    /// last use.
    numbers: Vec<u32>,
    used: Vec<u64>,
    row_bits: u32,
    accesses: u64,
}

impl Rows {
    pub(super) fn new(array: Array, cache: Cache) -> Rows {
        let row_bits = cache.lines_per_row.trailing_zeros();
        let slots = cache.rows as usize + 1;
        Rows {
            held: vec![Held::default(); (array.lines() >> row_bits) as usize + 1],
            numbers: vec![NO_ROW; slots],
            used: vec![0; slots],
            row_bits,
            accesses: 0,
        }
    }

    /// Looks `line` up for an access for which the processor waits. Afterwards the cache holds the
    /// line.
    #[inline]
    pub(super) fn demand(&mut self, line: u32) -> Lookup {
        let span = self.span(line);
        self.touch(span);
        let (held, bit) = (&mut self.held[span.row as usize], span.lines);
        if held.slot == NO_SLOT {
            self.replace(span, bit);
            return Lookup::Miss;
        }
        let is_held = held.copied & bit != 0;
        held.copied |= bit;
        held.read |= bit;
        if is_held {
            Lookup::Hit
        } else {
            Lookup::PossibleMiss
        }
    }

    /// Looks `line` up for an access that a prefetch precedes. If the cache does not hold the line,
    /// it is prefetched. A line that was prefetched once is assumed to be prefetched in time again.
    #[inline]
    pub(super) fn stream(&mut self, line: u32) -> Lookup {
        let span = self.span(line);
        self.touch(span);
        let (held, bit) = (&mut self.held[span.row as usize], span.lines);
        if held.slot == NO_SLOT {
            self.replace(span, 0);
            return Lookup::Miss;
        }
        let is_known = held.read & bit != 0;
        held.read |= bit;
        if is_known {
            Lookup::Hit
        } else {
            Lookup::PossibleMiss
        }
    }

    /// Returns whether the cache certainly holds `line`. Marks its row as used and changes nothing
    /// else.
    #[inline]
    pub(super) fn holds(&mut self, line: u32) -> bool {
        let span = self.span(line);
        self.touch(span);
        self.has_copied(span)
    }

    #[inline]
    pub(super) fn has_copied(&self, span: RowLines) -> bool {
        self.held[span.row as usize].copied & span.lines == span.lines
    }

    #[inline]
    pub(super) fn has_read(&self, span: RowLines) -> bool {
        self.held[span.row as usize].read & span.lines == span.lines
    }

    #[inline]
    fn span(&self, line: u32) -> RowLines {
        RowLines::new(line, self.row_bits)
    }

    /// Marks the row as used now, if the cache holds it.
    #[inline]
    pub(super) fn touch(&mut self, span: RowLines) {
        self.accesses += 1;
        let slot = self.held[span.row as usize].slot;
        self.used[usize::from(slot)] = self.accesses;
    }

    /// Evicts the least recently used row, to make room for the row of `span`. An empty slot counts
    /// as older than any row.
    #[cold]
    fn replace(&mut self, span: RowLines, copied: u8) {
        let oldest = (1..self.used.len()).min_by_key(|&slot| self.used[slot]);
        let Some(slot) = oldest else { return }; // there is no cache
        let evicted = self.numbers[slot];
        if evicted != NO_ROW {
            self.held[evicted as usize] = Held::default();
        }
        self.numbers[slot] = span.row;
        self.used[slot] = self.accesses;
        self.held[span.row as usize] = Held {
            // The profile allows at most 254 rows.
            slot: slot as u8,
            copied,
            read: span.lines,
        };
    }
}

impl RowLines {
    /// Returns the set that contains only `line`, for rows of 2 to the power of `row_bits` lines.
    #[inline]
    pub(super) fn new(line: u32, row_bits: u32) -> RowLines {
        RowLines {
            row: line >> row_bits,
            lines: 1 << (line & ((1 << row_bits) - 1)),
        }
    }

    /// Adds the lines of `other` if both are of the same row, and returns whether they are.
    pub(super) fn join(&mut self, other: RowLines) -> bool {
        let is_same = self.row == other.row;
        if is_same {
            self.lines |= other.lines;
        }
        is_same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a cache of two rows, each with two lines of 8 bytes.
    fn rows() -> Rows {
        let cache = Cache {
            rows: 2,
            lines_per_row: 2,
        };
        let array = Array {
            origin: 0,
            bytes: 1024,
            line_bits: 3,
        };
        Rows::new(array, cache)
    }

    #[test]
    fn the_missed_line_hits_and_another_of_its_row_may_hit() {
        let mut rows = rows();
        assert_eq!(rows.demand(0), Lookup::Miss);
        assert_eq!(rows.demand(0), Lookup::Hit);
        assert_eq!(rows.demand(1), Lookup::PossibleMiss);
        assert_eq!(rows.demand(1), Lookup::Hit);
    }

    #[test]
    fn a_prefetched_line_may_be_held() {
        let mut rows = rows();
        assert_eq!(rows.stream(0), Lookup::Miss);
        assert_eq!(rows.stream(0), Lookup::Hit);
        assert!(!rows.holds(0));
        assert_eq!(rows.demand(0), Lookup::PossibleMiss);
        assert!(rows.holds(0));
    }

    #[test]
    fn the_least_recently_used_row_is_evicted() {
        let mut rows = rows();
        let first = [0, 2, 0, 4].map(|line| rows.demand(line));
        assert_eq!(
            first,
            [Lookup::Miss, Lookup::Miss, Lookup::Hit, Lookup::Miss]
        );
        // The cache now holds rows 0 and 2; row 1 was the least recently used.
        assert_eq!(rows.demand(0), Lookup::Hit);
        assert_eq!(rows.demand(2), Lookup::Miss);
    }

    #[test]
    fn addresses_outside_the_memory_have_no_line() {
        let array = Array {
            origin: 0x100,
            bytes: 20,
            line_bits: 3,
        };
        assert_eq!(array.line(0xff), None);
        assert_eq!(array.line(0x113), Some(2));
        assert_eq!(array.line(0x114), None);
        assert_eq!(array.lines(), 3);
    }
}
