// SPDX-License-Identifier: MIT
//! Describes one decoded instruction: the facts that a counter, a call stack and a cycle model
//! need.
//!
//! This is not a disassembly: immediates and shifts are dropped, and instructions that cost the
//! same under every rule share a [`Class`]. All instruction sets use the same vocabulary. Where
//! their terms differ, the comments give Armv7-M's term first and RISC-V's after it.

use std::ops::BitOr;

/// The instruction that is executed next, as far as this instruction determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Always the next instruction.
    Next,
    /// Continues at `target`; in an IT block, possibly at the next instruction.
    Branch { target: u32 },
    /// Continues at `target` or at the next instruction: B<cond>, CBZ, CBNZ; BEQ and other
    /// conditional branches.
    CondBranch { target: u32 },
    /// A call of `target`: BL, JAL. LR or ra receives the address of the next instruction.
    Call { target: u32 },
    /// A call of a computed address: BLX to a register, JALR that links.
    IndirectCall,
    /// A computed jump that is no return: MOV PC, ADD PC, TBB, TBH; JALR that neither links nor
    /// jumps to a link register.
    IndirectBranch,
    /// A jump back to a caller: BX, POP, LDM and LDR into PC; JALR to ra or t0. On Armv7-M, the
    /// same instructions return from an exception if they load an EXC_RETURN value (DDI 0403E,
    /// B1.5.8).
    Return,
    /// MRET: a return from an exception, whatever the return address.
    ExceptionReturn,
    /// A system call: SVC, ECALL.
    SupervisorCall,
    /// BKPT, EBREAK.
    Breakpoint,
    /// WFI or WFE: waits for an event, then continues at the next instruction.
    Wait,
    /// Not an instruction of this instruction set, or permanently undefined.
    Undefined,
}

/// The operation of an instruction, as far as its cost depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Arithmetic, logic, moves, shifts, extensions, bit fields, saturation, DSP without
    /// multiplication.
    Alu,
    /// NOP and the hints that change nothing which the observer counts: YIELD, SEV, DBG, PLD, PLI,
    /// CLREX.
    Hint,
    /// IT.
    IfThen,
    /// A product of 32 bits: MUL, SMULxy, SMULW, SMMUL, SMUAD, SMUSD, USAD8; MUL of RISC-V.
    Multiply,
    /// A product of 32 bits that is added or subtracted: MLA, MLS, SMLAxy, SMMLA, USADA8 …
    MultiplyAccumulate,
    /// SMULL, UMULL; the upper half of a product: MULH, MULHU, MULHSU.
    MultiplyLong,
    /// SMLAL, UMLAL, UMAAL, SMLALxy, SMLALD, SMLSLD.
    MultiplyLongAccumulate,
    /// SDIV, UDIV; DIV, DIVU, REM, REMU.
    Divide,
    /// A load of one register, including LDREX.
    Load,
    /// A store of one register with an immediate offset.
    Store,
    /// A store of one register with a register offset.
    StoreIndexed,
    /// STREX, which writes a register as a load does.
    StoreExclusive,
    /// LDRD, LDM, POP.
    LoadMultiple,
    /// STRD, STM, PUSH.
    StoreMultiple,
    /// TBB, TBH.
    TableBranch,
    /// A branch without any other result: B, BL, BX, BLX, CBZ, CBNZ; JAL, JALR, BEQ and the other
    /// branches.
    Branch,
    /// CPS; CSRRW and CSRRS of a register that may unmask interrupts.
    ChangeState,
    /// CSRRC of a register that may unmask interrupts: it can only mask them.
    ClearState,
    /// CSRRW and CSRRS of a register of memory protection.
    ChangeProtection,
    /// MRS, MSR; other accesses to CSRs.
    StatusRegister,
    /// DMB, FENCE.
    DataMemoryBarrier,
    /// DSB.
    DataSynchronizationBarrier,
    /// ISB, FENCE.I.
    InstructionBarrier,
    /// Single-precision arithmetic that takes no longer than an addition.
    Float,
    /// VMLA, VMLS, VNMLA, VNMLS, VFMA, VFMS, VFNMA, VFNMS.
    FloatMultiplyAccumulate,
    /// VDIV, VSQRT.
    FloatDivide,
    /// VMOV between floating-point registers or of half a double, VMRS, VMSR.
    FloatMove,
    /// VMOV of a float between a core register and a floating-point register.
    FloatMoveCore,
    /// VMOV of two words between core registers and floating-point registers.
    FloatMovePair,
    /// VLDR, VLDM, VPOP.
    FloatLoad,
    /// VSTR, VSTM, VPUSH.
    FloatStore,
    /// Instructions that are followed by an exception, by the end of one or by a wait: SVC, BKPT,
    /// WFI, WFE, ECALL, EBREAK, MRET and undefined instructions.
    System,
}

