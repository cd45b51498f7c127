// SPDX-License-Identifier: MIT
//! Stores every translated instruction once: its bytes, its source line, and its effect on
//! interrupt masks.

use crate::functions::{FunctionId, Functions};
use crate::request::Suspension;
use std::collections::BTreeMap;
use ticklab_isa::Instruction;
use ticklab_processor::{CodeState, InstructionSet, MaskEffect};
use ticklab_replay::Block;

pub struct InstructionInfo {
    pub instruction: Instruction,
    pub bytes: Vec<u8>,
    /// The functions of the instruction: first the one that has a symbol, then the functions
    /// inlined into it, innermost last.
    pub chain: Vec<FunctionId>,
    pub line: Option<String>,
    pub effect: Option<MaskEffect>,
}

impl InstructionInfo {
    pub fn function(&self) -> FunctionId {
        self.chain[self.chain.len() - 1]
    }

    pub fn symbol(&self) -> FunctionId {
        self.chain[0]
    }
}

/// The facts about a block that the analysis needs.
pub struct CodeBlock {
    pub start: u32,
    /// The function with a symbol that contains the first instruction.
    pub function: FunctionId,
    /// Whether the block begins at the first instruction of that function.
    pub is_start: bool,
    /// Sequences of instructions with the same inlined functions.
    pub segments: Vec<Segment>,
    pub effects: Vec<EffectAt>,
    /// Instructions that move SP by a constant: the index of each, and the bytes by which the stack
    /// grows.
    pub growths: Vec<(usize, i32)>,
    /// Whether thread mode may use another stack after this block.
    pub moves_stack: bool,
}

/// An instruction of a block that changes or saves an interrupt mask.
#[derive(Clone, Copy)]
pub struct EffectAt {
    pub index: usize,
    pub effect: MaskEffect,
    /// The function with a symbol that contains the instruction.
    pub function: FunctionId,
}

pub struct Segment {
    pub from: usize,
    pub to: usize,
    /// The inlined functions, without the function that has a symbol.
    pub inlined: Vec<FunctionId>,
}

impl CodeBlock {
    /// Returns the functions inlined at instruction `index`, outermost first.
    pub fn inlined(&self, index: usize) -> &[FunctionId] {
        let segment = self.segments.iter().find(|segment| index < segment.to);
        segment.map_or(&[], |segment| &segment.inlined)
    }
}

pub struct Code {
    pub instructions: BTreeMap<u32, InstructionInfo>,
    pub blocks: Vec<CodeBlock>,
    set: &'static dyn InstructionSet,
    suspension: Option<Suspension>,
}

impl Code {
    pub fn new(set: &'static dyn InstructionSet, suspension: Option<Suspension>) -> Code {
        Code {
            instructions: BTreeMap::new(),
            blocks: Vec::new(),
            set,
            suspension,
        }
    }

    /// Adds `block`, whose bytes are `code`, with the next number.
    pub fn add(&mut self, block: &Block, code: &[u8], functions: &mut Functions) {
        let mut growths = Vec::new();
        for (index, instruction) in block.instructions().iter().enumerate() {
            let offset = (instruction.address - block.start()) as usize;
            let bytes = &code[offset..offset + usize::from(instruction.size)];
            self.annotate(instruction, bytes, block.state(), functions);
            match self.set.stack_growth(instruction, bytes, block.state()) {
                0 => {}
                growth => growths.push((index, growth)),
            }
        }
        let addresses = block.instructions().iter().map(|i| i.address);
        let effects = addresses
            .clone()
            .enumerate()
            .filter_map(|(index, address)| {
                let info = &self.instructions[&address];
                info.effect.map(|effect| EffectAt {
                    index,
                    effect,
                    function: info.symbol(),
                })
            });
        let effects: Vec<_> = effects.collect();
        let segments = self.segments(&addresses.collect::<Vec<_>>());
        let function = self.instructions[&block.start()].symbol();
        self.blocks.push(CodeBlock {
            start: block.start(),
            function,
            is_start: functions.get(function).address == Some(block.start()),
            segments,
            moves_stack: effects
                .iter()
                .any(|masks| masks.effect == MaskEffect::Stack),
            effects,
            growths,
        });
    }

    fn annotate(
        &mut self,
        instruction: &Instruction,
        bytes: &[u8],
        state: CodeState,
        functions: &mut Functions,
    ) {
        let known = self.instructions.get(&instruction.address);
        if known.is_some_and(|info| info.bytes == bytes) {
            return;
        }
        let origin = functions.origin(instruction.address);
        let effect = self
            .set
            .mask_effect(instruction, bytes, state, &|end| self.preceding(end))
            .or_else(|| self.suspends(instruction, &origin.chain, functions));
        if let Some(effect) = effect {
            let own = origin.chain[origin.chain.len() - 1];
            let function = &mut functions.list[own.0 as usize];
            function.enters |= matches!(effect, MaskEffect::Mask(_));
            function.leaves |= matches!(effect, MaskEffect::Unmask(_) | MaskEffect::Restore(_));
        }
        let info = InstructionInfo {
            instruction: *instruction,
            bytes: bytes.to_vec(),
            chain: origin.chain,
            line: origin.line,
            effect,
        };
        self.instructions.insert(instruction.address, info);
    }

    /// Returns the known instruction that ends at `end`, and its bytes.
    fn preceding(&self, end: u32) -> Option<(&Instruction, &[u8])> {
        let (_, info) = self.instructions.range(..end).next_back()?;
        (info.instruction.end() == end).then_some((&info.instruction, &info.bytes[..]))
    }

    /// Returns the effect of `instruction` on the scheduler's suspension. `chain` is the
    /// instruction's out-of-line and inlined functions.
    fn suspends(
        &self,
        instruction: &Instruction,
        chain: &[FunctionId],
        functions: &Functions,
    ) -> Option<MaskEffect> {
        let suspension = self.suspension.as_ref()?;
        let own = functions.get(chain[chain.len() - 1]);
        let is_store =
            instruction.writes > 0 && !instruction.base.contains(self.set.stack_pointer());
        if own.name == suspension.begin && is_store {
            return Some(MaskEffect::Suspend);
        }
        let is_end = own.name == suspension.end && own.address == Some(instruction.address);
        is_end.then_some(MaskEffect::Resume)
    }

    fn segments(&self, addresses: &[u32]) -> Vec<Segment> {
        let mut segments: Vec<Segment> = Vec::new();
        for (index, address) in addresses.iter().enumerate() {
            let inlined = &self.instructions[address].chain[1..];
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
