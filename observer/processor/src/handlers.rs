// SPDX-License-Identifier: MIT
//! Stores the addresses of exception handlers.
//!
//! The image's vector table, or code that installs handlers, defines them before execution. Other
//! handlers are learned when they are first entered.

use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct Handlers {
    /// The address of the vector table at reset.
    pub table: u32,
    /// The address at which execution begins after a reset, if the image defines it.
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

    /// Returns the exceptions with a handler at `address`, in ascending order.
    pub fn at(&self, address: u32) -> &[u16] {
        self.at.get(&address).map_or(&[], Vec::as_slice)
    }

    /// Adds a handler of `exception` at `address`. Returns false if it is already known.
    pub fn add(&mut self, address: u32, exception: u16) -> bool {
        let here = self.at.entry(address).or_default();
        match here.binary_search(&exception) {
            Ok(_) => false,
            Err(position) => {
                here.insert(position, exception);
                true
            }
        }
    }

    /// Returns the exceptions and their handlers in ascending order, with the reset handler as
    /// exception 1.
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
