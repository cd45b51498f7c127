// SPDX-License-Identifier: MIT
//! Tracks which samples are open (begun and not ended) at each point of a run, from the passes of
//! marks.

use crate::samples::Sample;

/// The open samples. `weight` is the sum of their weights, and `sample` is the latest open sample
/// whose weight is not 0.
pub struct Windows {
    /// For each pass of a mark, the samples that end and begin with it.
    boundaries: Vec<Boundary>,
    pub weight: i64,
    pub sample: usize,
}

/// For one pass of a mark: the weights of the samples that end with it, those of the samples that
/// begin with it, and the last sample that begins.
#[derive(Clone, Copy, Default)]
struct Boundary {
    ends: i64,
    begins: i64,
    sample: usize,
    /// The number of samples that end with this pass, whatever their weights.
    any_end: usize,
    any_begin: usize,
}

impl Windows {
    /// Creates the windows of `samples`. `weights` says how often each sample counts in the sums.
    pub fn new(samples: &[Sample], weights: &[i64]) -> Windows {
        let passes = samples.iter().map(|sample| sample.end + 1).max();
        let mut boundaries = vec![Boundary::default(); passes.unwrap_or(0)];
        for (index, (sample, &weight)) in samples.iter().zip(weights).enumerate() {
            if weight != 0 {
                boundaries[sample.begin].begins += weight;
                boundaries[sample.begin].sample = index;
                boundaries[sample.end].ends += weight;
            }
            boundaries[sample.begin].any_begin += 1;
            boundaries[sample.end].any_end += 1;
        }
        Windows {
            boundaries,
            weight: 0,
            sample: 0,
        }
    }

    /// Creates the window for a span that is the whole run, which counts once.
    pub fn whole() -> Windows {
        Windows {
            boundaries: Vec::new(),
            weight: 1,
            sample: 0,
        }
    }

    /// Returns how many samples end with this pass, and how many begin with it.
    pub fn ends_and_begins(&self, pass: usize) -> (usize, usize) {
        let boundary = self.boundaries.get(pass);
        boundary.map_or((0, 0), |boundary| (boundary.any_end, boundary.any_begin))
    }

    /// Returns whether samples begin or end with this pass.
    pub fn is_boundary(&self, pass: usize) -> bool {
        self.ends_and_begins(pass) != (0, 0)
    }

    pub fn pass(&mut self, pass: usize) {
        if let Some(boundary) = self.boundaries.get(pass) {
            self.weight = self.weight + boundary.begins - boundary.ends;
            if boundary.begins != 0 {
                self.sample = boundary.sample;
            }
        }
    }
}
