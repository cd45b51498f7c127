// SPDX-License-Identifier: MIT
//! The replay core: is told what ran, and writes the event log.
//!
//! A block's tally is added when its successor is known, for only that tells how far the block ran and
//! whether an exception came between. A mark inside a block adds the part in front of it at once.

use crate::block::{accesses, leads_to, Block};
use crate::budget::Budget;
use crate::exceptions::{ExceptionStack, Passage, Step};
use crate::image::Image;
use crate::jump::Jump;
use crate::log::{Ending, Header, Lane, Log, Record, RecordKind, Trailer};
use crate::plan::Plan;
use crate::vectors::{self, Vectors};
use crate::Error;
use std::collections::HashMap;
use std::io::{self, Write};
use ticklab_armv7m::{
    counted, Arrival, Exception, Flow, Frame, Instruction, MemorySystem, Model, Register, Tally,
};

/// A block that the core knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId(pub usize);

pub struct Core<W: Write> {
    image: Image,
    model: Model,
    memory: Option<MemorySystem>,
    is_modelling: bool,
    vectors: Vectors,
    /// Indices of the marks at an address.
    marks: HashMap<u32, Vec<usize>>,
    blocks: Vec<Entry>,
    /// One for each block.
    short_cuts: Vec<ShortCut>,
    ids: HashMap<(u32, u8, Vec<u8>), BlockId>,
    /// How many instructions of an IT block are left at an address inside one.
    it_remaining: HashMap<u32, u8>,

    stack: ExceptionStack,
    frame: Frame,
    running: Option<BlockId>,
    arrival: Arrival,
    /// Instructions of the running block that are in the tally already.
    added: usize,
    /// Addresses of the conditional instructions that accessed memory in the running block.
    accessed: Vec<u32>,

    /// Since the last record.
    tally: Tally,
    /// Instructions of the tally that the budget knows of.
    spent: u32,
    /// Instructions of the tally at which the budget must be asked again.
    limit: u32,
    budget: Budget,
    log: Log<W>,
}

/// A block and what the core found out about its place.
struct Entry {
    block: Block,
    /// Exceptions whose handler begins here.
    handler_of: Vec<u16>,
    /// Where it went on before.
    ways: Vec<Way>,
}

/// What decides at nearly every block that only its tally is to be added, packed for the cache.
#[repr(align(32))]
struct ShortCut {
    /// What the checkpoints add up to if the block ran to its end; [`NEVER`] if that says too little.
    whole: u32,
    /// Where it went on before.
    next: [u32; 2],
    /// Whether its ways change a call stack: they do not matter in thread mode.
    uses_stack: bool,
    /// Whether it ends in a computed jump: any block that is no handler may follow.
    is_computed: bool,
    is_handler: bool,
    /// The lanes that blocks fill when only counting.
    counted: [u32; 4],
}

/// From a block that ran to its end to the next one, with no exception between.
struct Way {
    next: BlockId,
    arrival: Arrival,
    /// What the block and the way add.
    tally: Tally,
}

const NEVER: u32 = u32::MAX;
const NOWHERE: u32 = u32::MAX;

/// How the running block ended.
enum End {
    /// After so many instructions, one at least.
    Ran(usize),
    /// With this exception, a fault of this instruction, which did not complete.
    Faulted(usize, u16),
}

/// Ways out of a block that are kept; computed jumps may have any number.
const WAYS_KEPT: usize = 8;

impl Entry {
    fn learn(&mut self, way: Way) {
        let is_known = self.ways.iter().any(|known| known.next == way.next);
        if !is_known && self.ways.len() < WAYS_KEPT {
            self.ways.push(way);
        }
    }
}

impl ShortCut {
    fn new(block: &Block, is_handler: bool) -> ShortCut {
        let checkpoints = block
            .checkpoints()
            .map(|checkpoint| checkpoint.advance)
            .sum();
        let last = block.last();
        let [instructions, reads, writes, ..] = block.sums[block.instructions.len()].0;
        ShortCut {
            whole: if block.conditional.is_empty() {
                checkpoints
            } else {
                NEVER
            },
            next: [NOWHERE; 2],
            uses_stack: is_computed(last) || matches!(last.flow, Flow::Call { .. }),
            is_computed: is_computed(last),
            is_handler,
            counted: [instructions, reads, writes, 0],
        }
    }

    /// Remembers that execution went on at `next`.
    fn learn(&mut self, next: BlockId) {
        if !self.is_computed && !self.next.contains(&(next.0 as u32)) {
            self.next = [next.0 as u32, self.next[0]];
        }
    }
}

