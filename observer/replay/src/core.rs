// SPDX-License-Identifier: MIT
//! The replay core: is told what ran, and writes the event log.
//!
//! A block's tally is added when its successor is known, for only that tells how far the block ran
//! and whether an exception came between. A mark inside a block adds the part in front of it at
//! once.

use crate::block::{accesses, Block};
use crate::budget::Budget;
use crate::exceptions::ExceptionStack;
use crate::frames::Frames;
use crate::handlers::Handlers;
use crate::image::Image;
use crate::log::{Ending, Header, Log, Record, RecordKind, Trailer};
use crate::plan::Plan;
use crate::processor::{self, Processor};
use crate::setup::{self, lanes};
use crate::ways::{add_counted, ShortCut, Ways};
use crate::Error;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use ticklab_armv7m::{Arrival, MemorySystem};
use ticklab_isa::{counted, Flow, Frame, Instruction, Tally, COUNTED};

/// A block that the core knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId(pub usize);

pub struct Core<W: Write> {
    pub(crate) image: Image,
    pub(crate) processor: Box<dyn Processor>,
    pub(crate) memory: Option<MemorySystem>,
    is_modelling: bool,
    pub(crate) handlers: Handlers,
    /// Indices of the marks at an address.
    marks: HashMap<u32, Vec<usize>>,
    /// The mark that an exception's entry passes, by the lane that counts the entry.
    entries: [Option<usize>; COUNTED],
    pub(crate) blocks: Vec<Entry>,
    /// One for each block.
    pub(crate) short_cuts: Vec<ShortCut>,
    ids: HashMap<(u32, u8, Vec<u8>), BlockId>,
    /// How many instructions of an IT block are left at an address inside one.
    it_remaining: HashMap<u32, u8>,

    pub(crate) stack: ExceptionStack,
    /// None if calls are not followed.
    pub(crate) frames: Option<Frames>,
    pub(crate) frame: Frame,
    pub(crate) running: Option<BlockId>,
    pub(crate) arrival: Arrival,
    /// Instructions of the running block that are in the tally already.
    pub(crate) added: usize,
    /// Addresses of the conditional instructions that accessed memory in the running block.
    pub(crate) accessed: Vec<u32>,
    /// The instruction of the running block that has the newest mark, if none executed since.
    marked: Option<usize>,
    /// See [`Core::entered`]. Of an earlier block if the last one [`Core::was_plain`].
    entered: Option<usize>,
    /// See [`Core::was_plain`].
    pub(crate) was_plain: bool,
    /// Where a store ends the machine, and the addresses of such stores. A target may translate one
    /// by itself later, without the code in front that tells where it goes.
    finisher: Option<u32>,
    finishing: HashSet<u32>,

    header: Header,
    /// The sum of all records.
    recorded: Tally,
    /// Since the last record.
    pub(crate) tally: Tally,
    /// Instructions of the tally that the budget knows of.
    spent: u32,
    /// Instructions of the tally at which the budget must be asked again.
    limit: u32,
    budget: Budget,
    pub(crate) log: Log<W>,
}

/// A block and what the core found out about its place.
pub(crate) struct Entry {
    pub(crate) block: Block,
    /// Exceptions whose handler begins here.
    pub(crate) handler_of: Vec<u16>,
    pub(crate) ways: Ways,
}

impl<W: Write> Core<W> {
    /// Starts a log on `out`.
    ///
    /// # Errors
    /// The plan does not fit the image, or asks for a model that does not exist.
    pub fn new(plan: &Plan, image: Image, out: W) -> Result<Core<W>, Error> {
        let processor = processor::of(plan, &image)?;
        let handlers = processor.handlers(&image, plan.vectors)?;
        let marks = setup::marks(plan, &image)?;
        let budget = Budget::new(plan, &marks.names)?;
        let header = Header::new(&plan.core, lanes(processor.lanes()), marks.names);
        Ok(Core {
            memory: processor.memory(),
            is_modelling: !processor.lanes().is_empty(),
            handlers,
            marks: marks.at,
            entries: marks.entries,
            blocks: Vec::new(),
            short_cuts: Vec::new(),
            ids: HashMap::new(),
            it_remaining: HashMap::new(),
            stack: ExceptionStack::default(),
            frames: marks.calls.map(Frames::new),
            frame: Frame::Basic,
            running: None,
            arrival: Arrival::Branch,
            added: 0,
            accessed: Vec::new(),
            marked: None,
            entered: None,
            was_plain: false,
            recorded: Tally::ZERO,
            tally: Tally::ZERO,
            spent: 0,
            limit: budget.horizon(),
            budget,
            log: Log::new(out, &header),
            header,
            image,
            processor,
            finisher: plan.finisher,
            finishing: HashSet::new(),
        })
    }

