// SPDX-License-Identifier: MIT
//! Finds and labels the samples of a span as the lab does (lab/src/ticklab/analysis/samples.py).

use crate::request::{Choice, Named, Span, Ticks};
use std::collections::BTreeMap;
use ticklab_isa::{counted, Tally};
use ticklab_replay::{Error, Passes};

/// A pass of a mark, with the counts since reset. Counts wrap; their differences are exact.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    pub mark: u32,
    pub instructions: u32,
    pub systick: u32,
    pub external: u32,
    /// A hash of all counts. The difference of two hashes is the hash of the difference of the
    /// counts.
    pub hash: u32,
}

/// The multiplier of the hash, an odd number whose powers have no pattern: 2^32 divided by the
/// golden ratio.
const MULTIPLIER: u32 = 0x9E37_79B1;

fn hash(total: &Tally) -> u32 {
    let add = |(hash, factor): (u32, u32), count: &u32| {
        let next = factor.wrapping_mul(MULTIPLIER);
        (hash.wrapping_add(count.wrapping_mul(factor)), next)
    };
    total.0.iter().fold((0, MULTIPLIER), add).0
}

impl Pass {
    pub fn new(mark: usize, total: &Tally) -> Pass {
        Pass {
            mark: mark as u32,
            instructions: total[counted::INSTRUCTIONS],
            systick: total[counted::SYSTICK],
            external: total[counted::EXTERNAL],
            hash: hash(total),
        }
    }
}

/// One passage of a span. `begin` and `end` are indices into the passes of all marks.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub begin: usize,
    pub end: usize,
    /// The length in instructions.
    pub length: u32,
    /// A hash that is equal for samples with equal tallies.
    pub hash: u32,
    pub ticks: u32,
    /// Whether the sample contains a number of ticks that its span does not permit.
    pub is_disturbed: bool,
    pub is_foreign: bool,
    pub is_warm_up: bool,
}

impl Sample {
    pub fn is_plain(&self) -> bool {
        !(self.is_disturbed || self.is_foreign || self.is_warm_up)
    }
}

/// # Errors
/// A mark of the span does not exist.
pub fn find(passes: &[Pass], marks: &[String], span: &Span) -> Result<Vec<Sample>, Error> {
    let mut samples = Vec::new();
    for (begin, end) in pairs(passes, marks, span)? {
        let (from, to) = (passes[begin], passes[end]);
        let ticks = to.systick.wrapping_sub(from.systick);
        samples.push(Sample {
            begin,
            end,
            length: to.instructions.wrapping_sub(from.instructions),
            hash: to.hash.wrapping_sub(from.hash),
            ticks,
            is_disturbed: match span.ticks {
                None => ticks != 0,
                Some(Ticks::Cost) => ticks != 1,
                Some(Ticks::Jitter | Ticks::Included) => false,
            },
            is_foreign: span
                .external
                .is_some_and(|own| to.external.wrapping_sub(from.external) > own),
            is_warm_up: samples.len() < span.warm_up,
        });
    }
    Ok(samples)
}

fn pairs(passes: &[Pass], marks: &[String], span: &Span) -> Result<Vec<(usize, usize)>, Error> {
    let passes_of = |patterns: &[String]| -> Result<Vec<usize>, Error> {
        let fits = fitting(patterns, marks)?;
        Ok((0..passes.len())
            .filter(|&i| fits[passes[i].mark as usize])
            .collect())
    };
    if let Some(pairs) = &span.pairs {
        let is_known = |&(begin, end): &(usize, usize)| begin < end && end < passes.len();
        return match pairs.iter().find(|pair| !is_known(pair)) {
            Some(pair) => Err(Error::new(format!("the run has no sample {pair:?}"))),
            None => Ok(pairs.clone()),
        };
    }
    if !span.each.is_empty() {
        let at = passes_of(&span.each)?;
        return Ok(at.windows(2).map(|pair| (pair[0], pair[1])).collect());
    }
    let begins = passes_of(span.from.as_slice())?;
    let ends = passes_of(span.to.as_slice())?;
    let following = begins.into_iter().filter_map(|begin| {
        let next = ends.partition_point(|&end| end <= begin);
        Some((begin, *ends.get(next)?))
    });
    Ok(following.collect())
}

