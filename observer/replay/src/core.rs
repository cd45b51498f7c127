// SPDX-License-Identifier: MIT
//! The replay core: receives the executed blocks from a target and writes the event log.
//!
//! A block's tally is added when the next block begins, because the next block shows how far the
//! block was executed and whether an exception came between them. A mark inside a block adds the
//! tally of the instructions before the mark at once.

use crate::account::Account;
use crate::block::{Block, BlockId};
use crate::budget::Budget;
use crate::edges::add_counted;
use crate::frames::Frames;
use crate::log::{Ending, Header, LogRecordKind, Trailer};
use crate::plan::Plan;
use crate::position::Position;
use crate::program::Program;
use crate::setup::{self, lanes};
use crate::Error;
use std::collections::HashMap;
use std::io::{self, Write};
use ticklab_image::Image;
use ticklab_isa::{Flow, Instruction, Tally, COUNTED};
use ticklab_memory::MemorySystem;
use ticklab_processor::{CodeState, ExceptionStack, InstructionSet};

pub struct Core<'out> {
    pub(crate) program: Program,
    /// Indices of the marks at each address.
    pub(crate) marks: HashMap<u32, Vec<usize>>,
    /// The address of each watched byte, and the index of the mark that a write to the byte passes.
    writes: Vec<(u32, usize)>,
    /// For each lane that counts entries of exceptions, the index of the mark that such an entry
    /// passes.
    pub(crate) entries: [Option<usize>; COUNTED],
    pub(crate) is_modelling: bool,

    pub(crate) memory: Option<MemorySystem>,
    pub(crate) stack: ExceptionStack,
    /// `None` if calls are not followed.
    pub(crate) frames: Option<Frames>,
    pub(crate) position: Position,
    pub(crate) account: Account<'out>,
}

impl<'out> Core<'out> {
    /// Starts a log on `out`.
    ///
    /// # Errors
    /// The plan does not fit the image, or requests a model that does not exist.
    pub fn new(plan: &Plan, image: Image, out: impl Write + 'out) -> Result<Core<'out>, Error> {
        let program = Program::new(plan, image)?;
        let marks = setup::marks(plan)?;
        let budget = Budget::new(plan, &marks.names)?;
        let timing = program.model.lanes();
        let header = Header::new(&plan.core, lanes(timing), marks.names);
        Ok(Core {
            is_modelling: !timing.is_empty(),
            memory: program.model.memory(),
            program,
            marks: marks.at,
            writes: marks.writes,
            entries: marks.entries,
            stack: ExceptionStack::default(),
            frames: marks.calls.map(Frames::new),
            position: Position::new(),
            account: Account::new(header, budget, out),
        })
    }

    /// Returns the block of `code` at `start`. The same code always is the same block, however
    /// often a target translates it, so memory is bounded by the code that exists.
    pub fn block(&mut self, start: u32, code: &[u8]) -> BlockId {
        self.block_in(start, code, CodeState::default())
    }

    /// Returns the block of `code` at `start`, which the processor executes in `state`.
    pub fn block_in(&mut self, start: u32, code: &[u8], state: CodeState) -> BlockId {
        self.program.block(start, code, state)
    }

    /// Returns the state in which the processor executes a block at `start`, from the bytes of
    /// each instruction.
    #[must_use]
    pub fn state(&self, start: u32, instructions: Vec<&[u8]>) -> CodeState {
        self.program.state(start, instructions)
    }

    /// Returns the instruction set of the guest.
    #[must_use]
    pub fn instruction_set(&self) -> &'static dyn InstructionSet {
        self.program.set
    }

    #[must_use]
    pub fn code(&self, id: BlockId) -> &Block {
        &self.program.blocks[id.0].block
    }

    /// Returns the marks at an address, as arguments of [`Core::mark`].
    #[must_use]
    pub fn marks_at(&self, address: u32) -> &[usize] {
        self.marks.get(&address).map_or(&[], Vec::as_slice)
    }

    /// Returns whether the target must call [`Core::written`] for the writes of `instruction`.
    #[must_use]
    pub fn watches(&self, instruction: &Instruction) -> bool {
        !self.writes.is_empty() && instruction.accesses_memory()
    }

