// SPDX-License-Identifier: MIT
//! One decoded instruction: what a counter, a call stack and a cycle model need to know of it.
//!
//! It is no disassembly: immediates and shifts are gone, and instructions that cost the same in
//! every rule share a [`Class`]. One vocabulary serves all instruction sets; where their words
//! differ, the comments have Armv7-M's first and RISC-V's after it.

use std::ops::BitOr;

/// Where execution may go after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction, always.
    Next,
    /// To `target`; in an IT block perhaps to the next instruction.
    Branch { target: u32 },
    /// To `target` or to the next instruction: B<cond>, CBZ, CBNZ; BEQ and its kin.
    CondBranch { target: u32 },
    /// BL, JAL: to `target`; the next instruction's address is in LR or ra.
    Call { target: u32 },
    /// BLX to a register, JALR that links.
    IndirectCall,
    /// A computed jump that is no return: MOV PC, ADD PC, TBB, TBH; JALR that neither links nor
    /// jumps to a link.
    IndirectBranch,
    /// A jump back to a caller, or on Armv7-M perhaps elsewhere: BX, POP, LDM and LDR into PC leave
    /// the exception if they load an EXC_RETURN value (DDI 0403E, B1.5.8); JALR to ra or t0.
    Return,
    /// MRET: leaves the exception, whatever it returns to.
    ExceptionReturn,
    /// SVC, ECALL.
    SupervisorCall,
    /// BKPT, EBREAK.
    Breakpoint,
    /// WFI or WFE: the next instruction, after an event.
    Wait,
    /// Not an instruction of the set, or permanently undefined.
    Undefined,
}

/// What an instruction does, as far as its cost depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Arithmetic, logic, moves, shifts, extensions, bit fields, saturation, DSP without
    /// multiplication.
    Alu,
    /// NOP and the other hints that only pass by: YIELD, SEV, DBG, PLD, PLI, CLREX.
    Hint,
    /// IT.
    IfThen,
    /// A 32-bit product: MUL, SMULxy, SMULW, SMMUL, SMUAD, SMUSD, USAD8; the lower half of one.
    Multiply,
    /// A 32-bit product added or subtracted: MLA, MLS, SMLAxy, SMMLA, USADA8 …
    MultiplyAccumulate,
    /// SMULL, UMULL; the upper half of a product: MULH, MULHU, MULHSU.
    MultiplyLong,
    /// SMLAL, UMLAL, UMAAL, SMLALxy, SMLALD, SMLSLD.
    MultiplyLongAccumulate,
    /// SDIV, UDIV; DIV, DIVU, REM, REMU.
    Divide,
    /// A load of one register, LDREX included.
    Load,
    /// A store of one register with an immediate offset.
    Store,
    /// A store of one register with a register offset.
    StoreIndexed,
    /// STREX, which writes a register like a load.
    StoreExclusive,
    /// LDRD, LDM, POP.
    LoadMultiple,
    /// STRD, STM, PUSH.
    StoreMultiple,
    /// TBB, TBH.
    TableBranch,
    /// B, BL, BX, BLX, CBZ, CBNZ; JAL, JALR, BEQ and its kin: a branch that computes nothing else.
    Branch,
    /// CPS; CSRRW and CSRRS of what may unmask interrupts or memory.
    ChangeState,
    /// MRS, MSR; CSRRW and its kin.
    StatusRegister,
    /// DMB, FENCE.
    DataMemoryBarrier,
    /// DSB.
    DataSynchronizationBarrier,
    /// ISB, FENCE.I.
    InstructionBarrier,
    /// Single-precision arithmetic that is no longer than an addition.
    Float,
    /// VMLA, VMLS, VNMLA, VNMLS, VFMA and their kin.
    FloatMultiplyAccumulate,
    /// VDIV, VSQRT.
    FloatDivide,
    /// VMOV within the unit or of half a double, VMRS, VMSR.
    FloatMove,
    /// VMOV of a float between register banks.
    FloatMoveCore,
    /// VMOV of two words between register banks.
    FloatMovePair,
    /// VLDR, VLDM, VPOP.
    FloatLoad,
    /// VSTR, VSTM, VPUSH.
    FloatStore,
    /// SVC, BKPT, WFI, WFE, ECALL, EBREAK, MRET and undefined instructions: what follows is an
    /// exception, its end or a wait.
    System,
}

impl Class {
    /// Whether the floating-point unit executes it, behind a pending lazy save of its state.
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

    /// Whether the core computes its result without memory.
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

    /// Whether its access takes two cycles, one of which a load in front of it can hide.
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

    /// How many registers the set holds.
    #[must_use]
    pub fn count(self) -> u8 {
        // At most 32.
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

/// One instruction at its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub address: u32,
    /// Bytes: 2 or 4.
    pub size: u8,
    pub flow: Flow,
    pub class: Class,
    /// Inside an IT block: it may do nothing at all.
    pub conditional: bool,
    /// Instructions of the same IT block that follow it.
    pub it_remaining: u8,
    /// 32-bit or smaller registers that it loads from memory, if it executes. A double-precision
    /// register counts as the two words that it is.
    pub reads: u8,
    /// Registers that it stores to memory, counted likewise.
    pub writes: u8,
    /// Core registers that it needs, those of the address included.
    pub sources: Registers,
    /// Core registers that form the address of its memory access.
    pub base: Registers,
    /// Core registers that it changes.
    pub results: Registers,
    /// The address that a PC-relative load reads, aligned as the processor aligns it.
    pub literal: Option<u32>,
    /// A branch whose target the processor can issue when it decodes the branch, not only when it
    /// executes it (DDI 0337G, table 15-3).
    pub early: bool,
}

impl Instruction {
    /// The address behind the instruction.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.address.wrapping_add(u32::from(self.size))
    }

    /// Whether execution may go on elsewhere than behind the instruction, exceptions aside.
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

    /// Whether it loads from or stores to memory.
    #[must_use]
    pub fn accesses_memory(&self) -> bool {
        self.reads > 0 || self.writes > 0
    }

    /// Whether it is a 32-bit instruction that lies across two words.
    #[must_use]
    pub fn is_split(&self) -> bool {
        self.size == 4 && self.address % 4 != 0
    }

    /// Neither address nor size yet: those are the caller's of the encoding.
    #[must_use]
    pub fn of(class: Class) -> Self {
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
        Self::of(Class::System).flowing(Flow::Undefined)
    }

    #[must_use]
    pub fn flowing(mut self, flow: Flow) -> Self {
        self.flow = flow;
        self
    }

    /// Needs `registers`.
    #[must_use]
    pub fn from(mut self, registers: impl Into<Registers>) -> Self {
        self.sources = self.sources | registers;
        self
    }

    /// Changes `registers`. A new PC is a jump, and which one is the caller's to say.
    #[must_use]
    pub fn to(mut self, registers: impl Into<Registers>) -> Self {
        self.results = self.results | registers;
        self
    }

    /// Accesses memory at an address made of `registers`.
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

    /// The target is an immediate, or LR.
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
