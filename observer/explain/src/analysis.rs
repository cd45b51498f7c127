// SPDX-License-Identifier: MIT
//! Follows a guest's run event by event and adds the cost of each executed block to a node of the
//! call tree.
//!
//! The replay core decides what was executed and what it cost. The analysis derives from the growth
//! of the core's total how many instructions of a block were executed, whether exceptions were
//! entered or left, and what that cost.

use crate::arcs::Arcs;
use crate::block_counts::{BlockCounts, BlockRange};
use crate::code::Code;
use crate::depth::Depth;
use crate::functions::Functions;
use crate::latency::Interrupts;
use crate::listing::Listing;
use crate::masking::Masking;
use crate::request::Span;
use crate::samples::{self, Sample};
use crate::stacks::Stack;
use crate::subject::Subject;
use crate::tasks::Tasks;
use crate::timeline::{Timeline, Timestamp};
use crate::tree::{Hardware, NodeId, Role, Tree};
use crate::windows::Windows;
use std::collections::BTreeMap;
use ticklab_isa::{counted, Tally};
use ticklab_replay::{BlockId, Context, Core, Error, Lane};

/// The analysis of one span, with its results so far.
pub struct Analysis<'a> {
    pub span: &'a Span,
    pub lanes: Vec<Lane>,
    pub marks: Vec<String>,
    pub samples: Vec<Sample>,
    /// The number of samples whose costs are summed.
    pub summed: usize,
    /// The sample without a tick that is subtracted from each summed sample, for spans that measure
    /// ticks.
    pub less: Option<usize>,
    pub functions: Functions<'a>,
    pub code: Code,
    pub tree: Tree,
    pub block_counts: BlockCounts,
    pub arcs: Arcs,
    pub masking: Masking,
    /// The intervals in which the scheduler is suspended.
    pub suspension: Masking,
    pub tasks: Tasks,
    pub listing: Option<Listing>,
    pub timeline: Option<Timeline>,
    /// The latencies of interrupts, if they are computed.
    pub interrupts: Option<Interrupts>,
    /// The running block.
    pub(crate) running: Option<BlockId>,
    /// Whether a block's cost may change from one execution to the next, because caches are
    /// modelled.
    pub(crate) models_memory: bool,
    pub(crate) windows: Windows,
    /// The stacks of the tasks, by task number.
    pub(crate) threads: Vec<Stack>,
    pub(crate) exceptions: Vec<(u16, Stack)>,
    /// The stack depths of handlers that returned, by exception number.
    pub(crate) handlers: BTreeMap<u16, Depth>,
    /// The total counts of the replay core at the last event, and at the moment for which `now` was
    /// computed last.
    pub(crate) before: Tally,
    pub(crate) counted: Tally,
    pub(crate) now: Timestamp,
    /// How many instructions of the running block have their cost attributed already.
    pub(crate) from: usize,
    pub(crate) accessed: Vec<u32>,
    pub(crate) passes: usize,
    /// Whether another stack is in use in thread mode after the running block.
    pub(crate) is_new_stack: bool,
    /// The node of the exception that was left last.
    pub(crate) left: Option<NodeId>,
}

