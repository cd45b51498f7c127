// SPDX-License-Identifier: MIT
//! The guest's program as known so far: its image, the blocks of code that a target translated, and
//! the handlers of exceptions.

use crate::block::{Block, BlockId};
use crate::edges::{Edges, FastPath};
use crate::plan::Plan;
use crate::Error;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use ticklab_image::Image;
use ticklab_isa::Instruction;
use ticklab_processor::{CodeState, Counting, CycleModel, Fetched, Handlers, InstructionSet};

pub(crate) struct Program {
    pub image: Image,
    pub set: &'static dyn InstructionSet,
    pub model: Box<dyn CycleModel>,
    pub handlers: Handlers,
    pub blocks: Vec<KnownBlock>,
    /// Indexed by block.
    pub fast_paths: Vec<FastPath>,
    ids: HashMap<(u32, u8, CodeState, Vec<u8>), BlockId>,
    /// The state (for example A32 or T32) of known instructions, by the addresses at which they
    /// begin and end. The state at an end means nothing if another known instruction begins there.
    states: HashMap<u32, CodeState>,
    /// For addresses inside a conditional sequence (Armv7-M: an IT block), the number of its
    /// remaining instructions.
    it_remaining: HashMap<u32, u8>,
    /// The register that ends the machine, and the addresses of the stores to it. The addresses are
    /// kept because the target may translate such a store again without the code before it, which
    /// determines where it stores.
    exit_register: Option<u32>,
    /// The code of the kernel's port.
    port: Vec<Range<u32>>,
    finishing: HashSet<u32>,
    /// The addresses of stores that may request an interrupt, which are kept because the target may
    /// translate such a store again without the code after it.
    requesting: HashSet<u32>,
    /// The addresses of handlers that no vector table has, so that their exceptions were guessed.
    learned: HashSet<u32>,
    /// See [`crate::Core::take`].
    pub taken: Option<u16>,
}

/// A block with the facts that depend on its address.
pub(crate) struct KnownBlock {
    pub block: Block,
    /// The exceptions whose handler begins at this block.
    pub handler_of: Vec<u16>,
    pub edges: Edges,
}

impl Program {
    /// # Errors
    /// The plan does not fit the image, or requests a model that does not exist.
    pub fn new(plan: &Plan, image: Image) -> Result<Program, Error> {
        let set = ticklab_registry::instruction_set(image.machine, &plan.core)?;
        let model: Box<dyn CycleModel> = match &plan.model {
            Some(modelling) => {
                let core = ticklab_registry::modelled_core(image.machine, &plan.core)?;
                let model = set.model(core, &modelling.profile);
                model.map_err(|e| Error::new(e.to_string()))?
            }
            None => Box::new(Counting),
        };
        Ok(Program {
            handlers: set.handlers(&image, plan.vectors)?,
            image,
            set,
            model,
            blocks: Vec::new(),
            fast_paths: Vec::new(),
            ids: HashMap::new(),
            states: HashMap::new(),
            it_remaining: HashMap::new(),
            exit_register: plan.exit_register,
            port: plan.port.iter().map(|&[begin, end]| begin..end).collect(),
            finishing: HashSet::new(),
            requesting: HashSet::new(),
            learned: HashSet::new(),
            taken: None,
        })
    }

    /// Returns the state of a block at `start`, whose instructions have these bytes.
    pub fn state(&self, start: u32, instructions: Vec<&[u8]>) -> CodeState {
        self.set.state(&Fetched {
            start,
            instructions,
            declared: self.image.state(start).map(CodeState),
            known: self.states.get(&start).copied(),
        })
    }

    /// Returns the block of `code` at `start`, which is added if it is new.
    pub fn block(&mut self, start: u32, code: &[u8], state: CodeState) -> BlockId {
        let it_remaining = self.it_remaining.get(&start).copied().unwrap_or(0);
        let key = (start, it_remaining, state, code.to_vec());
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let mut block = Block::new(
            self.set,
            &*self.model,
            &self.image,
            start,
            code,
            it_remaining,
            state,
        );
        block.count_port(&self.port);
        self.note_conditions(&block);
        self.note_states(&block);
        self.note_requests(&block);
        self.note_exit(&block, code);
        for (address, exception) in self.set.installs(&self.image, start, code) {
            self.add_handler(address, exception);
        }
        let id = BlockId(self.blocks.len());
        self.add(block);
        self.ids.insert(key, id);
        id
    }