    /// Returns the marks that a write of `bytes` bytes at `address` passes, as arguments of
    /// [`Core::mark`].
    pub fn written(&self, address: u32, bytes: u32) -> impl Iterator<Item = usize> + '_ {
        let watched = move |&&(byte, _): &&(u32, usize)| byte.wrapping_sub(address) < bytes;
        self.writes.iter().filter(watched).map(|&(_, mark)| mark)
    }

    /// Returns the header of the event log.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.account.header
    }

    /// Returns the number of the running exception; 0 in thread mode.
    #[must_use]
    pub fn exception(&self) -> u16 {
        self.stack.running()
    }

    /// Returns the tally since reset. Counts wrap; their differences are exact.
    #[must_use]
    pub fn total(&self) -> Tally {
        self.account.total()
    }

    /// Returns whether the target must call [`Core::accessed`] for the accesses of `instruction`.
    #[must_use]
    pub fn needs_access(&self, instruction: &Instruction) -> bool {
        instruction.conditional && instruction.accesses_memory()
    }

    /// Returns whether the target must call [`Core::address`] with each address that `instruction`
    /// accesses.
    #[must_use]
    pub fn needs_address(&self, instruction: &Instruction) -> bool {
        self.program.model.needs_address(instruction)
    }

    /// Returns the size in bytes of the instruction that begins with this halfword.
    #[must_use]
    pub fn size(&self, first: [u8; 2], state: CodeState) -> usize {
        self.program.set.size(first, state)
    }

    /// Returns whether `instruction` ends the machine: a store to the plan's exit register.
    #[must_use]
    pub fn finishes(&self, instruction: &Instruction) -> bool {
        self.program.finishes(instruction)
    }

    /// Returns (address, value) for each store of a block whose value the block's code determines.
    #[must_use]
    pub fn stored_constants(&self, id: BlockId, code: &[u8]) -> Vec<(u32, u32)> {
        let block = &self.code(id).instructions;
        self.program
            .set
            .stored_constants(block, code, &self.program.image)
    }

    /// Returns whether the target must call [`Core::requested`] with the address to which
    /// `instruction` stores.
    #[must_use]
    pub fn may_request(&self, instruction: &Instruction) -> bool {
        self.program.may_request(instruction)
    }

    /// Reports the address of a store that may request an interrupt.
    pub fn requested(&mut self, address: u32) {
        if self.program.is_request(address) {
            self.stack.request();
        }
    }

    /// Returns whether the handler at `block` belongs to exactly one exception of the image's
    /// vector table.
    #[must_use]
    pub fn knows_exception(&self, block: BlockId) -> bool {
        let known = &self.program.blocks[block.0];
        known.handler_of.len() == 1 && !self.program.is_learned(known.block.start())
    }

    /// Returns the name of an exception, if it has one other than the name of its handler.
    #[must_use]
    pub fn exception_name(&self, exception: u16) -> Option<&'static str> {
        self.program.set.name(exception)
    }

    /// Returns the exceptions and handlers that are known so far.
    #[must_use]
    pub fn handlers(&self) -> Vec<(u16, u32)> {
        self.program.handlers.all()
    }

    /// Reports which exception the processor took last before the next block, if the target knows.
    /// Otherwise the exception follows from the handler and from the preceding instruction.
    #[inline]
    pub fn take(&mut self, exception: Option<u16>) {
        self.program.taken = exception;
    }

    /// Enters block `next`. `reached` is the sum of the checkpoints of the block before it. Returns
    /// the reason if the observation ends.
    #[inline]
    pub fn enter(&mut self, next: BlockId, reached: u32) -> Option<Ending> {
        self.position.was_plain = self.take_fast_path(next, reached);
        if !self.position.was_plain {
            self.position.entered = None;
            self.conclude(next, reached);
        } else if self.position.added > 0 {
            self.subtract_added();
        }
        self.position.enter(next);
        if self.account.is_due() {
            return self.account.spend();
        }
        None
    }

    /// Returns whether the block before the running one was executed as a whole and was followed by
    /// the running block without an exception. The tally of such a transition is the same every
    /// time, apart from the stalls of memory.
    #[inline]
    #[must_use]
    pub fn was_plain(&self) -> bool {
        self.position.was_plain
    }

    /// Returns the mark at the entry of an exception whose handler the running block begins, to be
    /// passed to [`Core::mark`] at instruction 0.
    #[inline]
    #[must_use]
    pub fn entered(&self) -> Option<usize> {
        self.position.entered.filter(|_| !self.position.was_plain)
    }

    /// Returns whether the cost of a block may differ from one execution to the next, because the
    /// model has caches.
    #[must_use]
    pub fn models_memory(&self) -> bool {
        self.program.model.has_history()
    }

    /// The fast path: handles a block for which only a known tally is added, as for nearly every
    /// block. Returns false, and changes nothing, in all other cases.
    #[inline]
    fn take_fast_path(&mut self, next: BlockId, reached: u32) -> bool {
        let Some(running) = self.position.running else {
            return false;
        };
        let from = &self.program.fast_paths[running.0];
        let is_plain = reached == from.whole
            && self.position.accessed.is_empty()
            && (!from.uses_stack || (self.stack.is_empty() && self.frames.is_none()))
            && from.is_known_successor(next, || self.program.fast_paths[next.0].is_handler);
        if is_plain && !self.is_modelling {
            add_counted(&mut self.account.tally, from.counted);
            return true;
        }
        is_plain && self.take_edge(running, next)
    }

    /// Corrects the tally after the fast path, which has added the whole running block although a
    /// mark had already added its first instructions.
    #[inline(never)]
    fn subtract_added(&mut self) {
        (self.position.was_plain, self.position.entered) = (false, None);
        if let Some(running) = self.position.running {
            let sums = &self.program.blocks[running.0].block.sums;
            self.account.tally -= &sums[self.position.added];
        }
    }

    /// The fast path with a cycle model, in which the edge to the next block has a cost, too.
    #[inline(never)]
    fn take_edge(&mut self, running: BlockId, next: BlockId) -> bool {
        let from = &self.program.blocks[running.0];
        let Some(edge) = from.edges.to(next) else {
            return false;
        };
        self.account.tally += &edge.tally;
        if let Some(memory) = &mut self.memory {
            let executed = from.block.instructions.len();
            memory.fetch(
                &from.block.fetches,
                executed,
                self.position.arrival,
                &mut self.account.tally,
            );
        }
        self.position.arrival = edge.arrival;
        true
    }

    /// Passes `mark` at instruction `index` of the running block, which is about to execute.
    /// Returns the reason if the observation ends.
    pub fn mark(&mut self, mark: usize, index: usize) -> Option<Ending> {
        if let Some(running) = self.position.running {
            self.add(running, index);
        }
        let waited = self.cycles_before_retirement(index);
        self.account.tally += &waited;
        let spent = self.record(LogRecordKind::Mark, mark as u32, self.stack.running());
        self.record_activation(mark);
        self.account.tally -= &waited;
        self.position.marked = Some(index);
        self.account.pass(mark).or(spent)
    }

    /// Reports that the conditional instruction at `address` accessed memory.
    pub fn accessed(&mut self, address: u32) {
        self.position.accessed.push(address);
    }

    /// Returns whether the target must report an access by [`Core::completed`]: the access stopped
    /// a block, and the target executes it after all, in a block of its own.
    #[must_use]
    pub fn completes(&self, id: BlockId) -> bool {
        matches!(&self.code(id).instructions[..], [only] if only.accesses_memory())
    }

    /// Reports that the access of the instruction at `address` completed. So it took no fault.
    pub fn completed(&mut self, address: u32) {
        self.position.completed = Some(address);
    }

    /// Reports that the running block accessed data at `address`.
    #[inline]
    pub fn address(&mut self, address: u32) {
        if let Some(memory) = &mut self.memory {
            memory.read(address, &mut self.account.tally);
        } else if let Some(cost) = self.program.model.access(address) {
            self.account.tally += &cost;
        }
    }

    /// Adds the instructions of the last block up to `reached`, when the target ends by itself.
    pub fn stop(&mut self, reached: u32) {
        if let Some(running) = self.position.running {
            let block = &self.program.blocks[running.0].block;
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
        let pc = self.position.running.map(|running| {
            let instructions = &self.program.blocks[running.0].block.instructions;
            instructions[self.position.added.min(instructions.len() - 1)].address
        });
        let symbol = pc.and_then(|pc| self.program.image.describe(pc));
        let added = self.position.added;
        if self.position.marked == Some(added) {
            let waited = self.cycles_before_retirement(added);
            self.account.tally += &waited;
        }
        let trailer = Trailer {
            end,
            pc,
            symbol,
            detail,
            tasks: self.frames.as_ref().map_or_else(Vec::new, Frames::tasks),
        };
        self.account.end(trailer)
    }

    /// Returns whether execution stopped where guests end their run: at a breakpoint, by which they
    /// call semihosting, or at a store to the exit register.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        let Some(running) = self.position.running else {
            return false;
        };
        let block = &self.program.blocks[running.0].block;
        let next = block.instructions.get(self.position.added);
        block.last().flow == Flow::Breakpoint || next.is_some_and(|next| self.finishes(next))
    }

    /// Returns whether another fault would lock up the processor.
    #[must_use]
    pub fn may_lock_up(&self) -> bool {
        self.program.set.may_lock_up(&self.stack)
    }

    /// Returns those cycles of instruction `index` of the running block that have passed when a
    /// mark at the instruction is observed, or when the instruction faults.
    pub(crate) fn cycles_before_retirement(&self, index: usize) -> Tally {
        self.position.running.map_or(Tally::ZERO, |running| {
            let sums = &self.program.blocks[running.0].block.sums;
            self.program.model.cycles_before_retirement(sums, index)
        })
    }

    /// Writes a record. Exceptions that were entered before can no longer be retracted. Returns the
    /// reason if the observation ends.
    pub(crate) fn record(
        &mut self,
        kind: LogRecordKind,
        id: u32,
        exception: u16,
    ) -> Option<Ending> {
        self.stack.confirm();
        self.account.record(kind, id, exception)
    }
}
