// SPDX-License-Identifier: MIT
//! Follows a replay event by event and attributes each tally to a node of the call tree.
//!
//! The replay core is the only authority on what was executed and what it cost. The analysis
//! derives everything from the growth of the core's total: the number of executed instructions of a
//! block, whether exceptions were entered or left, and their cost.

use crate::arcs::Arcs;
use crate::block_counts::{BlockCounts, BlockRange};
use crate::code::Code;
use crate::depth::Depth;
use crate::functions::Functions;
use crate::listing::Listing;
use crate::masking::Masking;
use crate::request::Span;
use crate::samples::{self, Pass, Sample};
use crate::stacks::Stack;
use crate::symbols::Symbols;
use crate::tasks::Tasks;
use crate::timeline::{Timeline, Timestamp};
use crate::tree::{Hardware, NodeId, Role, Tree};
use crate::windows::Windows;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Sink, Write};
use std::path::Path;
use ticklab_isa::{counted, Flow, Tally};
use ticklab_replay::{BlockId, Context, Error, Event, Header, Image, Player, Recording};

/// An image, its recording, and the results of the first replay.
pub struct Subject {
    pub recording: Recording,
    pub image_bytes: Vec<u8>,
    pub image: Image,
    pub header: Header,
    pub passes: Vec<Pass>,
    pub instructions: u64,
    /// Whether the recording covers the whole run.
    pub is_whole: bool,
    /// Targets of calls, used as function starts in images without symbols.
    starts: BTreeSet<u32>,
}

impl Subject {
    /// Replays the recording of an image, and writes the event log to `log`, if there is one. The
    /// log has no trailer if the recording has no end.
    ///
    /// # Errors
    /// A file cannot be read or is damaged, the files do not belong together, or the log cannot be
    /// written.
    pub fn read(image: &Path, recording: &Path, log: Option<impl Write>) -> Result<Subject, Error> {
        let name = image.display();
        let bytes = std::fs::read(image)
            .map_err(|e| Error::new(format!("image {name}: {e}; build it first")))?;
        Subject::replay(bytes, Recording::read(recording)?, log)
    }

    /// # Errors
    /// The recording is damaged or of another image, or the log cannot be written.
    pub fn replay(
        image_bytes: Vec<u8>,
        recording: Recording,
        log: Option<impl Write>,
    ) -> Result<Subject, Error> {
        recording.check_image(&image_bytes)?;
        let image = Image::parse(&image_bytes)?;
        let mut player = Player::new(&recording, image.clone(), log)?;
        let mut events = recording.events()?;
        let mut passes = Vec::new();
        let mut instructions = Instructions::default();
        let is_whole = loop {
            let event = events.next_event()?;
            player.play(&event)?;
            match event {
                Event::Mark { mark, .. } => {
                    let total = player.core.total();
                    instructions.grow(&total);
                    passes.push(Pass::new(mark, &total));
                }
                Event::End(end) => break end.is_some(),
                _ => {}
            }
        };
        instructions.grow(&player.core.total());
        let handlers = player.core.handlers();
        let mut starts: BTreeSet<u32> = handlers.iter().map(|&(_, address)| address).collect();
        let blocks = (0..player.core.blocks()).map(|id| player.core.code(BlockId(id)));
        for instruction in blocks.flat_map(|block| block.instructions()) {
            if let Flow::Call { target } = instruction.flow {
                starts.insert(target);
            }
        }
        Ok(Subject {
            header: player.core.header().clone(),
            recording,
            image_bytes,
            image,
            passes,
            instructions: instructions.count,
            is_whole,
            starts,
        })
    }
}

/// Extends the core's 32-bit count of instructions, which wraps, to 64 bits.
#[derive(Default)]
struct Instructions {
    count: u64,
}

impl Instructions {
    fn grow(&mut self, total: &Tally) {
        let grown = total[counted::INSTRUCTIONS].wrapping_sub(self.count as u32);
        self.count += u64::from(grown);
    }
}

/// The results of one span's replay.
pub struct Analysis<'a> {
    pub subject: &'a Subject,
    pub span: &'a Span,
    pub samples: Vec<Sample>,
    /// The number of samples that the sums include.
    pub summed: usize,
    /// The sample that is subtracted from each of them.
    pub less: Option<usize>,
    pub functions: Functions<'a>,
    pub code: Code,
    pub tree: Tree,
    pub block_counts: BlockCounts,
    pub arcs: Arcs,
    pub masking: Masking,
    /// Sections in which the scheduler is suspended.
    pub suspension: Masking,
    pub tasks: Tasks,
    pub listing: Option<Listing>,
    pub timeline: Option<Timeline>,
    pub player: Player<Sink>,
    /// Whether the cost of the same blocks may differ from one execution to the next.
    pub(crate) models_memory: bool,
    pub(crate) windows: Windows,
    /// The stacks of the tasks, by number, and of the active exceptions.
    pub(crate) threads: Vec<Stack>,
    pub(crate) exceptions: Vec<(u16, Stack)>,
    /// The stack depths of the handlers that returned, by exception number.
    pub(crate) handlers: BTreeMap<u16, Depth>,
    /// The core's total at the last event, and at the last computed `now`.
    pub(crate) before: Tally,
    pub(crate) counted: Tally,
    pub(crate) now: Timestamp,
    /// The number of instructions of the running block that are already attributed.
    pub(crate) from: usize,
    pub(crate) accessed: Vec<u32>,
    pub(crate) passes: usize,
    /// Whether thread mode continues with another stack after the running block.
    pub(crate) is_new_stack: bool,
    /// The exception that was left last.
    pub(crate) left: Option<NodeId>,
}

