// SPDX-License-Identifier: MIT
//! Which samples that count are open while a replay goes on, by the passes of marks.

use crate::samples::Sample;

/// Which samples are open at a time, by the passes of marks.
pub struct Windows {
    /// For each pass: samples that count and end and begin there, and the one that begins.
    changes: Vec<Change>,
    pub weight: u64,
    pub sample: usize,
}

#[derive(Clone, Copy, Default)]
struct Change {
    ends: u64,
    begins: u64,
    sample: usize,
    /// Samples of any kind that end and begin there.
    any_end: usize,
    any_begin: usize,
}

impl Windows {
    /// `counts` says whether the sample of an index counts.
    pub fn new(samples: &[Sample], counts: impl Fn(usize) -> bool) -> Windows {
        let passes = samples.iter().map(|sample| sample.end + 1).max();
        let mut changes = vec![Change::default(); passes.unwrap_or(0)];
        for (index, sample) in samples.iter().enumerate() {
            if counts(index) {
                changes[sample.begin].begins += 1;
                changes[sample.begin].sample = index;
                changes[sample.end].ends += 1;
            }
            changes[sample.begin].any_begin += 1;
            changes[sample.end].any_end += 1;
        }
        Windows {
            changes,
            weight: 0,
            sample: 0,
        }
    }

    /// How many samples end with this pass, and how many begin.
    pub fn around(&self, pass: usize) -> (usize, usize) {
        let change = self.changes.get(pass);
        change.map_or((0, 0), |change| (change.any_end, change.any_begin))
    }

    /// Whether samples begin or end with this pass.
    pub fn is_boundary(&self, pass: usize) -> bool {
        self.around(pass) != (0, 0)
    }

    pub fn pass(&mut self, pass: usize) {
        if let Some(change) = self.changes.get(pass) {
            self.weight = self.weight + change.begins - change.ends;
            if change.begins > 0 {
                self.sample = change.sample;
            }
        }
    }
}
