// SPDX-License-Identifier: MIT
//! The replay core: receives the executed blocks from a target and writes the event log.
//!
//! A block's tally is added when the next block begins, because the next block shows how far the
//! block was executed and whether an exception came between them. A mark inside a block adds the
//! tally of the instructions before the mark at once.

use crate::block::{accesses, Block};
use crate::budget::Budget;
use crate::edges::{add_counted, Edges, FastPath};
use crate::exceptions::ExceptionStack;
use crate::frames::Frames;
use crate::handlers::Handlers;
use crate::image::Image;
use crate::log::{Ending, Header, Log, Record, RecordKind, Trailer};
use crate::plan::Plan;
use crate::processor::{self, Processor};
use crate::setup::{self, lanes};
use crate::Error;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use ticklab_armv7m::{Arrival, MemorySystem};
use ticklab_isa::{counted, Flow, Frame, Instruction, Tally, COUNTED};

/// The number of a block that the core knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId(pub usize);

pub struct Core<W: Write> {
    pub(crate) image: Image,
    pub(crate) processor: Box<dyn Processor>,
    pub(crate) memory: Option<MemorySystem>,
    is_modelling: bool,
    pub(crate) handlers: Handlers,
    /// Indices of the marks at each address.
    marks: HashMap<u32, Vec<usize>>,
    /// The mark that an exception's entry passes, by the lane that counts the entry.
    entries: [Option<usize>; COUNTED],
    pub(crate) blocks: Vec<KnownBlock>,
    /// Indexed by block.
    pub(crate) fast_paths: Vec<FastPath>,
    ids: HashMap<(u32, u8, Vec<u8>), BlockId>,
    /// The number of remaining instructions of an IT block, at addresses inside it.
    it_remaining: HashMap<u32, u8>,

    pub(crate) stack: ExceptionStack,
    /// `None` if calls are not followed.
    pub(crate) frames: Option<Frames>,
    pub(crate) frame: Frame,
    pub(crate) running: Option<BlockId>,
    pub(crate) arrival: Arrival,
    /// The number of instructions of the running block that the tally already contains.
    pub(crate) added: usize,
    /// Addresses of the conditional instructions that accessed memory in the running block.
    pub(crate) accessed: Vec<u32>,
    /// The instruction of the running block with the latest mark, if none was executed since.
    marked: Option<usize>,
    /// See [`Core::entered`]. The value is of an earlier block if the last block
    /// [`Core::was_plain`].
    entered: Option<usize>,
    /// See [`Core::was_plain`].
    pub(crate) was_plain: bool,
    /// The register that ends the machine, and the addresses of the stores to it. The target may
    /// translate such a store later without the code before it, which determines the store's
    /// address.
    finisher: Option<u32>,
    finishing: HashSet<u32>,

    header: Header,
    /// The sum of all records.
    recorded: Tally,
    /// The tally since the last record.
    pub(crate) tally: Tally,
    /// The instructions of the tally that the budget has counted.
    spent: u32,
    /// The instructions of the tally at which the budget must be asked again.
    limit: u32,
    budget: Budget,
    pub(crate) log: Log<W>,
}

/// A block with the facts that depend on its address.
pub(crate) struct KnownBlock {
    pub(crate) block: Block,
    /// The exceptions that have their handler here.
    pub(crate) handler_of: Vec<u16>,
    pub(crate) edges: Edges,
}

impl<W: Write> Core<W> {
    /// Starts a log on `out`.
    ///
    /// # Errors
    /// The plan does not fit the image, or requests a model that does not exist.
    pub fn new(plan: &Plan, image: Image, out: W) -> Result<Core<W>, Error> {
        let processor = processor::for_plan(plan, &image)?;
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
            fast_paths: Vec::new(),
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

    /// Returns the block of `code` at `start`. The same code always is the same block, however
    /// often a target translates it, so memory is bounded by the code that exists.
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
        self.fast_paths
            .push(FastPath::new(&block, !handler_of.is_empty()));
        self.blocks.push(KnownBlock {
            block,
            handler_of,
            edges: Edges::new(),
        });
        self.ids.insert(key, id);
        id
    }