impl<W: Write> Core<W> {
    /// Starts a log on `out`.
    ///
    /// # Errors
    /// The plan does not fit the image, or asks for a model that does not exist.
    pub fn new(plan: &Plan, image: Image, out: W) -> Result<Core<W>, Error> {
        let model = model(plan)?;
        let vectors = Vectors::new(&image, plan.vectors)?;
        let (names, marks) = marks(plan, &image)?;
        let header = Header::new(&plan.core, lanes(&model), names.clone());
        let budget = Budget::new(plan, &names)?;
        Ok(Core {
            memory: model.memory(),
            is_modelling: !model.lanes().is_empty(),
            vectors,
            marks,
            blocks: Vec::new(),
            short_cuts: Vec::new(),
            ids: HashMap::new(),
            it_remaining: HashMap::new(),
            stack: ExceptionStack::default(),
            frame: Frame::Basic,
            running: None,
            arrival: Arrival::Branch,
            added: 0,
            accessed: Vec::new(),
            tally: Tally::ZERO,
            spent: 0,
            limit: budget.horizon(),
            budget,
            log: Log::new(out, &header),
            image,
            model,
        })
    }

    /// The block of `code` at `start`: the same for the same code, however often a target translates it, so
    /// that memory is bounded by the code there is.
    pub fn block(&mut self, start: u32, code: &[u8]) -> BlockId {
        let it_remaining = self.it_remaining.get(&start).copied().unwrap_or(0);
        let key = (start, it_remaining, code.to_vec());
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let block = Block::new(&self.model, &self.image, start, code, it_remaining);
        for instruction in block.instructions.iter().filter(|i| i.it_remaining > 0) {
            self.it_remaining
                .insert(instruction.end(), instruction.it_remaining);
        }
        let id = BlockId(self.blocks.len());
        let handler_of = self.vectors.at(start).to_vec();
        self.short_cuts
            .push(ShortCut::new(&block, !handler_of.is_empty()));
        self.blocks.push(Entry {
            block,
            handler_of,
            ways: Vec::new(),
        });
        self.ids.insert(key, id);
        id
    }

    #[must_use]
    pub fn code(&self, id: BlockId) -> &Block {
        &self.blocks[id.0].block
    }

    /// The marks at an address, as arguments of [`Core::mark`].
    #[must_use]
    pub fn marks_at(&self, address: u32) -> &[usize] {
        self.marks.get(&address).map_or(&[], Vec::as_slice)
    }

    /// Whether the core must be told of the accesses of `instruction`: [`Core::accessed`].
    #[must_use]
    pub fn needs_access(&self, instruction: &Instruction) -> bool {
        instruction.conditional && accesses(instruction)
    }

    /// Whether the core must be told what `instruction` reads: [`Core::read`]. Literals it knows, and the
    /// stack is in no memory with wait states.
    #[must_use]
    pub fn needs_read(&self, instruction: &Instruction) -> bool {
        let is_known = instruction.literal.is_some() && !instruction.conditional;
        let is_stack = instruction.base.contains(Register::SP);
        self.memory.is_some() && instruction.reads > 0 && !is_known && !is_stack
    }

    /// Block `next` begins. The checkpoints of the block before it added up to `reached`.
    #[inline]
    pub fn enter(&mut self, next: BlockId, reached: u32) -> Option<Ending> {
        if !self.takes_short_cut(next, reached) {
            self.conclude(next, reached);
        }
        self.running = Some(next);
        self.added = 0;
        if self.tally[counted::INSTRUCTIONS] < self.limit {
            return None;
        }
        self.spend()
    }

    /// What nearly every block does: nothing but its tally is to be added.
    #[inline]
    fn takes_short_cut(&mut self, next: BlockId, reached: u32) -> bool {
        let Some(running) = self.running else {
            return false;
        };
        let from = &self.short_cuts[running.0];
        let is_plain = reached == from.whole
            && self.added == 0
            && (!from.uses_stack || self.stack.is_empty())
            && (from.next.contains(&(next.0 as u32))
                || (from.is_computed && !self.short_cuts[next.0].is_handler));
        if is_plain && !self.is_modelling {
            add_counted(&mut self.tally, from.counted);
            return true;
        }
        is_plain && self.takes_way(running, next)
    }

    /// The same with a model, whose ways cost cycles.
    #[inline(never)]
    fn takes_way(&mut self, running: BlockId, next: BlockId) -> bool {
        let from = &self.blocks[running.0];
        let Some(way) = from.ways.iter().find(|way| way.next == next) else {
            return false;
        };
        self.tally += &way.tally;
        if let Some(memory) = &mut self.memory {
            let executed = from.block.instructions.len();
            memory.fetch(&from.block.fetches, executed, self.arrival, &mut self.tally);
        }
        self.arrival = way.arrival;
        true
    }

