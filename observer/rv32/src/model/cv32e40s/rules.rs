// SPDX-License-Identifier: MIT
//! The cost of one instruction, given the instructions before it, on CV32E40S as rtl/ configures
//! it: four stages, no protection against physical attacks, memories that answer in the next cycle.
//!
//! An instruction's cost is the time from the retirement of the preceding instruction to its own.
//! It is the cycles that the instruction takes in any case, and the longer of two: the fetch after
//! a jump or flush, and the wait for an earlier instruction. "Manual" is the user manual of the
//! core, chapter "Pipeline Details"; where the manual is silent or differs, the rules name the
//! core's source, which the RTL simulation executes.

use ticklab_isa::{takes, Class, Flow, Instruction};

/// Manual, "Division": 3 to 35 cycles; lane `divisor` has the difference.
const DIVIDE: u32 = 3;
/// Manual, "Multiplication": four steps for the upper half.
const MULTIPLY_LONG: u32 = 4;
/// cv32e40s_id_stage.sv, multi_op: jumps, branches and MRET pass the stage twice.
const TWICE: u32 = 2;
/// cv32e40s_controller_fsm.sv, fencei: the handshake with the write buffer before it retires.
const FENCE: u32 = 3;
/// Manual, "Branch (Taken)": a cycle more than a branch that is not taken.
const TAKEN: u32 = 1;
/// cv32e40s_controller_fsm.sv: a refill from the last stage, after a fence.
const AFTER_FENCE: u32 = 3;
/// The same after csr_wr_in_wb_flush, which is one cycle later.
const AFTER_PROTECTION: u32 = 4;
/// The same after an exception.
const AFTER_TRAP: u32 = 3;
/// cv32e40s_controller_bypass.sv, csr_stall: a CSR instruction is in stage ID until the one before
/// it has left the last stage.
const CSR_DISTANCE: u32 = 2;
/// cv32e40s_controller_bypass.sv, load_stall: loaded data comes a stage late.
const LOAD_USE: u32 = 1;
/// cv32e40s_controller_bypass.sv, jalr_stall: JALR needs its operand in stage ID.
const JALR_USE: u32 = 1;
/// cv32e40s_controller_bypass.sv: an access waits until a write of mstatus or mie is complete.
const ACCESS_AFTER_MASK: u32 = 1;

/// A number of cycles: the least and the greatest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    pub low: u32,
    pub high: u32,
}

impl Bounds {
    const fn exactly(cycles: u32) -> Bounds {
        Bounds {
            low: cycles,
            high: cycles,
        }
    }

    /// Returns how much is left of `cycles` after this number of cycles.
    fn left_of(self, cycles: u32) -> Bounds {
        Bounds {
            low: cycles.saturating_sub(self.high),
            high: cycles.saturating_sub(self.low),
        }
    }

    fn plus(self, cycles: u32) -> Bounds {
        Bounds {
            low: self.low + cycles,
            high: self.high + cycles,
        }
    }