impl<'a> Analysis<'a> {
    /// # Errors
    /// The span does not fit the recording, or the recording is damaged.
    pub fn run(
        subject: &'a Subject,
        span: &'a Span,
        with_timeline: bool,
    ) -> Result<Analysis<'a>, Error> {
        let samples = samples::find(&subject.passes, &subject.header.marks, span)?;
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
        let mut analysis = Analysis::new(subject, span, samples, alone)?;
        analysis.listing = listing;
        analysis.timeline = with_timeline.then(Timeline::default);
        analysis.replay()?;
        Ok(analysis)
    }

    fn new(
        subject: &'a Subject,
        span: &'a Span,
        samples: Vec<Sample>,
        alone: Option<usize>,
    ) -> Result<Analysis<'a>, Error> {
        let mut functions = Functions::read(&subject.image_bytes)?;
        if functions.symbols.is_empty() {
            functions.symbols = Symbols::from_calls(&subject.starts);
        }
        let player = Player::new(&subject.recording, subject.image.clone(), None)?;
        let mut tree = Tree::default();
        let root = tree.child(None, Role::Task(0));
        let weights = samples::weights(&samples, span, alone);
        Ok(Analysis {
            subject,
            span,
            windows: Windows::new(&samples, &weights.each),
            summed: weights.summed,
            less: weights.less,
            samples,
            functions,
            code: Code::new(player.core.instruction_set(), span.suspension.clone()),
            tree,
            block_counts: BlockCounts::default(),
            arcs: Arcs::default(),
            masking: Masking::default(),
            suspension: Masking::default(),
            tasks: Tasks::new(),
            listing: None,
            timeline: None,
            models_memory: player.core.models_memory(),
            player,
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

    fn replay(&mut self) -> Result<(), Error> {
        let mut events = self.subject.recording.events()?;
        loop {
            let event = events.next_event()?;
            match &event {
                Event::Code { start, code } => {
                    self.player.play(&event)?;
                    self.define(*start, code);
                }
                Event::Enter { block, .. } => {
                    let running = self.player.running();
                    self.player.play(&event)?;
                    self.enter(running, *block);
                }
                Event::Mark { mark, index } => {
                    self.player.play(&event)?;
                    self.mark(*mark, *index);
                }
                Event::Accessed { address } => {
                    self.player.play(&event)?;
                    self.accessed.push(*address);
                }
                Event::Address { .. } => self.player.play(&event)?,
                Event::Context(context) => {
                    self.player.play(&event)?;
                    self.context(*context);
                }
                Event::End(_) => return self.end(&event),
            }
        }
    }

    fn define(&mut self, start: u32, code: &[u8]) {
        let id = self.player.core.block(start, code);
        if id.0 == self.code.blocks.len() {
            let block = self.player.core.code(id);
            self.code.add(block, code, &mut self.functions);
        }
    }

    fn context(&mut self, context: Context) {
        let in_exception = !self.exceptions.is_empty();
        if context.is_switch(in_exception) {
            self.tasks.switch(context);
            self.is_new_stack |= !in_exception && !context.is_save;
        }
    }

    /// Attributes block `running`, which ended when block `next` began.
    #[inline]
    fn enter(&mut self, running: Option<BlockId>, next: usize) {
        let total = self.player.core.total();
        match running {
            Some(running) if self.is_repeating(running) => self.repeat(running, next, &total),
            Some(running) => self.conclude(running, next, &(total - self.before)),
            None => self.follow(None, next, &(total - self.before)),
        }
        self.before = total;
        self.from = 0;
        self.accessed.clear();
    }

    #[inline]
    fn conclude(&mut self, running: BlockId, next: usize, delta: &Tally) {
        let to = self.from + delta[counted::INSTRUCTIONS] as usize;
        let is_exceptional = delta[counted::ENTERED] != 0 || delta[counted::LEFT] != 0;
        let rest = self.attribute(running, to, delta, is_exceptional);
        self.follow(Some((running, to)), next, delta);
        if is_exceptional {
            self.attribute_hardware(delta, &rest);
        }
    }

    /// Attributes `delta` to the instructions of the running block up to `to`. Returns the part of
    /// `delta` that is not the cost of the instructions themselves. That part also belongs to the
    /// block, unless an exception was taken or left.
    #[inline]
    pub(crate) fn attribute(
        &mut self,
        running: BlockId,
        to: usize,
        delta: &Tally,
        is_exceptional: bool,
    ) -> Tally {
        let from = self.from;
        if self.listing.as_ref().is_some_and(|listing| listing.is_open) {
            self.list(running, to);
        } else {
            self.execute_effects(running, from..to);
        }
        let weight = self.windows.weight;
        if weight == 0 {
            return Tally::ZERO;
        }
        let block = self.player.core.code(running);
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
    fn attribute_hardware(&mut self, delta: &Tally, rest: &Tally) {
        let weight = self.windows.weight;
        if weight == 0 {
            return;
        }
        let (parent, what) = self.left_or_entered(delta);
        let node = self.tree.child(parent, Role::Hardware(what));
        let node = self.tree.get(node);
        node.own.add(rest, weight);
        node.calls += weight;
    }

    fn left_or_entered(&mut self, delta: &Tally) -> (Option<NodeId>, Hardware) {
        let active = self.player.core.exception();
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