    /// Instruction `index` of the running block, which has mark `mark`, is about to execute.
    pub fn mark(&mut self, mark: usize, index: usize) -> Option<Ending> {
        if let Some(running) = self.running {
            self.add(running, index);
        }
        let spent = self.spend();
        self.record(RecordKind::Mark, mark as u32, self.stack.running());
        let passed = self.budget.pass(mark);
        self.limit = self.budget.horizon();
        passed.or(spent)
    }

    /// The conditional instruction at `address` accessed memory.
    pub fn accessed(&mut self, address: u32) {
        self.accessed.push(address);
    }

    /// The running block read data at `address`.
    #[inline]
    pub fn read(&mut self, address: u32) {
        if let Some(memory) = &mut self.memory {
            memory.read(address, &mut self.tally);
        }
    }

    /// The target ended by itself, its last block as far as `reached` says.
    pub fn stop(&mut self, reached: u32) {
        if let Some(running) = self.running {
            let block = &self.blocks[running.0].block;
            let executed = block
                .stopped_at(reached)
                .unwrap_or(block.instructions.len());
            self.add(running, executed);
        }
    }

    /// Ends the log where execution is.
    ///
    /// # Errors
    /// Something of the log could not be written.
    pub fn finish(&mut self, end: Ending, detail: Option<String>) -> io::Result<()> {
        let pc = self.running.map(|running| {
            let instructions = &self.blocks[running.0].block.instructions;
            instructions[self.added.min(instructions.len() - 1)].address
        });
        let symbol = pc.and_then(|pc| self.image.describe(pc));
        let record = self.take_record(RecordKind::End, 0, self.stack.running());
        self.log.end(
            record,
            &Trailer {
                end,
                pc,
                symbol,
                detail,
            },
        )
    }

    /// Whether execution came to a breakpoint, by which semihosting ends a target.
    #[must_use]
    pub fn is_at_breakpoint(&self) -> bool {
        let last = self
            .running
            .map(|running| self.blocks[running.0].block.last().flow);
        last == Some(Flow::Breakpoint)
    }

    /// Whether another fault would lock the processor up (DDI 0403E, B1.5.15).
    #[must_use]
    pub fn is_in_hard_fault(&self) -> bool {
        self.stack.is_active(vectors::HARD_FAULT)
    }

    #[inline(never)]
    fn conclude(&mut self, next: BlockId, reached: u32) {
        if self.blocks[next.0].block.is_float {
            self.frame = Frame::MaybeExtended;
        }
        let Some(running) = self.running else { return };
        let end = self.end(running, next, reached);
        let (End::Ran(executed) | End::Faulted(executed, _)) = end;
        self.add(running, executed);
        self.fetch(running, executed);
        match end {
            End::Ran(_) => self.go_on(running, executed, next),
            End::Faulted(_, exception) => self.fault(running, executed, exception),
        }
        self.accessed.clear();
    }

    #[inline]
    fn end(&self, running: BlockId, next: BlockId, reached: u32) -> End {
        let (from, to) = (&self.blocks[running.0].block, &self.blocks[next.0]);
        let start = to.block.start();
        let last = from.instructions.len() - 1;
        match from.stopped_at(reached) {
            // A device access, which the target executed by itself, after all.
            Some(stop) if from.instructions[stop].end() == start => End::Ran(stop + 1),
            Some(stop) => match vectors::choose(&to.handler_of, Flow::Next, true) {
                Some(exception) if vectors::is_fault(exception) => End::Faulted(stop, exception),
                // The same, and then an interrupt.
                _ => End::Ran(stop + 1),
            },
            None => match last_fault(from, to) {
                Some(exception) => End::Faulted(last, exception),
                None => End::Ran(last + 1),
            },
        }
    }

    /// Adds the running block's instructions up to `executed`.
    #[inline]
    fn add(&mut self, running: BlockId, executed: usize) {
        let block = &self.blocks[running.0].block;
        self.tally += &block.sums[executed];
        if self.added > 0 {
            self.tally = self.tally - block.sums[self.added];
        }
        for (index, tally) in &block.conditional {
            let is_new = (self.added..executed).contains(index);
            if is_new && self.accessed.contains(&block.instructions[*index].address) {
                self.tally += tally;
            }
        }
        self.added = executed;
    }

