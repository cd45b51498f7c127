// SPDX-License-Identifier: MIT
//! Explains several spans in one run. For each event, a target calls the [`Core`] first, and then
//! the function with the same name here.

use crate::analysis::Analysis;
use crate::latency::{Change, Interrupts};
use crate::request::Span;
use crate::subject::Subject;
use ticklab_replay::{BlockId, Context, Core, Error};

/// The analyses, one for each span.
pub struct Explainer<'a> {
    pub analyses: Vec<Analysis<'a>>,
}

impl<'a> Explainer<'a> {
    /// Starts at the reset of the guest. Only the first span may have a timeline.
    ///
    /// # Errors
    /// The run has no such mark or sample, or the image's debug information is damaged.
    pub fn begin(
        subject: &'a Subject,
        spans: &'a [Span],
        core: &Core,
        with_timeline: bool,
    ) -> Result<Explainer<'a>, Error> {
        let analyses = spans
            .iter()
            .enumerate()
            .map(|(index, span)| Analysis::begin(subject, span, core, index == 0 && with_timeline));
        Ok(Explainer {
            analyses: analyses.collect::<Result<_, _>>()?,
        })
    }

    /// Handles a translated block, for which [`Core::block`] returned `id`.
    pub fn block(&mut self, core: &Core, id: BlockId, code: &[u8]) {
        for analysis in &mut self.analyses {
            analysis.block(core, id, code);
        }
    }

    /// Reports that execution enters block `next`, after the call of [`Core::enter`].
    #[inline]
    pub fn enter(&mut self, core: &Core, next: BlockId) {
        for analysis in &mut self.analyses {
            analysis.enter(core, next);
        }
    }

    /// Computes the latencies of interrupts from the calls of [`Explainer::interrupt`]. If
    /// `has_few_events`, these calls do not report when an interrupt is taken, which is derived
    /// from entries of handlers instead. `instruction_ns` is the virtual time that one instruction
    /// takes.
    pub fn follow_interrupts(&mut self, has_few_events: bool, instruction_ns: u64) {
        self.analyses[0].interrupts = Some(Interrupts::new(has_few_events, instruction_ns));
    }

    /// Makes a timer pending if the clock says that it is due. Must be called before the changes at
    /// the end of the same block are reported. Needed only for interrupt controllers that report
    /// [`Change::Comparand`].
    #[inline]
    pub fn pass_time(&mut self, core: &Core) {
        self.analyses[0].pass_time(core);
    }

    /// Returns whether QEMU traced too few kinds of events for exact latencies.
    #[inline]
    #[must_use]
    pub fn needs_more_events(&self) -> bool {
        let interrupts = self.analyses[0].interrupts.as_ref();
        interrupts.is_some_and(|interrupts| interrupts.needs_more)
    }

    /// Notes that QEMU traced too few kinds of events for exact latencies.
    pub fn ask_for_more_events(&mut self) {
        if let Some(interrupts) = &mut self.analyses[0].interrupts {
            interrupts.needs_more = true;
        }
    }

    /// Reports that the state of an interrupt changed after the running block, before the call of
    /// [`Explainer::enter`] for the block that [`Core::enter`] has just begun.
    pub fn interrupt(&mut self, core: &Core, change: Change) {
        self.analyses[0].interrupt(core, change);
    }

    /// Reports that a mark was passed, after the call of [`Core::mark`] with the same arguments.
    pub fn mark(&mut self, core: &Core, mark: usize, index: usize) {
        for analysis in &mut self.analyses {
            analysis.mark(core, mark, index);
        }
    }

    /// Reports that the conditional instruction at `address` accessed memory.
    pub fn accessed(&mut self, address: u32) {
        for analysis in &mut self.analyses {
            analysis.accessed(address);
        }
    }

    /// Reports that the registers of a task were saved or restored.
    pub fn context(&mut self, context: Context) {
        for analysis in &mut self.analyses {
            analysis.context(context);
        }
    }

    /// Reports the end of the run, after the call of [`Core::finish`].
    pub fn finish(&mut self, core: &Core) {
        for analysis in &mut self.analyses {
            analysis.end(core);
        }
    }
}