impl<'a> Analysis<'a> {
    /// Starts the analysis of a span, from the reset of the guest.
    ///
    /// # Errors
    /// The run has no such mark or sample, or the image's debug information is damaged.
    pub fn begin(
        subject: &'a Subject,
        span: &'a Span,
        core: &Core,
        with_timeline: bool,
    ) -> Result<Analysis<'a>, Error> {
        let samples = match span.whole {
            true => Vec::new(),
            false => samples::find(&subject.passes, &core.header().marks, span)?,
        };
        let choice = span
            .sample
            .as_ref()
            .map(|choice| samples::choose(&samples, choice));
        let chosen = choice.transpose()?;
        let listing = chosen.map(|index| Listing {
            sample: index,
            begin: samples[index].begin,
            end: samples[index].end,
            ..Listing::default()
        });
        let alone = chosen.filter(|_| span.alone);
        let mut analysis = Analysis::new(subject, span, core, samples, alone)?;
        analysis.listing = listing;
        analysis.timeline = with_timeline.then(Timeline::default);
        Ok(analysis)
    }

    fn new(
        subject: &'a Subject,
        span: &'a Span,
        core: &Core,
        samples: Vec<Sample>,
        alone: Option<usize>,
    ) -> Result<Analysis<'a>, Error> {
        let mut functions = Functions::read(&subject.image)?;
        if functions.symbols.is_empty() {
            functions.symbols.set_calls(&subject.starts);
        }
        functions.symbols.add(&subject.system);
        let mut tree = Tree::default();
        let root = tree.child(None, Role::Task(0));
        let weights = samples::weights(&samples, span, alone);
        let windows = match span.whole {
            true => Windows::whole(),
            false => Windows::new(&samples, &weights.each),
        };
        Ok(Analysis {
            span,
            lanes: core.header().lanes.clone(),
            marks: core.header().marks.clone(),
            windows,
            summed: weights.summed.max(usize::from(span.whole)),
            less: weights.less,
            samples,
            functions,
            code: Code::new(core.instruction_set(), span.suspension.clone()),
            tree,
            block_counts: BlockCounts::default(),
            arcs: Arcs::default(),
            masking: Masking::default(),
            suspension: Masking::default(),
            tasks: Tasks::new(),
            listing: None,
            timeline: None,
            interrupts: None,
            models_memory: core.models_memory(),
            running: None,
            threads: vec![Stack::new(root)],
            exceptions: Vec::new(),
            handlers: BTreeMap::new(),
            before: Tally::ZERO,
            counted: Tally::ZERO,
            now: Timestamp::default(),
            from: 0,
            accessed: Vec::new(),
            passes: 0,
            is_new_stack: false,
            left: None,
        })
    }

    /// Reports that the core knows `code` as block `id`. Known blocks may be reported again.
    pub fn block(&mut self, core: &Core, id: BlockId, code: &[u8]) {
        if id.0 == self.code.blocks.len() {
            self.code.add(core.code(id), code, &mut self.functions);
        }
    }

    /// Reports that the conditional instruction at `address` accessed memory.
    pub fn accessed(&mut self, address: u32) {
        self.accessed.push(address);
    }

    /// Reports that the registers of a task were saved or restored.
    pub fn context(&mut self, context: Context) {
        let in_exception = !self.exceptions.is_empty();
        if context.is_switch(in_exception) {
            self.tasks.switch(context);
            self.is_new_stack |= !in_exception && !context.is_save;
        }
    }

    /// Attributes the cost of the running block, which ended when block `next` began.
    #[inline]
    pub fn enter(&mut self, core: &Core, next: BlockId) {
        let (running, total) = (self.running.replace(next), core.total());
        let next = next.0;
        match running {
            Some(running) if self.is_repeating(core, running) => {
                self.repeat(core, running, next, &total)
            }
            Some(running) => self.conclude(core, running, next, &(total - self.before)),
            None => self.follow(core, None, next, &(total - self.before)),
        }
        self.before = total;
        self.from = 0;
        self.accessed.clear();
    }

    #[inline]
    fn conclude(&mut self, core: &Core, running: BlockId, next: usize, delta: &Tally) {
        let to = self.from + delta[counted::INSTRUCTIONS] as usize;
        let is_exceptional = delta[counted::ENTERED] != 0 || delta[counted::LEFT] != 0;
        let rest = self.attribute(core, running, to, delta, is_exceptional);
        self.follow(core, Some((running, to)), next, delta);
        if is_exceptional {
            self.attribute_hardware(core, delta, &rest);
            self.reach_task(core);
        }
    }

    /// Attributes `delta` to the instructions of the running block up to `to`. Returns the rest of
    /// `delta` that exceeds the cost of these instructions. The caller attributes the rest to the
    /// block, too, unless an exception was taken or left.
    #[inline]
    pub(crate) fn attribute(
        &mut self,
        core: &Core,
        running: BlockId,
        to: usize,
        delta: &Tally,
        is_exceptional: bool,
    ) -> Tally {
        let from = self.from;
        if self.listing.as_ref().is_some_and(|listing| listing.is_open) {
            self.list(core, running, to);
        } else {
            self.execute_effects(core, running, from..to);
        }
        let weight = self.windows.weight;
        if weight == 0 {
            return Tally::ZERO;
        }
        let block = core.code(running);
        let mut rest = *delta - *block.sum(to);
        rest += block.sum(from);
        let range = BlockRange {
            leaf: self.stack().leaf(),
            block: running.0 as u32,
            from: from as u16,
            to: to as u16,
        };
        let entry = self.block_counts.get(range);
        for (index, tally) in block.conditional() {
            let address = block.instructions()[*index].address;
            if (from..to).contains(index) && self.accessed.contains(&address) {
                entry.access(*index, weight);
                rest = rest - *tally;
            }
        }
        entry.add(weight, if is_exceptional { &Tally::ZERO } else { &rest });
        rest
    }

    /// Attributes the cost of the processor's own work between two blocks: exception entry, exit or
    /// tail-chaining.
    fn attribute_hardware(&mut self, core: &Core, delta: &Tally, rest: &Tally) {
        let weight = self.windows.weight;
        if weight == 0 {
            return;
        }
        let (parent, what) = self.left_or_entered(core, delta);
        let node = self.tree.child(parent, Role::Hardware(what));
        let node = self.tree.get(node);
        node.own.add(rest, weight);
        node.calls += weight;
    }

    fn left_or_entered(&mut self, core: &Core, delta: &Tally) -> (Option<NodeId>, Hardware) {
        let active = core.exception();
        if delta[counted::ENTERED] == 1 {
            let node = self.tree.child(None, Role::Exception(active));
            let is_chained = delta[counted::TAIL_CHAINED] > 0;
            return (
                Some(node),
                if is_chained {
                    Hardware::TailChain
                } else {
                    Hardware::Entry
                },
            );
        }
        (self.left, Hardware::Exit)
    }

    pub(crate) fn stack(&self) -> &Stack {
        match self.exceptions.last() {
            Some((_, stack)) => stack,
            None => &self.threads[self.tasks.current],
        }
    }
}
