// SPDX-License-Identifier: MIT
//! The cost of one instruction, given the instruction before it, on Ibex with three stages, branch
//! target adder and single-cycle multiplier, whose memories answer in the next cycle.
//!
//! An instruction's cost is the time from the retirement of the preceding instruction to its own.
//! "Manual" is the Ibex reference manual, chapter "Pipeline Details". The manual does not specify
//! the effects of the third stage. For these, the rules name the core's source, which the RTL
//! simulation executes.

use super::super::{count, cycles};
use super::lanes::Assumption;
use ticklab_isa::{takes, Class, Flow, Instruction, Tally};

/// Manual, "Division": 37 cycles unless the divisor is 0.
const DIVIDE: u32 = 37;
/// Manual, "Multiplication", single-cycle: a stall cycle for the upper half.
const MULTIPLY_LONG: u32 = 2;
/// Manual, "Jump", "Branch (Taken)" with branch target adder: a stall cycle.
const REFILL: u32 = 1;
/// ibex_id_stage.sv, stall_ld_hz: loaded data is not forwarded.
const LOAD_USE: u32 = 1;
/// ibex_controller.sv: state DECODE keeps the instruction for one cycle, and state FLUSH takes the
/// second.
const FLUSH: u32 = 2;

/// Returns the cycles of `instruction`, apart from effects of its neighbours.
pub fn own(instruction: &Instruction) -> Tally {
    match instruction.class {
        Class::Divide => cycles(DIVIDE),
        Class::MultiplyLong => cycles(MULTIPLY_LONG),
        _ => cycles(1),
    }
}

/// Returns the additional cycles between `before` and `instruction`, the instruction that is
/// executed after it.
pub fn between(before: &Instruction, instruction: &Instruction) -> u32 {
    let waits = before.reads > 0 && before.results.intersects(instruction.sources);
    let hazard = if waits { LOAD_USE } else { 0 };
    hazard + fetch(before, instruction)
}

fn fetch(before: &Instruction, instruction: &Instruction) -> u32 {
    match before.class {
        // Manual, "Instruction Fence": costs as much as a jump.
        Class::InstructionBarrier => refill(instruction),
        // ibex_id_stage.sv, csr_pipe_flush: the pipeline is flushed, but not refilled, because the
        // next instruction was already fetched.
        Class::ChangeState | Class::ChangeProtection => FLUSH,
        _ if takes(before, instruction) && before.flow != Flow::ExceptionReturn => {
            refill(instruction)
        }
        _ => 0,
    }
}

/// Returns the cycles of a jump to `target`. A 32-bit target that lies across two words takes two
/// fetches (ibex_fetch_fifo.sv).
fn refill(target: &Instruction) -> u32 {
    REFILL + u32::from(target.is_split())
}

/// Returns the cycles of MRET, which flushes the pipeline and fetches the target in parallel.
pub fn trap_return(target: &Instruction) -> u32 {
    FLUSH + u32::from(target.is_split())
}

/// Returns the cycles from `from`, the last instruction before the trap or the one that trapped, to
/// the first instruction of the handler.
pub fn trap_entry(from: &Instruction, is_synchronous: bool) -> Tally {
    match from.flow {
        // The interrupt is taken while the trap return flushes the pipeline, or directly after it.
        Flow::ExceptionReturn => count(Tally::ZERO, Assumption::InterruptEntry as usize, 1),
        _ if !is_synchronous => count(cycles(1), Assumption::InterruptEntry as usize, 1),
        Flow::SupervisorCall => cycles(FLUSH),
        // The core detects the fault when the memory answers, one cycle later, or when the unit has
        // waited for a grant that memory protection withheld; the code does not show which. A
        // faulting instruction is not counted as executed, so its own cycle is counted here, too.
        _ if from.accesses_memory() => {
            count(cycles(FLUSH + 2), Assumption::RefusedAccess as usize, 1)
        }
        _ => cycles(FLUSH + 1),
    }
}