    #[must_use]
    pub fn code(&self, id: BlockId) -> &Block {
        &self.blocks[id.0].block
    }

    /// Returns the marks at an address, as arguments of [`Core::mark`].
    #[must_use]
    pub fn marks_at(&self, address: u32) -> &[usize] {
        self.marks.get(&address).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of known blocks.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the number of marks.
    #[must_use]
    pub fn marks(&self) -> usize {
        self.header.marks.len()
    }

    /// Returns the header of the log.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the running exception; 0 in thread mode.
    #[must_use]
    pub fn exception(&self) -> u16 {
        self.stack.running()
    }

    /// Returns the tally since reset. Counts wrap; their differences are exact.
    #[must_use]
    pub fn total(&self) -> Tally {
        let mut total = self.recorded;
        total += &self.tally;
        total
    }

    /// Returns whether the target must report the accesses of `instruction` by [`Core::accessed`].
    #[must_use]
    pub fn needs_access(&self, instruction: &Instruction) -> bool {
        instruction.conditional && accesses(instruction)
    }

    /// Returns whether the target must report the addresses that `instruction` accesses by
    /// [`Core::address`].
    #[must_use]
    pub fn needs_address(&self, instruction: &Instruction) -> bool {
        self.processor.needs_address(instruction)
    }

    /// Returns the size in bytes of the instruction that begins with this halfword.
    #[must_use]
    pub fn size(&self, first: [u8; 2]) -> usize {
        self.processor.size(first)
    }

    /// Returns whether `instruction` ends the machine: a store to the plan's finisher.
    #[must_use]
    pub fn finishes(&self, instruction: &Instruction) -> bool {
        self.finishing.contains(&instruction.address)
    }

    /// Returns the name of an exception if it is not that of its handler.
    #[must_use]
    pub fn exception_name(&self, exception: u16) -> Option<&'static str> {
        self.processor.name(exception)
    }

    /// Returns the exceptions and handlers that are known so far.
    #[must_use]
    pub fn handlers(&self) -> Vec<(u16, u32)> {
        self.handlers.all()
    }

