// SPDX-License-Identifier: MIT
//! How often each block ran under each node of the tree.
//!
//! Nearly all of an execution repeats: what is counted here is added up once, at the end, for
//! every instruction (`Cells::settle`).

use crate::tree::{NodeId, Sum};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use ticklab_isa::Tally;

/// Instructions `from` to `to` of a block, under a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stretch {
    pub leaf: NodeId,
    pub block: u32,
    pub from: u16,
    pub to: u16,
}

pub struct Cell {
    pub stretch: Stretch,
    pub count: u64,
    /// What was added besides the instructions themselves: the way to what came next.
    pub rest: Sum,
    /// Accesses of conditional instructions: which, and how many.
    pub accesses: Vec<(usize, u64)>,
}

#[derive(Default)]
pub struct Cells {
    pub list: Vec<Cell>,
    index: HashMap<Stretch, usize, BuildHasherDefault<Mixer>>,
}

impl Cells {
    #[inline]
    pub fn get(&mut self, stretch: Stretch) -> &mut Cell {
        let next = self.list.len();
        let place = *self.index.entry(stretch).or_insert(next);
        if place == next {
            self.list.push(Cell {
                stretch,
                count: 0,
                rest: Sum::ZERO,
                accesses: Vec::new(),
            });
        }
        &mut self.list[place]
    }
}

impl Cell {
    /// Ran `count` times, and added `rest` each time.
    #[inline]
    pub fn add(&mut self, count: u64, rest: &Tally) {
        self.count += count;
        self.add_rest(count, rest);
    }

    #[inline]
    pub fn add_rest(&mut self, count: u64, rest: &Tally) {
        if *rest != Tally::ZERO {
            self.rest.add(rest, count);
        }
    }

    pub fn access(&mut self, index: usize, weight: u64) {
        match self.accesses.iter_mut().find(|(known, _)| *known == index) {
            Some((_, count)) => *count += weight,
            None => self.accesses.push((index, weight)),
        }
    }
}

/// A hash of small numbers: one multiplication for each, with the odd number next to 2^64 divided
/// by the golden ratio.
#[derive(Default)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        self.write_u32((number ^ number >> 32) as u32);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u32(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        let mixed = (self.0.rotate_left(5) ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 32;
    }
}
