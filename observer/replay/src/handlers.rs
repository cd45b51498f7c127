// SPDX-License-Identifier: MIT
//! Where the handlers of exceptions begin.
//!
//! A vector table of the image may say so before anything runs, or code that installs one; others
//! are learned when they are first entered.

use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct Handlers {
    /// The address of the vector table at reset.
    pub table: u32,
    /// Where execution begins after a reset, if that is a place like any other.
    pub reset: Option<u32>,
    at: HashMap<u32, Vec<u16>>,
}

impl Handlers {
    pub fn new(table: u32) -> Handlers {
        Handlers {
            table,
            ..Handlers::default()
        }
    }

    /// The exceptions whose handler begins at `address`, in ascending order.
    pub fn at(&self, address: u32) -> &[u16] {
        self.at.get(&address).map_or(&[], Vec::as_slice)
    }

    /// The handler of `exception` begins at `address`, too. False if that is known.
    pub fn add(&mut self, address: u32, exception: u16) -> bool {
        let here = self.at.entry(address).or_default();
        match here.binary_search(&exception) {
            Ok(_) => false,
            Err(place) => {
                here.insert(place, exception);
                true
            }
        }
    }

    /// Exceptions and their handlers in ascending order, what runs after a reset as exception 1.
    pub fn all(&self) -> Vec<(u16, u32)> {
        let pairs = |(&address, exceptions): (&u32, &Vec<u16>)| {
            let pair = |&exception| (exception, address);
            exceptions.iter().map(pair).collect::<Vec<_>>()
        };
        let reset = self.reset.map(|address| (1, address));
        let mut all: Vec<_> = self.at.iter().flat_map(pairs).chain(reset).collect();
        all.sort_unstable();
        all
    }
}