    #[inline]
    fn fetch(&mut self, running: BlockId, executed: usize) {
        if let Some(memory) = &mut self.memory {
            let fetches = &self.blocks[running.0].block.fetches;
            memory.fetch(fetches, executed, self.arrival, &mut self.tally);
        }
    }

    /// From the last of `executed` instructions to `next`, an exception perhaps between.
    #[inline]
    fn go_on(&mut self, running: BlockId, executed: usize, next: BlockId) {
        let from = &self.blocks[running.0].block.instructions[executed - 1];
        let to = self.blocks[next.0].block.start();
        let is_handler = !self.blocks[next.0].handler_of.is_empty();
        if leads_to(from, to) || (is_computed(from) && !is_handler && self.stack.is_empty()) {
            self.stack.follow(from, to);
            return self.go_plainly(running, executed, next);
        }
        let active = self.stack.running();
        let passage = self.step(running, executed, next);
        if passage == Passage::default() {
            self.go_plainly(running, executed, next);
        } else {
            self.pass(passage, active);
        }
    }

    fn go_plainly(&mut self, running: BlockId, executed: usize, next: BlockId) {
        let to = self.blocks[next.0].block.instructions[0];
        let from = &mut self.blocks[running.0];
        let last = &from.block.instructions[executed - 1];
        let is_sequential = last.end() == to.address;
        self.arrival = if is_sequential {
            Arrival::Sequential
        } else {
            Arrival::Branch
        };
        let tally = self.model.leave(last, &to);
        self.tally += &tally;
        if executed == from.block.instructions.len() {
            self.short_cuts[running.0].learn(next);
            let mut whole = from.block.sums[executed];
            whole += tally;
            from.learn(Way {
                next,
                arrival: self.arrival,
                tally: whole,
            });
        }
    }

    /// What going where no instruction says did to the exception stack.
    fn step(&mut self, running: BlockId, executed: usize, next: BlockId) -> Passage {
        let block = &self.blocks[running.0].block;
        let from = block.instructions[executed - 1];
        let is_whole = executed == block.instructions.len();
        let jump = block.jump.filter(|_| is_whole);
        let to = self.start(next);
        if self.vectors.reset == Some(to) && !matches!(from.flow, Flow::IndirectCall) {
            self.stack.reset();
            return Passage::default();
        }
        let handler = self.handler(&from, next);
        let is_plausible_jump =
            jump == Some(Jump::Pointer) && self.is_plausible_jump(from.address, to);
        self.stack.step(&Step {
            from: &from,
            jump,
            to,
            handler,
            is_plausible_jump,
        })
    }

    /// The exception whose handler begins at `next`, which `from` does not lead to for certain.
    fn handler(&mut self, from: &Instruction, next: BlockId) -> Option<u16> {
        let known = vectors::choose(&self.blocks[next.0].handler_of, from.flow, false);
        if known.is_some() || is_computed(from) {
            return known;
        }
        Some(self.learn(next, from.flow))
    }

    fn learn(&mut self, next: BlockId, flow: Flow) -> u16 {
        let start = self.start(next);
        let exception = self.vectors.learn(&self.image, start, flow);
        for (entry, short_cut) in self.blocks.iter_mut().zip(&mut self.short_cuts) {
            if entry.block.start() == start {
                entry.handler_of = vec![exception];
                short_cut.is_handler = true;
            }
        }
        exception
    }

    fn is_plausible_jump(&self, from: u32, to: u32) -> bool {
        let place = |address| self.image.function(address).map(|(_, start)| start);
        place(to).is_some_and(|start| start == to || place(from) == Some(start))
    }

    /// Instruction `index` of the running block faulted.
    fn fault(&mut self, running: BlockId, index: usize, exception: u16) {
        let from = self.blocks[running.0].block.instructions[index];
        let active = self.stack.running();
        let passage = self.stack.enter(exception, Some(from.address));
        self.pass(passage, active);
    }

    /// Adds what a change of exceptions counts and costs; `active` was active before.
    fn pass(&mut self, passage: Passage, active: u16) {
        if let Some(fault) = passage
            .entered
            .filter(|&exception| vectors::is_fault(exception))
        {
            self.record(RecordKind::Fault, fault.into(), active);
        }
        self.arrival = Arrival::Exception;
        let exits = passage.left - u32::from(passage.tail_chained);
        for _ in 0..exits {
            self.tally += self.model.exception(Exception::Exit, self.frame);
        }
        self.tally[counted::LEFT] += passage.left;
        if let Some(exception) = passage.entered {
            self.count_entry(exception, passage.tail_chained);
        }
    }