    /// The block of `code` at `start`: the same for the same code, however often a target
    /// translates it, so that memory is bounded by the code there is.
    pub fn block(&mut self, start: u32, code: &[u8]) -> BlockId {
        let it_remaining = self.it_remaining.get(&start).copied().unwrap_or(0);
        let key = (start, it_remaining, code.to_vec());
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let block = Block::new(&*self.processor, &self.image, start, code, it_remaining);
        for instruction in block.instructions.iter().filter(|i| i.it_remaining > 0) {
            self.it_remaining
                .insert(instruction.end(), instruction.it_remaining);
        }
        if let Some(finisher) = self.finisher {
            let stores = self.processor.stores(start, code, finisher);
            let addresses = stores
                .iter()
                .map(|&store| block.instructions[store].address);
            self.finishing.extend(addresses);
        }
        let id = BlockId(self.blocks.len());
        for (address, exception) in self.processor.installs(&self.image, start, code) {
            self.add_handler(address, exception);
        }
        let handler_of = self.handlers.at(start).to_vec();
        self.short_cuts
            .push(ShortCut::new(&block, !handler_of.is_empty()));
        self.blocks.push(Entry {
            block,
            handler_of,
            ways: Ways::new(),
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

    /// How many blocks are known.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// How many marks have names.
    #[must_use]
    pub fn marks(&self) -> usize {
        self.header.marks.len()
    }

    /// The header of the log.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The exception that runs; 0 in thread mode.
    #[must_use]
    pub fn exception(&self) -> u16 {
        self.stack.running()
    }

    /// Everything counted so far. Counts wrap, differences are right.
    #[must_use]
    pub fn total(&self) -> Tally {
        let mut total = self.recorded;
        total += &self.tally;
        total
    }

    /// Whether the core must be told of the accesses of `instruction`: [`Core::accessed`].
    #[must_use]
    pub fn needs_access(&self, instruction: &Instruction) -> bool {
        instruction.conditional && accesses(instruction)
    }

    /// Whether the core must be told what `instruction` accesses: [`Core::address`].
    #[must_use]
    pub fn needs_address(&self, instruction: &Instruction) -> bool {
        self.processor.needs_address(instruction)
    }

    /// Bytes of the instruction that begins with this halfword.
    #[must_use]
    pub fn size(&self, first: [u8; 2]) -> usize {
        self.processor.size(first)
    }

    /// Whether the guest ends the machine with `instruction`: a store to the plan's finisher.
    #[must_use]
    pub fn finishes(&self, instruction: &Instruction) -> bool {
        self.finishing.contains(&instruction.address)
    }

    /// What an exception is called, where its handlers' names do not say it.
    #[must_use]
    pub fn exception_name(&self, exception: u16) -> Option<&'static str> {
        self.processor.name(exception)
    }

    /// Exceptions and their handlers, as far as they are known by now.
    #[must_use]
    pub fn handlers(&self) -> Vec<(u16, u32)> {
        self.handlers.all()
    }

    /// Block `next` begins. The checkpoints of the block before it added up to `reached`.
    #[inline]
    pub fn enter(&mut self, next: BlockId, reached: u32) -> Option<Ending> {
        self.was_plain = self.takes_short_cut(next, reached);
        if !self.was_plain {
            self.entered = None;
            self.conclude(next, reached);
        }
        self.running = Some(next);
        (self.added, self.marked) = (0, None);
        if self.tally[counted::INSTRUCTIONS] < self.limit {
            return None;
        }
        self.spend()
    }

    /// Whether the block before the running one ran whole and led to it by itself. What that added
    /// is then the same every time, but for what the memory model has to say.
    #[inline]
    #[must_use]
    pub fn was_plain(&self) -> bool {
        self.was_plain
    }

    /// The mark, for [`Core::mark`] at instruction 0, that is passed because the running block
    /// begins the handler of an exception just entered.
    #[inline]
    #[must_use]
    pub fn entered(&self) -> Option<usize> {
        self.entered.filter(|_| !self.was_plain)
    }

    /// Whether the same way may cost more or less another time.
    #[must_use]
    pub fn models_memory(&self) -> bool {
        self.processor.has_history()
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
            && self.accessed.is_empty()
            && (!from.uses_stack || (self.stack.is_empty() && self.frames.is_none()))
            && from.leads_to(next, || self.short_cuts[next.0].is_handler);
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
        let Some(way) = from.ways.to(next) else {
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
        let (spent, waited) = (self.spend(), self.waited(index));
        self.tally += &waited;
        self.record(RecordKind::Mark, mark as u32, self.stack.running());
        self.record_place(mark);
        self.tally = self.tally - waited;
        self.marked = Some(index);
        let passed = self.budget.pass(mark);
        self.limit = self.budget.horizon();
        passed.or(spent)
    }

    /// The conditional instruction at `address` accessed memory.
    pub fn accessed(&mut self, address: u32) {
        self.accessed.push(address);
    }

    /// The running block accessed data at `address`. False if it might as well be another.
    #[inline]
    pub fn address(&mut self, address: u32) -> bool {
        if let Some(memory) = &mut self.memory {
            memory.read(address, &mut self.tally);
            return true;
        }
        let cost = self.processor.access(address);
        self.tally += &cost.unwrap_or(Tally::ZERO);
        cost.is_some()
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
        if self.marked == Some(self.added) {
            let waited = self.waited(self.added);
            self.tally += &waited;
        }
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

    /// Whether execution stopped where guests end their target: at a breakpoint, which
    /// semihosting is, or at a store to the finisher.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        let Some(running) = self.running else {
            return false;
        };
        let block = &self.blocks[running.0].block;
        let next = block.instructions.get(self.added);
        block.last().flow == Flow::Breakpoint || next.is_some_and(|next| self.finishes(next))
    }

    /// Whether another fault would lock the processor up.
    #[must_use]
    pub fn may_lock_up(&self) -> bool {
        self.processor.may_lock_up(&self.stack)
    }

    /// What of an instruction of the running block has passed when a mark at it is seen, or when it
    /// faults.
    pub(crate) fn waited(&self, index: usize) -> Tally {
        self.running.map_or(Tally::ZERO, |running| {
            let sums = &self.blocks[running.0].block.sums;
            self.processor.waited(sums, index)
        })
    }

    /// The handler of `exception` begins at `address`: blocks there become handlers.
    pub(crate) fn add_handler(&mut self, address: u32, exception: u16) {
        if !self.handlers.add(address, exception) {
            return;
        }
        for (entry, short_cut) in self.blocks.iter_mut().zip(&mut self.short_cuts) {
            if entry.block.start() == address {
                entry.handler_of = self.handlers.at(address).to_vec();
                short_cut.is_handler = true;
            }
        }
    }

    pub(crate) fn start(&self, id: BlockId) -> u32 {
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

    pub(crate) fn note_entry(&mut self, lane: usize) {
        self.entered = self.entries[lane];
    }

    pub(crate) fn record(&mut self, kind: RecordKind, id: u32, exception: u16) {
        let _ = self.spend();
        let record = self.take_record(kind, id, exception);
        self.log.record(&record);
    }

    fn take_record(&mut self, kind: RecordKind, id: u32, exception: u16) -> Record {
        self.stack.stand();
        let tally = std::mem::replace(&mut self.tally, Tally::ZERO);
        self.recorded += &tally;
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
