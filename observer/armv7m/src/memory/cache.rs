// SPDX-License-Identifier: MIT
//! A small fully associative cache, least recently used row first out, found by table.
//!
//! The table has one byte for each row of the memory behind it, so that a hit costs one look-up and
//! one store however many rows the cache has: the plugin does this for every block that executes.
//!
//! A line may be held for certain, because it was read for an access that missed, or perhaps:
//! because its row is held and a miss may fill the whole row, or because it was prefetched and that
//! may fill no cache.

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
    Hit,
    /// Held perhaps.
    PossibleMiss,
    Miss,
}

/// No row has this number: a memory of 256 MiB with rows of 4 bytes has fewer.
const NONE: u32 = u32::MAX;

/// A row that is held.
#[derive(Clone, Copy, Debug)]
struct Row {
    number: u32,
    /// Which of its lines were read because an access missed.
    copied: u8,
    /// Which were read at all.
    read: u8,
    /// When it was used last.
    used: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// For each row of the memory, 1 + its place in `rows`, or 0.
    places: Vec<u8>,
    rows: Vec<Row>,
    row_bits: u32,
    accesses: u64,
}

impl Rows {
    pub(super) fn new(array: Array, cache: Cache) -> Rows {
        let row_bits = cache.lines_per_row.trailing_zeros();
        let empty = Row {
            number: NONE,
            copied: 0,
            read: 0,
            used: 0,
        };
        Rows {
            places: vec![0; (array.lines() >> row_bits) as usize + 1],
            rows: vec![empty; cache.rows as usize],
            row_bits,
            accesses: 0,
        }
    }

    /// An access that waits for `line`, which is copied into the cache.
    #[inline]
    pub(super) fn demand(&mut self, line: u32) -> Found {
        let bit = self.bit(line);
        let Some(row) = self.used(line) else {
            self.replace(line, bit);
            return Found::Miss;
        };
        let held = row.copied & bit != 0;
        row.copied |= bit;
        row.read |= bit;
        if held {
            Found::Hit
        } else {
            Found::PossibleMiss
        }
    }

    /// An access that finds `line` prefetched if nowhere else. One that was so once will be so
    /// again.
    #[inline]
    pub(super) fn stream(&mut self, line: u32) -> Found {
        let bit = self.bit(line);
        let Some(row) = self.used(line) else {
            self.replace(line, 0);
            return Found::Miss;
        };
        let known = row.read & bit != 0;
        row.read |= bit;
        if known {
            Found::Hit
        } else {
            Found::PossibleMiss
        }
    }

    /// Uses `line` if it is held for certain, and changes nothing else.
    #[inline]
    pub(super) fn holds(&mut self, line: u32) -> bool {
        let bit = self.bit(line);
        self.used(line).is_some_and(|row| row.copied & bit != 0)
    }

    #[inline]
    fn bit(&self, line: u32) -> u8 {
        1 << (line & ((1 << self.row_bits) - 1))
    }

    /// The row of `line`, which is used now, if it is held.
    #[inline]
    fn used(&mut self, line: u32) -> Option<&mut Row> {
        self.accesses += 1;
        let place = self.places[(line >> self.row_bits) as usize].checked_sub(1)?;
        let row = &mut self.rows[usize::from(place)];
        row.used = self.accesses;
        Some(row)
    }

    /// The row used longest ago makes room; one never used is older than any.
    #[cold]
    fn replace(&mut self, line: u32, copied: u8) {
        let oldest = (0..self.rows.len()).min_by_key(|&place| self.rows[place].used);
        let place = oldest.unwrap_or(0);
        let evicted = self.rows[place].number;
        if evicted != NONE {
            self.places[evicted as usize] = 0;
        }
        let number = line >> self.row_bits;
        self.rows[place] = Row {
            number,
            copied,
            read: self.bit(line),
            used: self.accesses,
        };
        // A cache has at most 254 rows.
        self.places[number as usize] = place as u8 + 1;
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
