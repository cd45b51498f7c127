// SPDX-License-Identifier: MIT
//! Holds the facts that are known before the explained run begins: the image, and the marks that
//! the first run passed.

use crate::samples::Pass;
use std::collections::BTreeSet;
use ticklab_isa::Tally;
use ticklab_replay::{Core, Error, Reader, RecordKind};

pub struct Subject {
    pub image: Vec<u8>,
    pub passes: Vec<Pass>,
    /// Addresses at which functions begin, for an image without symbols.
    pub starts: BTreeSet<u32>,
}

impl Subject {
    /// Reads the event log of the first run, which had the same image and plan as `core`. Without
    /// `starts`, only handlers of exceptions are known to be functions of an image without symbols.
    ///
    /// # Errors
    /// The log is damaged, or of another plan or observer.
    pub fn new(
        image: Vec<u8>,
        log: &[u8],
        starts: Option<BTreeSet<u32>>,
        core: &Core,
    ) -> Result<Subject, Error> {
        let log = Reader::parse(log)?;
        if log.header != *core.header() {
            return Err(Error::new(
                "event log: it is of another plan or observer; measure again",
            ));
        }
        let handlers = || core.handlers().into_iter().map(|(_, address)| address);
        Ok(Subject {
            image,
            passes: passes(&log),
            starts: starts.unwrap_or_else(|| handlers().collect()),
        })
    }
}

fn passes(log: &Reader) -> Vec<Pass> {
    let mut total = Tally::ZERO;
    let mut passes = Vec::new();
    for record in &log.records {
        total += &record.tally;
        if record.kind == RecordKind::Mark {
            passes.push(Pass::new(record.id as usize, &total));
        }
    }
    passes
}
