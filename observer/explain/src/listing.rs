// SPDX-License-Identifier: MIT
//! Lists one sample, instruction by instruction.

use crate::functions::FunctionId;
use crate::tree::Role;

#[derive(Clone, Copy, Debug)]
pub struct ListingRow {
    pub address: u32,
    /// The context (task or exception) of the row, as an index into the listing's contexts.
    pub context: usize,
    pub function: FunctionId,
    pub depth: usize,
    pub is_masked: bool,
    /// False for a conditional access that was skipped.
    pub is_executed: bool,
}

/// The listed sample, the passes of marks at which it begins and ends, and its rows.
#[derive(Default)]
pub struct Listing {
    pub sample: usize,
    pub begin: usize,
    pub end: usize,
    pub is_open: bool,
    pub contexts: Vec<Role>,
    pub rows: Vec<ListingRow>,
}

impl Listing {
    pub fn pass(&mut self, pass: usize) {
        if pass == self.begin {
            self.is_open = true;
        }
        if pass == self.end {
            self.is_open = false;
        }
    }

    pub fn context(&mut self, role: Role) -> usize {
        let known = self.contexts.iter().position(|known| *known == role);
        known.unwrap_or_else(|| {
            self.contexts.push(role);
            self.contexts.len() - 1
        })
    }
}
