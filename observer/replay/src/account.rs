// SPDX-License-Identifier: MIT
//! Adds up the tallies of executed code, writes them to the event log, and tells when the budget of
//! the observation is used up.

use crate::budget::Budget;
use crate::log::{Ending, Header, Log, LogRecord, LogRecordKind, Trailer};
use std::io::{self, Write};
use ticklab_isa::{counted, Tally};

pub(crate) struct Account<'out> {
    pub header: Header,
    /// The counts since the last record of the log.
    pub tally: Tally,
    /// The sum of the tallies in all records written so far.
    recorded: Tally,
    /// How many of the instructions in `tally` have been reported to the budget.
    spent: u32,
    /// When `tally` has this number of instructions, they must be reported to the budget again.
    limit: u32,
    budget: Budget,
    log: Log<'out>,
}

impl<'out> Account<'out> {
    pub fn new(header: Header, budget: Budget, out: impl Write + 'out) -> Account<'out> {
        Account {
            tally: Tally::ZERO,
            recorded: Tally::ZERO,
            spent: 0,
            limit: budget.horizon(),
            budget,
            log: Log::new(out, &header),
            header,
        }
    }

    /// Returns the tally of everything since reset.
    pub fn total(&self) -> Tally {
        let mut total = self.recorded;
        total += &self.tally;
        total
    }

    /// Returns whether [`Account::spend`] must be called now.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.tally[counted::INSTRUCTIONS] >= self.limit
    }

    /// Reports the instructions in `tally` to the budget. Returns the reason if the observation
    /// ends.
    #[inline(never)]
    pub fn spend(&mut self) -> Option<Ending> {
        let instructions = self.tally[counted::INSTRUCTIONS];
        let ending = self.budget.spend(instructions - self.spent);
        self.spent = instructions;
        self.limit = instructions.saturating_add(self.budget.horizon());
        ending
    }

    /// Reports a pass of `mark` to the budget. Returns the reason if the observation ends.
    pub fn pass(&mut self, mark: usize) -> Option<Ending> {
        let ending = self.budget.pass(mark);
        self.limit = self.budget.horizon();
        ending
    }

    /// Writes a record with `tally`, and sets `tally` to zero. `exception` is the active exception.
    /// Returns the reason if the observation ends.
    pub fn record(&mut self, kind: LogRecordKind, id: u32, exception: u16) -> Option<Ending> {
        let ending = self.spend();
        let tally = self.take();
        self.log.record(&LogRecord {
            kind,
            node: 0,
            exception,
            id,
            tally,
        });
        ending
    }

    /// Writes a record whose tally is 0 in every lane.
    pub fn note(&mut self, kind: LogRecordKind, id: u32, exception: u16) {
        self.log.record(&LogRecord {
            kind,
            node: 0,
            exception,
            id,
            tally: Tally::ZERO,
        });
    }

    pub fn end(&mut self, trailer: Trailer) -> io::Result<()> {
        let tally = self.take();
        self.log.end(&tally, trailer)
    }

    /// Returns `tally`, and sets it to zero.
    fn take(&mut self) -> Tally {
        let tally = std::mem::replace(&mut self.tally, Tally::ZERO);
        self.recorded += &tally;
        self.spent = 0;
        self.limit = self.budget.horizon();
        tally
    }
}
