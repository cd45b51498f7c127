// SPDX-License-Identifier: MIT
//! Ends an observation when enough marks were passed, when enough instructions were executed, or
//! when no mark was passed for too long.

use crate::log::Ending;
use crate::plan::Plan;
use crate::Error;

pub struct Budget {
    /// For each mark, whether its passes count.
    awaited: Vec<bool>,
    passes_left: Option<u64>,
    instructions_left: u64,
    stall_instructions: u64,
    since_mark: u64,
}

impl Budget {
    pub fn new(plan: &Plan, marks: &[String]) -> Result<Budget, Error> {
        let passes = plan.until.marks.as_ref();
        let awaited: Vec<_> = marks
            .iter()
            .map(|name| passes.is_some_and(|p| p.fits(name)))
            .collect();
        if let Some(passes) = passes.filter(|_| !awaited.contains(&true)) {
            let (name, marks) = (&passes.name, marks.join(", "));
            return Err(Error::new(format!(
                "no mark is named {name}; the plan has the marks {marks}"
            )));
        }
        Ok(Budget {
            awaited,
            passes_left: passes.map(|p| p.passes),
            instructions_left: plan.until.instructions,
            stall_instructions: plan.stall_instructions,
            since_mark: 0,
        })
    }

    /// Returns the number of instructions after which [`Budget::spend`] must be called again.
    pub fn horizon(&self) -> u32 {
        let stall = self.stall_instructions.saturating_sub(self.since_mark);
        // The plan keeps stall_instructions within 32 bits.
        self.instructions_left
            .min(stall)
            .try_into()
            .unwrap_or(u32::MAX / 2)
    }

    /// Spends `instructions`. Returns the reason if the observation ends.
    pub fn spend(&mut self, instructions: u32) -> Option<Ending> {
        self.instructions_left = self.instructions_left.saturating_sub(instructions.into());
        self.since_mark += u64::from(instructions);
        if self.instructions_left == 0 {
            return Some(Ending::Instructions);
        }
        (self.since_mark >= self.stall_instructions).then_some(Ending::Stalled)
    }

    /// Counts a pass of `mark`. Returns the reason if the observation ends.
    pub fn pass(&mut self, mark: usize) -> Option<Ending> {
        self.since_mark = 0;
        if self.awaited[mark] {
            self.passes_left = self.passes_left.map(|left| left.saturating_sub(1));
        }
        (self.passes_left == Some(0)).then_some(Ending::Marks)
    }
}
