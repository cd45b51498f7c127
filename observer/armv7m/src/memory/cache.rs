// SPDX-License-Identifier: MIT
//! A small fully associative cache, least recently used row first out, found by table.
//!
//! The table has one byte for each row of the memory behind it, so that a hit costs one look-up and one
//! store however many rows the cache has: the plugin does this for every block that executes.

use crate::profile::{Cache, Flash};

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
    /// In the buffer or in the cache.
    Hit,
    /// In the cache only if a miss fills the whole row.
    PossibleMiss,
    Miss,
}

/// No line and no row has this number: a memory of 4 GiB with lines of 4 bytes has fewer.
const NONE: u32 = u32::MAX;

/// A row that is held: of which lines of the memory, which of them were read, and when it was used last.
#[derive(Clone, Copy, Debug)]
struct Row {
    number: u32,
    lines: u8,
    used: u64,
}

/// The cache, and the buffer in front of it.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// For each row of the memory, 1 + its place in `rows`, or 0.
    places: Vec<u8>,
    rows: Vec<Row>,
    row_bits: u32,
    buffered: u32,
    accesses: u64,
}

impl Rows {
    pub(super) fn new(array: Array, cache: Cache) -> Rows {
        let row_bits = cache.lines_per_row.trailing_zeros();
        let empty = Row {
            number: NONE,
            lines: 0,
            used: 0,
        };
        Rows {
            places: vec![0; (array.lines() >> row_bits) as usize + 1],
            rows: vec![empty; cache.rows as usize],
            row_bits,
            buffered: NONE,
            accesses: 0,
        }
    }

    /// Reads `line`. A line that is still in the buffer never gets to the cache.
    #[inline]
    pub(super) fn access(&mut self, line: u32) -> Found {
        if line == self.buffered {
            return Found::Hit;
        }
        self.buffered = line;
        self.accesses += 1;
        let number = line >> self.row_bits;
        let bit = 1 << (line & ((1 << self.row_bits) - 1));
        match self.places[number as usize] {
            0 => self.replace(number, bit),
            place => self.touch(place, bit),
        }
    }

    #[inline]
    fn touch(&mut self, place: u8, bit: u8) -> Found {
        let row = &mut self.rows[usize::from(place) - 1];
        row.used = self.accesses;
        if row.lines & bit != 0 {
            return Found::Hit;
        }
        row.lines |= bit;
        Found::PossibleMiss
    }

    /// The row used longest ago makes room; one never used is older than any.
    #[cold]
    fn replace(&mut self, number: u32, bit: u8) -> Found {
        let oldest = (0..self.rows.len()).min_by_key(|&place| self.rows[place].used);
        let place = oldest.unwrap_or(0);
        let evicted = self.rows[place].number;
        if evicted != NONE {
            self.places[evicted as usize] = 0;
        }
        self.rows[place] = Row {
            number,
            lines: bit,
            used: self.accesses,
        };
        // A cache has at most 254 rows.
        self.places[number as usize] = place as u8 + 1;
        Found::Miss
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
    fn a_line_in_the_buffer_is_found_and_another_of_its_row_perhaps() {
        let mut rows = rows();
        assert_eq!(rows.access(0), Found::Miss);
        assert_eq!(rows.access(0), Found::Hit);
        assert_eq!(rows.access(1), Found::PossibleMiss);
        assert_eq!(rows.access(0), Found::Hit);
    }

    #[test]
    fn the_row_used_longest_ago_makes_room() {
        let mut rows = rows();
        let first = [0, 2, 0, 4].map(|line| rows.access(line));
        assert_eq!(first, [Found::Miss, Found::Miss, Found::Hit, Found::Miss]);
        // Rows 0 and 2 are held now; row 1 was the oldest.
        assert_eq!(rows.access(0), Found::Hit);
        assert_eq!(rows.access(2), Found::Miss);
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
