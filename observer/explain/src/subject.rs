// SPDX-License-Identifier: MIT
//! Holds the facts that are known before the explained run begins: the image, and the marks that
//! the first run passed.

use crate::samples::Pass;
use crate::symbols::Symbols;
use std::collections::BTreeSet;
use ticklab_isa::Tally;
use ticklab_replay::{Core, Error, LogRecordKind, Reader};

pub struct Subject {
    pub image: Vec<u8>,
    pub passes: Vec<Pass>,
    /// Addresses at which functions begin, for an image without symbols.
    pub starts: BTreeSet<u32>,
    /// The functions of a system under which the image is a program.
    pub system: Symbols,
}

impl Subject {
    /// Reads the event log of the first run, which had the same image and plan as `core`. Without a
    /// log, no marks are known. Without `starts`, only handlers of exceptions are known to be
    /// functions of an image without symbols.
    ///
    /// # Errors
    /// The log is damaged, or of another plan or observer.
    pub fn new(
        image: Vec<u8>,
        log: Option<&[u8]>,
        starts: Option<BTreeSet<u32>>,
        system: Symbols,
        core: &Core,
    ) -> Result<Subject, Error> {
        let passes = log.map_or(Ok(Vec::new()), |log| passes(log, core))?;
        let handlers = || core.handlers().into_iter().map(|(_, address)| address);
        Ok(Subject {
            image,
            passes,
            starts: starts.unwrap_or_else(|| handlers().collect()),
            system,
        })
    }
}

fn passes(log: &[u8], core: &Core) -> Result<Vec<Pass>, Error> {
    let log = Reader::parse(log)?;
    if log.header != *core.header() {
        return Err(Error::new(
            "event log: it is of another plan or observer; measure again",
        ));
    }
    let mut total = Tally::ZERO;
    let mut passes = Vec::new();
    for record in &log.records {
        total += &record.tally;
        if record.kind == LogRecordKind::Mark {
            passes.push(Pass::new(record.id as usize, &total));
        }
    }
    Ok(passes)
}
