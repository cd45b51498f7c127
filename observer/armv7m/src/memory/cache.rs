// SPDX-License-Identifier: MIT
//! A small fully associative cache, least recently used row first out, found by table.
//!
//! The table has an entry for each row of the memory behind it, so that a hit costs one look-up and
//! one store however many rows the cache has: the plugin does this for every block that executes.
//!
//! A line may be held for certain, because it was read for an access that missed, or perhaps:
//! because its row is held and a miss may fill the whole row, or because it was prefetched and that
//! may fill no cache.

use ticklab_isa::{Cache, Flash};

/// Where the memory lies and how it is cut into lines, which are numbered from its beginning.
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

    /// The line that holds `address`, if the memory does.
    #[inline]
    pub(super) fn line(self, address: u32) -> Option<u32> {
        let offset = address.wrapping_sub(self.origin);
        (offset < self.bytes).then_some(offset >> self.line_bits)
    }

    fn lines(self) -> u32 {
        ((self.bytes - 1) >> self.line_bits) + 1
    }
}

/// What became of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Hit,
    /// Held perhaps.
    PossibleMiss,
    Miss,
}

/// Lines of one row of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    row: u32,
    /// One bit for each.
    lines: u8,
}

/// No row has this number: a memory of 256 MiB with rows of 4 bytes has fewer.
const NONE: u32 = u32::MAX;

/// What is held of a row of the memory.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    /// Its place in the cache, or [`NOWHERE`].
    place: u8,
    /// Which of its lines were read because an access missed.
    copied: u8,
    /// Which were read at all.
    read: u8,
}

/// No row is held at this place, so that using what is not held needs no branch.
const NOWHERE: u8 = 0;

#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// For each row of the memory.
    held: Vec<Held>,
    /// For each place, which row it holds and when that was used last.
    numbers: Vec<u32>,
    used: Vec<u64>,
    row_bits: u32,
    accesses: u64,
}

impl Rows {
    pub(super) fn new(array: Array, cache: Cache) -> Rows {
        let row_bits = cache.lines_per_row.trailing_zeros();
        let places = cache.rows as usize + 1;
        Rows {
            held: vec![Held::default(); (array.lines() >> row_bits) as usize + 1],
            numbers: vec![NONE; places],
            used: vec![0; places],
            row_bits,
            accesses: 0,
        }
    }

    /// An access that waits for `line`, which is copied into the cache.
    #[inline]
    pub(super) fn demand(&mut self, line: u32) -> Found {
        let span = self.span(line);
        self.touch(span);
        let (held, bit) = (&mut self.held[span.row as usize], span.lines);
        if held.place == NOWHERE {
            self.replace(span, bit);
            return Found::Miss;
        }
        let is_held = held.copied & bit != 0;
        held.copied |= bit;
        held.read |= bit;
        if is_held {
            Found::Hit
        } else {
            Found::PossibleMiss
        }
    }

    /// An access that finds `line` prefetched if nowhere else. One that was so once will be so
    /// again.
    #[inline]
    pub(super) fn stream(&mut self, line: u32) -> Found {
        let span = self.span(line);
        self.touch(span);
        let (held, bit) = (&mut self.held[span.row as usize], span.lines);
        if held.place == NOWHERE {
            self.replace(span, 0);
            return Found::Miss;
        }
        let is_known = held.read & bit != 0;
        held.read |= bit;
        if is_known {
            Found::Hit
        } else {
            Found::PossibleMiss
        }
    }

    /// Uses `line` if it is held for certain, and changes nothing else.
    #[inline]
    pub(super) fn holds(&mut self, line: u32) -> bool {
        let span = self.span(line);
        self.touch(span);
        self.has_copied(span)
    }

    #[inline]
    pub(super) fn has_copied(&self, span: Span) -> bool {
        self.held[span.row as usize].copied & span.lines == span.lines
    }

    #[inline]
    pub(super) fn has_read(&self, span: Span) -> bool {
        self.held[span.row as usize].read & span.lines == span.lines
    }

    #[inline]
    fn span(&self, line: u32) -> Span {
        Span::new(line, self.row_bits)
    }

    /// The row is used now, if it is held.
    #[inline]
    pub(super) fn touch(&mut self, span: Span) {
        self.accesses += 1;
        let place = self.held[span.row as usize].place;
        self.used[usize::from(place)] = self.accesses;
    }

    /// The row used longest ago makes room; one never used is older than any.
    #[cold]
    fn replace(&mut self, span: Span, copied: u8) {
        let oldest = (1..self.used.len()).min_by_key(|&place| self.used[place]);
        let place = oldest.unwrap_or(1);
        let evicted = self.numbers[place];
        if evicted != NONE {
            self.held[evicted as usize] = Held::default();
        }
        self.numbers[place] = span.row;
        self.used[place] = self.accesses;
        self.held[span.row as usize] = Held {
            // A cache has at most 254 rows.
            place: place as u8,
            copied,
            read: span.lines,
        };
    }
}

impl Span {
    /// `line` alone, where a row has 2 to the power of `row_bits`.
    #[inline]
    pub(super) fn new(line: u32, row_bits: u32) -> Span {
        Span {
            row: line >> row_bits,
            lines: 1 << (line & ((1 << row_bits) - 1)),
        }
    }

    /// Adds the lines of `other` if they are of the same row.
    pub(super) fn join(&mut self, other: Span) -> bool {
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

    /// Two rows of two lines of 8 bytes.
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
    fn a_line_is_found_and_another_of_its_row_perhaps() {
        let mut rows = rows();
        assert_eq!(rows.demand(0), Found::Miss);
        assert_eq!(rows.demand(0), Found::Hit);
        assert_eq!(rows.demand(1), Found::PossibleMiss);
        assert_eq!(rows.demand(1), Found::Hit);
    }

    #[test]
    fn a_prefetched_line_is_held_perhaps() {
        let mut rows = rows();
        assert_eq!(rows.stream(0), Found::Miss);
        assert_eq!(rows.stream(0), Found::Hit);
        assert!(!rows.holds(0));
        assert_eq!(rows.demand(0), Found::PossibleMiss);
        assert!(rows.holds(0));
    }

    #[test]
    fn the_row_used_longest_ago_makes_room() {
        let mut rows = rows();
        let first = [0, 2, 0, 4].map(|line| rows.demand(line));
        assert_eq!(first, [Found::Miss, Found::Miss, Found::Hit, Found::Miss]);
        // Rows 0 and 2 are held now; row 1 was the oldest.
        assert_eq!(rows.demand(0), Found::Hit);
        assert_eq!(rows.demand(2), Found::Miss);
    }

    #[test]
    fn lines_end_with_the_memory() {
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
