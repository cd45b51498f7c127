// SPDX-License-Identifier: MIT
//! Follows a replay, event by event, and finds whose each tally is.
//!
//! The core is the only authority on what ran and what it added. Everything is taken from the
//! growth of its total: how many instructions of a block were executed, whether exceptions were
//! entered or left, and what that cost.

use crate::arcs::Arcs;
use crate::cells::{Cells, Stretch};
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
use crate::timeline::{Moment, Timeline};
use crate::tree::{Hardware, NodeId, Role, Tree};
use crate::windows::Windows;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Sink, Write};
use std::path::Path;
use ticklab_isa::{counted, Flow, Tally};
use ticklab_replay::{BlockId, Context, Error, Event, Header, Image, Player, Recording};

/// An image, its recording, and what the first replay says of it.
pub struct Subject {
    pub recording: Recording,
    pub image_bytes: Vec<u8>,
    pub image: Image,
    pub header: Header,
    pub passes: Vec<Pass>,
    pub instructions: u64,
    /// Whether the recording lasts as long as its run.
    pub is_whole: bool,
    /// Where calls lead, for images without symbols.
    starts: BTreeSet<u32>,
}

impl Subject {
    /// The event log that the replay yields goes to `log`, without a trailer if the recording has
    /// no end.
    ///
    /// # Errors
    /// A file cannot be read, is damaged, or does not belong to the other; the log cannot be
    /// written.
    pub fn read(image: &Path, recording: &Path, log: impl Write) -> Result<Subject, Error> {
        let name = image.display();
        let bytes = std::fs::read(image)
            .map_err(|e| Error::new(format!("image {name}: {e}; build it first")))?;
        Subject::replay(bytes, Recording::read(recording)?, log)
    }

    /// # Errors
    /// The recording is damaged or not of this image, or the log cannot be written.
    pub fn replay(
        image_bytes: Vec<u8>,
        recording: Recording,
        log: impl Write,
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

/// Counts on where the core's total wraps.
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

/// What one span's replay found out.
pub struct Analysis<'a> {
    pub subject: &'a Subject,
    pub span: &'a Span,
    pub samples: Vec<Sample>,
    /// How many of them the sums are of.
    pub summed: usize,
    pub functions: Functions<'a>,
    pub code: Code,
    pub tree: Tree,
    pub cells: Cells,
    pub arcs: Arcs,
    pub masking: Masking,
    /// Of the scheduler.
    pub suspension: Masking,
    pub tasks: Tasks,
    pub listing: Option<Listing>,
    pub timeline: Option<Timeline>,
    pub player: Player<Sink>,
    /// Whether the same way may cost more or less another time.
    pub(crate) models_memory: bool,
    pub(crate) windows: Windows,
    /// Stacks of the tasks, by number, and of the active exceptions.
    pub(crate) threads: Vec<Stack>,
    pub(crate) exceptions: Vec<(u16, Stack)>,
    /// How deep the handlers of those that were left got.
    pub(crate) handlers: BTreeMap<u16, Depth>,
    /// The core's total at the last event, and as far as `moment` got.
    pub(crate) before: Tally,
    pub(crate) counted: Tally,
    pub(crate) now: Moment,
    /// Instructions of the running block that were attributed already.
    pub(crate) from: usize,
    pub(crate) accessed: Vec<u32>,
    pub(crate) passes: usize,
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
            functions.symbols = Symbols::of_calls(&subject.starts);
        }
        let player = Player::new(&subject.recording, subject.image.clone(), io::sink())?;
        let mut tree = Tree::default();
        let root = tree.child(None, Role::Task(0));
        let counts = |index: usize| alone.map_or(samples[index].is_plain(), |only| index == only);
        Ok(Analysis {
            subject,
            span,
            windows: Windows::new(&samples, counts),
            summed: (0..samples.len()).filter(|&index| counts(index)).count(),
            samples,
            functions,
            code: Code::new(subject.image.isa, span.suspension.clone()),
            tree,
            cells: Cells::default(),
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
            now: Moment::default(),
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
                Event::Context(context) => self.context(*context),
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
        if !self.exceptions.is_empty() {
            self.tasks.switch(context);
        }
    }

    /// Block `next` has begun; `running` is the one that ended.
    #[inline]
    fn enter(&mut self, running: Option<BlockId>, next: usize) {
        let total = self.player.core.total();
        match running {
            Some(running) if self.is_repeating(running) => self.repeat(running, next, &total),
            Some(running) => self.conclude(running, next, &(total - self.before)),
            None => self.go(None, next, &(total - self.before)),
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
        self.go(Some((running, to)), next, delta);
        if is_exceptional {
            self.hardware(delta, &rest);
        }
    }

    /// Instructions of the running block up to `to` were executed and added `delta`. Returns what
    /// they do not account for, which is theirs too unless exceptions came between.
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
        let stretch = Stretch {
            leaf: self.stack().leaf(),
            block: running.0 as u32,
            from: from as u16,
            to: to as u16,
        };
        let cell = self.cells.get(stretch);
        for (index, tally) in block.conditional() {
            let address = block.instructions()[*index].address;
            if (from..to).contains(index) && self.accessed.contains(&address) {
                cell.access(*index, weight);
                rest = rest - *tally;
            }
        }
        cell.add(weight, if is_exceptional { &Tally::ZERO } else { &rest });
        rest
    }

    /// What the processor did by itself between two blocks.
    fn hardware(&mut self, delta: &Tally, rest: &Tally) {
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