fn fitting(patterns: &[String], marks: &[String]) -> Result<Vec<bool>, Error> {
    let mut fits = vec![false; marks.len()];
    for pattern in patterns {
        let passes = Passes {
            name: pattern.clone(),
            passes: 0,
        };
        let matching: Vec<_> = (0..marks.len())
            .filter(|&i| passes.fits(&marks[i]))
            .collect();
        if matching.is_empty() {
            let known = marks.join(", ");
            return Err(Error::new(format!(
                "no mark is named {pattern}; the run has the marks {known}"
            )));
        }
        matching.into_iter().for_each(|index| fits[index] = true);
    }
    Ok(fits)
}

/// Returns the index of a sample without a tick that has the most frequent tally.
fn calm(samples: &[Sample]) -> Option<usize> {
    let is_calm = |s: &&Sample| s.ticks == 0 && !s.is_foreign && !s.is_warm_up;
    let mut counts = BTreeMap::new();
    for sample in samples.iter().filter(is_calm) {
        *counts.entry(sample.hash).or_insert(0) += 1;
    }
    let most = *counts.values().max()?;
    samples
        .iter()
        .position(|s| is_calm(&s) && counts[&s.hash] == most)
}

/// How often each sample counts in the sums, and which sample is subtracted from each.
pub struct Weights {
    pub each: Vec<i64>,
    pub summed: usize,
    pub less: Option<usize>,
}

/// Returns the weights of the samples: 1 for plain samples and 0 for others, or 1 only for sample
/// `alone`.
pub fn weights(samples: &[Sample], span: &Span, alone: Option<usize>) -> Weights {
    let is_excess = span.ticks == Some(Ticks::Cost);
    let less = calm(samples).filter(|_| is_excess);
    let is_known = less.is_some() || !is_excess;
    let counts =
        |index: usize| is_known && alone.map_or(samples[index].is_plain(), |only| index == only);
    let mut each: Vec<_> = (0..samples.len())
        .map(|index| i64::from(counts(index)))
        .collect();
    let summed = each.iter().filter(|&&weight| weight > 0).count();
    if let Some(calm) = less {
        each[calm] -= summed as i64;
    }
    Weights { each, summed, less }
}

/// Returns the most frequent length of the plain samples and their number. If several lengths are
/// equally frequent, returns the shortest.
pub fn mode(samples: &[Sample]) -> Option<(u32, usize)> {
    let mut counts = BTreeMap::new();
    for sample in samples.iter().filter(|sample| sample.is_plain()) {
        *counts.entry(sample.length).or_insert(0) += 1;
    }
    counts.into_iter().rev().max_by_key(|&(_, count)| count)
}

/// Returns the index of the sample to list.
///
/// # Errors
/// There is no such sample.
pub fn choose(samples: &[Sample], choice: &Choice) -> Result<usize, Error> {
    let chosen = match choice {
        Choice::Number(number) => number.checked_sub(1).filter(|index| *index < samples.len()),
        Choice::Named(Named::Typical) => mode(samples).and_then(|(length, _)| {
            let is_typical = |s: &Sample| s.is_plain() && s.length == length;
            samples.iter().position(is_typical)
        }),
        Choice::Named(Named::Worst) => {
            let kept = samples.iter().enumerate().filter(|(_, s)| !s.is_warm_up);
            kept.rev()
                .max_by_key(|(_, sample)| sample.length)
                .map(|(index, _)| index)
        }
    };
    let count = samples.len();
    chosen.ok_or_else(|| {
        Error::new(format!(
            "there is no such sample; the run has {count} samples, numbered from 1"
        ))
    })
}