    fn count_entry(&mut self, exception: u16, tail_chained: bool) {
        let kind = if tail_chained {
            Exception::TailChain
        } else {
            Exception::Entry
        };
        self.tally += self.model.exception(kind, self.frame);
        self.tally[counted::ENTERED] += 1;
        self.tally[counted::TAIL_CHAINED] += u32::from(tail_chained);
        self.tally[lane_of(exception)] += 1;
        if let Some(memory) = &mut self.memory {
            memory.vector(
                self.vectors.table + 4 * u32::from(exception),
                &mut self.tally,
            );
        }
    }

    fn start(&self, id: BlockId) -> u32 {
        self.blocks[id.0].block.start()
    }

    #[cold]
    #[inline(never)]
    fn spend(&mut self) -> Option<Ending> {
        let instructions = self.tally[counted::INSTRUCTIONS];
        let ending = self.budget.spend(instructions - self.spent);
        self.spent = instructions;
        self.limit = instructions.saturating_add(self.budget.horizon());
        ending
    }

    fn record(&mut self, kind: RecordKind, id: u32, exception: u16) {
        let _ = self.spend();
        let record = self.take_record(kind, id, exception);
        self.log.record(&record);
    }

    fn take_record(&mut self, kind: RecordKind, id: u32, exception: u16) -> Record {
        let tally = std::mem::replace(&mut self.tally, Tally::ZERO);
        self.spent = 0;
        self.limit = self.budget.horizon();
        Record {
            kind,
            node: 0,
            exception,
            id,
            tally,
        }
    }
}

/// The fault of a block's last instruction: that is no jump, and a fault's handler follows.
#[inline]
fn last_fault(from: &Block, to: &Entry) -> Option<u16> {
    if to.handler_of.is_empty() || leads_to(from.last(), to.block.start()) {
        return None;
    }
    let flow = from.last().flow;
    let may_fault = matches!(flow, Flow::Next | Flow::Undefined | Flow::Breakpoint);
    let exception = vectors::choose(&to.handler_of, flow, false)?;
    (may_fault && vectors::is_fault(exception)).then_some(exception)
}

/// Whether only execution tells where `instruction` leads.
fn is_computed(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow,
        Flow::IndirectBranch | Flow::IndirectCall | Flow::Return
    )
}

/// Adds the first four lanes: one vector addition.
#[inline]
fn add_counted(sum: &mut Tally, counted: [u32; 4]) {
    let mut lanes = [sum.0[0], sum.0[1], sum.0[2], sum.0[3]];
    for (lane, count) in lanes.iter_mut().zip(counted) {
        *lane = lane.wrapping_add(count);
    }
    sum.0[..4].copy_from_slice(&lanes);
}

fn lane_of(exception: u16) -> usize {
    match exception {
        vectors::SVCALL => counted::SVCALL,
        vectors::PENDSV => counted::PENDSV,
        vectors::SYSTICK => counted::SYSTICK,
        16.. => counted::EXTERNAL,
        _ => counted::FAULTS,
    }
}

fn model(plan: &Plan) -> Result<Model, Error> {
    let Some(modelling) = &plan.model else {
        return Ok(Model::counting());
    };
    let core = plan.core.parse().map_err(|e| Error::new(format!("{e}")))?;
    Model::new(core, &modelling.profile).map_err(|e| Error::new(format!("{e}")))
}

fn lanes(model: &Model) -> Vec<Lane> {
    let counted = counted::NAMES.iter().map(|name| Lane {
        name: (*name).into(),
        low: None,
        high: None,
        source: "counted".into(),
    });
    let modelled = model.lanes().iter().map(|lane| Lane {
        name: lane.name.into(),
        low: Some(lane.low.0),
        high: Some(lane.high.0),
        source: lane.source.into(),
    });
    counted.chain(modelled).collect()
}

type Marks = (Vec<String>, HashMap<u32, Vec<usize>>);

/// Names in the order of their first appearance, and which of them are at an address.
fn marks(plan: &Plan, image: &Image) -> Result<Marks, Error> {
    let planned = plan
        .marks
        .iter()
        .map(|mark| (&mark.name, mark.address & !1));
    let all: Vec<_> = image
        .marks
        .iter()
        .map(|m| (&m.name, m.address))
        .chain(planned)
        .collect();
    if all.is_empty() {
        return Err(Error::new(
            "the image has no marks; use BENCH_MARK in it, or name addresses in the plan",
        ));
    }
    let mut names: Vec<String> = Vec::new();
    let mut at: HashMap<u32, Vec<usize>> = HashMap::new();
    for (name, address) in all {
        let index = names
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
        at.entry(address).or_default().push(index);
    }
    Ok((names, at))
}
