// SPDX-License-Identifier: MIT
//! Adds up tallies, writes them to the log as records, and asks the budget whether the observation
//! ends.

use crate::budget::Budget;
use crate::log::{Ending, Header, Log, LogRecord, LogRecordKind, Trailer};
use std::io::{self, Write};
use ticklab_isa::{counted, Tally};

pub(crate) struct Account<'out> {
    pub header: Header,
    /// The tally since the last record.
    pub tally: Tally,
    /// The sum of all records.
    recorded: Tally,
    /// The instructions of the tally that the budget has counted.
    spent: u32,
    /// The instructions of the tally at which the budget must be asked again.
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

    /// Returns the tally since reset.
    pub fn total(&self) -> Tally {
        let mut total = self.recorded;
        total += &self.tally;
        total
    }

    /// Returns whether [`Account::spend`] must be called.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.tally[counted::INSTRUCTIONS] >= self.limit
    }

    /// Reports the instructions of the tally to the budget. Returns the reason if the observation
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

    /// Writes a record with the tally, which begins again at zero. `exception` is active. Returns
    /// the reason if the observation ends.
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

    /// Writes a record without a tally.
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

    /// Returns the tally, which begins again at zero.
    fn take(&mut self) -> Tally {
        let tally = std::mem::replace(&mut self.tally, Tally::ZERO);
        self.recorded += &tally;
        self.spent = 0;
        self.limit = self.budget.horizon();
        tally
    }
}