    fn note_conditions(&mut self, block: &Block) {
        for instruction in block.instructions.iter().filter(|i| i.it_remaining > 0) {
            self.it_remaining
                .insert(instruction.end(), instruction.it_remaining);
        }
    }

    fn note_states(&mut self, block: &Block) {
        for instruction in &block.instructions {
            self.states.insert(instruction.address, block.state());
            let end = self.states.entry(instruction.end());
            end.or_insert(block.state());
        }
    }

    fn note_requests(&mut self, block: &Block) {
        let code = &block.instructions;
        let stores = (0..code.len()).filter(|&index| self.set.may_request(code, index));
        self.requesting
            .extend(stores.map(|index| code[index].address));
    }

    fn note_exit(&mut self, block: &Block, code: &[u8]) {
        let Some(exit_register) = self.exit_register else {
            return;
        };
        let stores = self.set.stores(block.start(), code, exit_register);
        let address = |store: usize| block.instructions[store].address;
        self.finishing.extend(stores.into_iter().map(address));
    }

    fn add(&mut self, block: Block) {
        let handler_of = self.handlers.at(block.start()).to_vec();
        self.fast_paths
            .push(FastPath::new(&block, !handler_of.is_empty()));
        self.blocks.push(KnownBlock {
            block,
            handler_of,
            edges: Edges::new(),
        });
    }

    /// Returns whether `instruction` is a store to the exit register.
    pub fn finishes(&self, instruction: &Instruction) -> bool {
        self.finishing.contains(&instruction.address)
    }

    /// Returns whether `instruction` is a store that may request an interrupt.
    pub fn may_request(&self, instruction: &Instruction) -> bool {
        self.requesting.contains(&instruction.address)
    }

    /// Returns whether a store to `address`, by an instruction that may request an interrupt, does
    /// request one. It does not if the address is in memory of the image.
    pub fn is_request(&self, address: u32) -> bool {
        self.set.is_request(address) && self.image.word(address & !3).is_none()
    }

    pub fn start(&self, id: BlockId) -> u32 {
        self.blocks[id.0].block.start()
    }

    /// Adds the address of a handler of `exception`. Known blocks at this address become handlers.
    fn add_handler(&mut self, address: u32, exception: u16) {
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

    /// Returns the exception whose handler begins at block `next`. Called if `from`, the
    /// instruction before, does not certainly lead to `next`.
    pub fn handler(&mut self, from: &Instruction, next: BlockId) -> Option<u16> {
        if let Some(taken) = self.taken {
            if !self.blocks[next.0].handler_of.contains(&taken) {
                self.learn_handler(next, taken);
            }
            return Some(taken);
        }
        let known = self.choose(from, next, false);
        if known.is_some() || from.is_computed_jump() {
            return known;
        }
        let guessed = self.set.guess(&self.image, self.start(next), from.flow);
        self.learn_handler(next, guessed);
        Some(guessed)
    }

    /// Returns which of the exceptions with a handler at `next` was entered after `from`.
    /// `stopped` is true if `from` certainly did not complete.
    pub fn choose(&self, from: &Instruction, next: BlockId, stopped: bool) -> Option<u16> {
        let known = &self.blocks[next.0].handler_of;
        let taken = self.taken.filter(|taken| known.contains(taken));
        taken.or_else(|| self.set.choose(known, from, stopped))
    }

    fn learn_handler(&mut self, next: BlockId, exception: u16) {
        let start = self.start(next);
        self.learned.insert(start);
        self.add_handler(start, exception);
    }

    /// Returns whether the exception of the handler at `address` was guessed, because no table has
    /// it.
    pub fn is_learned(&self, address: u32) -> bool {
        self.learned.contains(&address)
    }

    /// Returns whether a computed jump at `from` may lead to `to`: to the start of a function, or
    /// within one.
    pub fn is_plausible_jump(&self, from: u32, to: u32) -> bool {
        let function = |address| self.image.function(address).map(|(_, start)| start);
        function(to).is_some_and(|start| start == to || function(from) == Some(start))
    }
}