    fn or(self, other: Bounds) -> Bounds {
        Bounds {
            low: self.low.max(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// Returns the cycles of `instruction` without effects of others. A division takes longer by lane
/// `divisor`.
pub fn own(instruction: &Instruction) -> u32 {
    match instruction.class {
        Class::Divide => DIVIDE,
        Class::MultiplyLong => MULTIPLY_LONG,
        Class::DataMemoryBarrier | Class::InstructionBarrier => FENCE,
        Class::Branch => TWICE,
        _ if instruction.flow == Flow::ExceptionReturn => TWICE,
        _ => 1,
    }
}

/// Returns the additional cycles of `instruction` after those in `before`, in the order of
/// execution. `device` is the number of cycles that a store takes longer if it reaches a device.
/// Instructions before `before` are unknown, so an empty `before` gives 0.
pub fn additional(before: &[Instruction], instruction: &Instruction, device: u32) -> Bounds {
    let Some(last) = before.last() else {
        return Bounds::default();
    };
    let refill = refill(last, instruction);
    let csr = wait_for_csr(before, instruction, device);
    let jalr = wait_for_target(before, instruction, device);
    let waits_for_data = last.reads > 0 && uses(instruction, last);
    let waits_for_mask = instruction.accesses_memory()
        && (changes_state(last) || last.flow == Flow::ExceptionReturn);
    let data = Bounds::exactly(if waits_for_data { LOAD_USE } else { 0 });
    let mask = Bounds::exactly(if waits_for_mask { ACCESS_AFTER_MASK } else { 0 });
    let wait = csr.or(jalr).or(data).or(mask);
    Bounds {
        low: refill.max(wait.low),
        high: refill.max(wait.high),
    }
}

/// Returns the additional cycles of the first instruction of a handler.
pub fn trap_entry(handler: &Instruction) -> u32 {
    AFTER_TRAP + u32::from(handler.is_split())
}

/// Returns the cycles of the fetch of `to` after `from`. A 32-bit instruction that lies across two
/// words takes two fetches.
pub fn refill(from: &Instruction, to: &Instruction) -> u32 {
    let refill = match from.class {
        Class::DataMemoryBarrier | Class::InstructionBarrier => AFTER_FENCE,
        Class::ChangeProtection => AFTER_PROTECTION,
        // The second cycle of a jump fetches its target.
        _ if from.flow == Flow::ExceptionReturn => 0,
        _ if !takes(from, to) => return 0,
        _ if matches!(from.flow, Flow::CondBranch { .. }) => TAKEN,
        _ => 0,
    };
    refill + u32::from(to.is_split())
}

/// Returns the wait of an access to a CSR, or of MRET, for the one before to leave the last stage.
fn wait_for_csr(before: &[Instruction], instruction: &Instruction, device: u32) -> Bounds {
    if !accesses_csr(instruction) {
        return Bounds::default();
    }
    let mut passed = Bounds::default();
    for (index, earlier) in before.iter().enumerate().rev() {
        if accesses_csr(earlier) {
            return passed.left_of(CSR_DISTANCE);
        }
        passed = sum(passed, cost(&before[..index], earlier, device));
        if passed.low >= CSR_DISTANCE {
            return Bounds::default();
        }
    }
    // The instruction before the known ones may access a CSR.
    Bounds {
        low: 0,
        high: passed.left_of(CSR_DISTANCE).high,
    }
}

/// Returns the wait of JALR for the register that it jumps to.
fn wait_for_target(before: &[Instruction], instruction: &Instruction, device: u32) -> Bounds {
    let [earlier @ .., last] = before else {
        return Bounds::default();
    };
    if !is_jalr(instruction) {
        return Bounds::default();
    }
    if uses(instruction, last) {
        let late = if last.reads > 0 { LOAD_USE } else { 0 };
        return Bounds::exactly(JALR_USE + late);
    }
    match earlier {
        [history @ .., load] if load.reads > 0 && uses(instruction, load) => {
            let passed = cost(&before[..=history.len()], last, device);
            passed.left_of(JALR_USE + LOAD_USE)
        }
        _ => Bounds::default(),
    }
}

/// Returns the whole cost of `instruction`.
fn cost(before: &[Instruction], instruction: &Instruction, device: u32) -> Bounds {
    let cost = additional(before, instruction, device).plus(own(instruction));
    let may_take_longer = match instruction.class {
        Class::Divide => true,
        _ => super::super::may_reach_devices(instruction),
    };
    Bounds {
        low: cost.low,
        high: cost.high + if may_take_longer { device.max(1) } else { 0 },
    }
}

fn sum(one: Bounds, other: Bounds) -> Bounds {
    Bounds {
        low: one.low + other.low,
        high: one.high + other.high,
    }
}

/// Returns whether `instruction` reads a result of `earlier`, as a value or as an address.
fn uses(instruction: &Instruction, earlier: &Instruction) -> bool {
    earlier.results.intersects(instruction.sources)
}

fn accesses_csr(instruction: &Instruction) -> bool {
    changes_state(instruction)
        || matches!(
            instruction.class,
            Class::StatusRegister | Class::ChangeProtection
        )
        || instruction.flow == Flow::ExceptionReturn
}

/// Returns whether the instruction writes mstatus or mie.
fn changes_state(instruction: &Instruction) -> bool {
    matches!(instruction.class, Class::ChangeState | Class::ClearState)
}

fn is_jalr(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow,
        Flow::IndirectCall | Flow::IndirectBranch | Flow::Return
    )
}