impl Class {
    /// Returns whether the floating-point unit executes the instruction. If a lazy save of its
    /// state is pending, the unit first saves the state.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(
            self,
            Class::Float
                | Class::FloatMultiplyAccumulate
                | Class::FloatDivide
                | Class::FloatMove
                | Class::FloatMoveCore
                | Class::FloatMovePair
                | Class::FloatLoad
                | Class::FloatStore
        )
    }

    /// Returns whether the core computes the result without memory.
    #[must_use]
    pub fn is_data_processing(self) -> bool {
        matches!(
            self,
            Class::Alu
                | Class::Multiply
                | Class::MultiplyAccumulate
                | Class::MultiplyLong
                | Class::MultiplyLongAccumulate
                | Class::Divide
        )
    }

    /// Returns whether the access takes two cycles, one of which a preceding load can hide.
    #[must_use]
    pub fn may_overlap_load(self) -> bool {
        matches!(
            self,
            Class::Load | Class::StoreIndexed | Class::StoreExclusive
        )
    }
}

/// A core register, by its number: R0 … R15 or x0 … x31.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register(pub u8);

/// A set of core registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers(pub u32);

impl Registers {
    pub const NONE: Registers = Registers(0);

    #[must_use]
    pub fn contains(self, register: Register) -> bool {
        self.0 >> register.0 & 1 == 1
    }

    #[must_use]
    pub fn intersects(self, other: Registers) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the number of registers in the set.
    #[must_use]
    pub fn count(self) -> u8 {
        // A set has at most 32 registers, so the count fits.
        self.0.count_ones() as u8
    }
}

impl From<Register> for Registers {
    fn from(register: Register) -> Self {
        Registers(1 << register.0)
    }
}

impl<T: Into<Registers>> BitOr<T> for Registers {
    type Output = Registers;
    fn bitor(self, other: T) -> Registers {
        Registers(self.0 | other.into().0)
    }
}

impl<T: Into<Registers>> BitOr<T> for Register {
    type Output = Registers;
    fn bitor(self, other: T) -> Registers {
        Registers::from(self) | other
    }
}

/// One decoded instruction, with its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub address: u32,
    /// The size of the instruction in bytes: 2 or 4.
    pub size: u8,
    pub flow: Flow,
    pub class: Class,
    /// Whether the instruction is inside an IT block, and may therefore be skipped.
    pub conditional: bool,
    /// The number of instructions after this one in the same IT block.
    pub it_remaining: u8,
    /// The number of registers of at most 32 bits that the instruction loads from memory, if it
    /// executes. A double-precision register counts as two.
    pub reads: u8,
    /// The number of registers that the instruction stores to memory, counted in the same way.
    pub writes: u8,
    /// Core registers that the instruction reads, including those of the address.
    pub sources: Registers,
    /// Core registers that form the address of the memory access.
    pub base: Registers,
    /// Core registers that the instruction changes.
    pub results: Registers,
    /// The address that a PC-relative load reads, aligned as the processor aligns it.
    pub literal: Option<u32>,
    /// Whether the processor can fetch the branch's target already when it decodes the branch, not
    /// only when it executes it (DDI 0337G, table 15-3).
    pub early: bool,
}