    /// Enters block `next`. `reached` is the sum of the checkpoints of the block before it. Returns
    /// the reason if the observation ends.
    #[inline]
    pub fn enter(&mut self, next: BlockId, reached: u32) -> Option<Ending> {
        self.was_plain = self.take_fast_path(next, reached);
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

    /// Returns whether the block before the running one was executed as a whole and led to the
    /// running block without an exception. Its tally is then the same every time, apart from the
    /// memory model.
    #[inline]
    #[must_use]
    pub fn was_plain(&self) -> bool {
        self.was_plain
    }

    /// Returns the mark, for [`Core::mark`] at instruction 0, that is passed because the running
    /// block begins the handler of an exception just entered.
    #[inline]
    #[must_use]
    pub fn entered(&self) -> Option<usize> {
        self.entered.filter(|_| !self.was_plain)
    }

    /// Returns whether the cost of the same blocks may differ from one execution to the next.
    #[must_use]
    pub fn models_memory(&self) -> bool {
        self.processor.has_history()
    }

    /// Handles the case of nearly every block, in which only a known tally is added. Returns false,
    /// without an effect, in all other cases.
    #[inline]
    fn take_fast_path(&mut self, next: BlockId, reached: u32) -> bool {
        let Some(running) = self.running else {
            return false;
        };
        let from = &self.fast_paths[running.0];
        let is_plain = reached == from.whole
            && self.added == 0
            && self.accessed.is_empty()
            && (!from.uses_stack || (self.stack.is_empty() && self.frames.is_none()))
            && from.is_known_successor(next, || self.fast_paths[next.0].is_handler);
        if is_plain && !self.is_modelling {
            add_counted(&mut self.tally, from.counted);
            return true;
        }
        is_plain && self.take_edge(running, next)
    }

    /// Handles the same case with a cycle model, in which edges have costs.
    #[inline(never)]
    fn take_edge(&mut self, running: BlockId, next: BlockId) -> bool {
        let from = &self.blocks[running.0];
        let Some(edge) = from.edges.to(next) else {
            return false;
        };
        self.tally += &edge.tally;
        if let Some(memory) = &mut self.memory {
            let executed = from.block.instructions.len();
            memory.fetch(&from.block.fetches, executed, self.arrival, &mut self.tally);
        }
        self.arrival = edge.arrival;
        true
    }

    /// Passes `mark` at instruction `index` of the running block, which is about to execute.
    /// Returns the reason if the observation ends.
    pub fn mark(&mut self, mark: usize, index: usize) -> Option<Ending> {
        if let Some(running) = self.running {
            self.add(running, index);
        }
        let (spent, waited) = (self.spend(), self.cycles_before_retirement(index));
        self.tally += &waited;
        self.record(RecordKind::Mark, mark as u32, self.stack.running());
        self.record_activation(mark);
        self.tally = self.tally - waited;
        self.marked = Some(index);
        let passed = self.budget.pass(mark);
        self.limit = self.budget.horizon();
        passed.or(spent)
    }

    /// Reports that the conditional instruction at `address` accessed memory.
    pub fn accessed(&mut self, address: u32) {
        self.accessed.push(address);
    }

    /// Reports that the running block accessed data at `address`. Returns false if the access had
    /// no effect on the core.
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

    /// Adds the instructions of the last block up to `reached`, when the target ends by itself.
    pub fn stop(&mut self, reached: u32) {
        if let Some(running) = self.running {
            let block = &self.blocks[running.0].block;
            let executed = block
                .stopped_at(reached)
                .unwrap_or(block.instructions.len());
            self.add(running, executed);
        }
    }

    /// Ends the log at the current position.
    ///
    /// # Errors
    /// The log could not be written completely.
    pub fn finish(&mut self, end: Ending, detail: Option<String>) -> io::Result<()> {
        let pc = self.running.map(|running| {
            let instructions = &self.blocks[running.0].block.instructions;
            instructions[self.added.min(instructions.len() - 1)].address
        });
        let symbol = pc.and_then(|pc| self.image.describe(pc));
        if self.marked == Some(self.added) {
            let waited = self.cycles_before_retirement(self.added);
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

    /// Returns whether execution stopped where guests end their run: at a breakpoint, which
    /// semihosting uses, or at a store to the finisher.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        let Some(running) = self.running else {
            return false;
        };
        let block = &self.blocks[running.0].block;
        let next = block.instructions.get(self.added);
        block.last().flow == Flow::Breakpoint || next.is_some_and(|next| self.finishes(next))
    }

    /// Returns whether another fault would lock up the processor.
    #[must_use]
    pub fn may_lock_up(&self) -> bool {
        self.processor.may_lock_up(&self.stack)
    }

    /// Returns the cycles of an instruction of the running block that have passed when its mark is
    /// observed, or when it faults.
    pub(crate) fn cycles_before_retirement(&self, index: usize) -> Tally {
        self.running.map_or(Tally::ZERO, |running| {
            let sums = &self.blocks[running.0].block.sums;
            self.processor.cycles_before_retirement(sums, index)
        })
    }

    /// Adds the address of a handler of `exception`. Known blocks there become handlers.
    pub(crate) fn add_handler(&mut self, address: u32, exception: u16) {
        if !self.handlers.add(address, exception) {
            return;
        }
        for (entry, fast_path) in self.blocks.iter_mut().zip(&mut self.fast_paths) {
            if entry.block.start() == address {
                entry.handler_of = self.handlers.at(address).to_vec();
                fast_path.is_handler = true;
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
        self.stack.confirm();
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
