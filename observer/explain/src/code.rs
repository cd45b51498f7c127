// SPDX-License-Identifier: MIT
//! Every instruction that was translated, once: its bytes, where it comes from, what it masks.

use crate::depth;
use crate::functions::{FunctionId, Functions};
use crate::masking::{classify, Effect};
use crate::request::Suspension;
use std::collections::BTreeMap;
use ticklab_isa::{Instruction, Register};
use ticklab_replay::{Block, Isa};

pub struct Place {
    pub instruction: Instruction,
    pub bytes: Vec<u8>,
    /// The function out of line first, then what is inlined into it.
    pub chain: Vec<FunctionId>,
    pub line: Option<String>,
    pub effect: Option<Effect>,
}

impl Place {
    pub fn function(&self) -> FunctionId {
        self.chain[self.chain.len() - 1]
    }

    pub fn symbol(&self) -> FunctionId {
        self.chain[0]
    }
}

/// A block, as far as the analysis looks at it.
pub struct CodeBlock {
    pub start: u32,
    /// The function out of line of its first instruction.
    pub function: FunctionId,
    /// Whether it begins where that does.
    pub is_start: bool,
    /// Instructions of one function: from, to, and inlined functions.
    pub segments: Vec<Segment>,
    pub effects: Vec<Masks>,
    /// Instructions that move SP by a constant: index, bytes by which the stack grows.
    pub growths: Vec<(usize, i32)>,
    /// Whether thread mode perhaps goes on with another stack.
    pub moves_stack: bool,
}

/// Instruction `index` of a block does something to the masks.
#[derive(Clone, Copy)]
pub struct Masks {
    pub index: usize,
    pub effect: Effect,
    /// The function out of line.
    pub function: FunctionId,
}

pub struct Segment {
    pub from: usize,
    pub to: usize,
    /// Without the function out of line.
    pub inlined: Vec<FunctionId>,
}

impl CodeBlock {
    /// What is inlined around instruction `index`.
    pub fn inlined(&self, index: usize) -> &[FunctionId] {
        let segment = self.segments.iter().find(|segment| index < segment.to);
        segment.map_or(&[], |segment| &segment.inlined)
    }
}

#[derive(Default)]
pub struct Code {
    pub places: BTreeMap<u32, Place>,
    pub blocks: Vec<CodeBlock>,
    isa: Isa,
    suspension: Option<Suspension>,
}

impl Code {
    pub fn new(isa: Isa, suspension: Option<Suspension>) -> Code {
        Code {
            isa,
            suspension,
            ..Code::default()
        }
    }

    /// `block` of `code` is the next one.
    pub fn add(&mut self, block: &Block, code: &[u8], functions: &mut Functions) {
        let mut growths = Vec::new();
        for (index, instruction) in block.instructions().iter().enumerate() {
            let offset = (instruction.address - block.start()) as usize;
            let bytes = &code[offset..offset + usize::from(instruction.size)];
            self.place(instruction, bytes, functions);
            match depth::growth(self.isa, instruction, bytes) {
                0 => {}
                growth => growths.push((index, growth)),
            }
        }
        let addresses = block.instructions().iter().map(|i| i.address);
        let effects = addresses
            .clone()
            .enumerate()
            .filter_map(|(index, address)| {
                let place = &self.places[&address];
                place.effect.map(|effect| Masks {
                    index,
                    effect,
                    function: place.symbol(),
                })
            });
        let effects: Vec<_> = effects.collect();
        let segments = self.segments(&addresses.collect::<Vec<_>>());
        let function = self.places[&block.start()].symbol();
        self.blocks.push(CodeBlock {
            start: block.start(),
            function,
            is_start: functions.get(function).address == Some(block.start()),
            segments,
            moves_stack: effects.iter().any(|masks| masks.effect == Effect::Stack),
            effects,
            growths,
        });
    }

    fn place(&mut self, instruction: &Instruction, bytes: &[u8], functions: &mut Functions) {
        let known = self.places.get(&instruction.address);
        if known.is_some_and(|place| place.bytes == bytes) {
            return;
        }
        let origin = functions.origin(instruction.address);
        let effect = classify(self.isa, instruction, bytes, &self.places)
            .or_else(|| self.suspends(instruction, &origin.chain, functions));
        if let Some(effect) = effect {
            let own = origin.chain[origin.chain.len() - 1];
            let function = &mut functions.list[own.0 as usize];
            function.enters |= matches!(effect, Effect::Mask(_));
            function.leaves |= matches!(effect, Effect::Unmask(_) | Effect::Restore(_));
        }
        let place = Place {
            instruction: *instruction,
            bytes: bytes.to_vec(),
            chain: origin.chain,
            line: origin.line,
            effect,
        };
        self.places.insert(instruction.address, place);
    }

    /// What `instruction` does to the scheduler; `chain` as of its place.
    fn suspends(
        &self,
        instruction: &Instruction,
        chain: &[FunctionId],
        functions: &Functions,
    ) -> Option<Effect> {
        let suspension = self.suspension.as_ref()?;
        let own = functions.get(chain[chain.len() - 1]);
        let is_store =
            instruction.writes > 0 && !instruction.base.contains(stack_pointer(self.isa));
        if own.name == suspension.begin && is_store {
            return Some(Effect::Suspend);
        }
        let is_end = own.name == suspension.end && own.address == Some(instruction.address);
        is_end.then_some(Effect::Resume)
    }

    fn segments(&self, addresses: &[u32]) -> Vec<Segment> {
        let mut segments: Vec<Segment> = Vec::new();
        for (index, address) in addresses.iter().enumerate() {
            let inlined = &self.places[address].chain[1..];
            match segments.last_mut() {
                Some(last) if last.inlined == inlined => last.to = index + 1,
                _ => segments.push(Segment {
                    from: index,
                    to: index + 1,
                    inlined: inlined.to_vec(),
                }),
            }
        }
        segments
    }
}

fn stack_pointer(isa: Isa) -> Register {
    match isa {
        Isa::Armv7M => ticklab_armv7m::register::SP,
        Isa::Rv32 => ticklab_rv32::register::SP,
    }
}