impl Instruction {
    /// Returns the address after the instruction.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.address.wrapping_add(u32::from(self.size))
    }

    /// Returns whether execution may continue elsewhere than after the instruction, apart from
    /// exceptions.
    #[must_use]
    pub fn is_branch(&self) -> bool {
        matches!(
            self.flow,
            Flow::Branch { .. }
                | Flow::CondBranch { .. }
                | Flow::Call { .. }
                | Flow::IndirectCall
                | Flow::IndirectBranch
                | Flow::Return
                | Flow::ExceptionReturn
        )
    }

    /// Returns whether execution may continue at `to` according to the code, apart from exceptions
    /// and computed jumps.
    #[must_use]
    pub fn may_continue_at(&self, to: u32) -> bool {
        let continues = to == self.end();
        match self.flow {
            Flow::Next | Flow::Wait | Flow::Breakpoint => continues,
            Flow::CondBranch { target } => to == target || continues,
            Flow::Branch { target } | Flow::Call { target } => {
                to == target || (self.conditional && continues)
            }
            Flow::IndirectCall
            | Flow::IndirectBranch
            | Flow::Return
            | Flow::ExceptionReturn
            | Flow::SupervisorCall
            | Flow::Undefined => self.conditional && continues,
        }
    }

    /// Returns whether the instruction jumps to an address that is computed at run time.
    #[must_use]
    pub fn is_computed_jump(&self) -> bool {
        matches!(
            self.flow,
            Flow::IndirectBranch | Flow::IndirectCall | Flow::Return | Flow::ExceptionReturn
        )
    }

    /// Returns whether the instruction loads from or stores to memory.
    #[must_use]
    pub fn accesses_memory(&self) -> bool {
        self.reads > 0 || self.writes > 0
    }

    /// Returns whether a 32-bit instruction lies across two words.
    #[must_use]
    pub fn is_split(&self) -> bool {
        self.size == 4 && self.address % 4 != 0
    }

    /// Returns an instruction of `class`. The caller, which knows the encoding, sets address and
    /// size.
    #[must_use]
    pub fn new(class: Class) -> Self {
        Instruction {
            address: 0,
            size: 0,
            flow: Flow::Next,
            class,
            conditional: false,
            it_remaining: 0,
            reads: 0,
            writes: 0,
            sources: Registers::NONE,
            base: Registers::NONE,
            results: Registers::NONE,
            literal: None,
            early: false,
        }
    }

    #[must_use]
    pub fn undefined() -> Self {
        Self::new(Class::System).flowing(Flow::Undefined)
    }

    #[must_use]
    pub fn flowing(mut self, flow: Flow) -> Self {
        self.flow = flow;
        self
    }

    /// Adds `registers` to the sources.
    #[must_use]
    pub fn from(mut self, registers: impl Into<Registers>) -> Self {
        self.sources = self.sources | registers;
        self
    }

    /// Adds `registers` to the results. A write to PC is a jump, whose [`Flow`] the caller sets.
    #[must_use]
    pub fn to(mut self, registers: impl Into<Registers>) -> Self {
        self.results = self.results | registers;
        self
    }

    /// Adds `registers` to those that form the address of the memory access.
    #[must_use]
    pub fn at(mut self, registers: impl Into<Registers>) -> Self {
        self.base = self.base | registers;
        self.from(self.base)
    }

    #[must_use]
    pub fn reading(mut self, registers: u8) -> Self {
        self.reads = registers;
        self
    }

    #[must_use]
    pub fn writing(mut self, registers: u8) -> Self {
        self.writes = registers;
        self
    }

    /// Marks the branch as `early`. Its target must be an immediate, or LR.
    #[must_use]
    pub fn early(mut self) -> Self {
        self.early = true;
        self
    }

    #[must_use]
    pub fn literal_at(mut self, address: u32) -> Self {
        self.literal = Some(address);
        self
    }
}
