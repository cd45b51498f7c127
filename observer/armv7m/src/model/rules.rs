// SPDX-License-Identifier: MIT
//! The cost of one instruction, given the instruction before it, if it executes and does not
//! branch.
//!
//! Section numbers without a document refer to the Cortex-M4 manual (DDI 0439D). The Cortex-M3
//! manual (DDI 0337I) has the same sections, with the same numbers unless a rule says otherwise.

use super::lanes::{Assumption, Lanes};
use super::Core;
use ticklab_isa::Tally;
use ticklab_isa::{Class, Instruction};

/// The rules of one core for single instructions.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    core: Core,
    pub(crate) lanes: Lanes,
}

/// A fixed number of cycles, plus a number of events of one other assumption. Most rules have this
/// form.
struct Cost(u32, Assumption, u32);

const fn exactly(cycles: u32) -> Cost {
    Cost(cycles, Assumption::Cycles, 0)
}

impl Rules {
    pub(crate) fn new(core: Core, lanes: Lanes) -> Rules {
        Rules { core, lanes }
    }

    /// Returns the cost of `instruction` directly after `before`, or after an instruction that
    /// cannot overlap if `before` is `None`.
    pub(crate) fn cost(&self, before: Option<&Instruction>, instruction: &Instruction) -> Tally {
        let Cost(cycles, assumption, count) = self.base(before, instruction);
        let tally = self.lanes.count(Tally::ZERO, Assumption::Cycles, cycles);
        let tally = self.lanes.count(tally, assumption, count);
        let tally = self.address(before, instruction, tally);
        if instruction.literal.is_some() {
            // 3.3.2: LDR Rx,[PC,#imm] might add a cycle because of contention with the fetch unit.
            return self.lanes.count(tally, Assumption::LiteralContention, 1);
        }
        tally
    }

    fn base(&self, before: Option<&Instruction>, instruction: &Instruction) -> Cost {
        let words = u32::from(instruction.reads) + u32::from(instruction.writes);
        match instruction.class {
            Class::Alu | Class::Hint | Class::Multiply | Class::Branch | Class::System => {
                exactly(1)
            }
            // 3.3.2: always one cycle; the data is written while the next instruction executes.
            Class::Store => exactly(1),
            Class::IfThen => if_then(before),
            Class::MultiplyAccumulate | Class::MultiplyLong | Class::MultiplyLongAccumulate => {
                self.long_multiply(instruction.class)
            }
            // 3.3.1: 2 to 12, with early termination.
            Class::Divide => Cost(2, Assumption::EarlyTermination, 10),
            class if class.may_overlap_load() => single_access(before, instruction),
            // 3.3.1: 1 + N; 3.3.2: not pipelined with their neighbours.
            Class::LoadMultiple | Class::StoreMultiple => exactly(1 + words),
            // 3.3.2: two for the load and one for the addition. The branch's edge adds the refill.
            Class::TableBranch => exactly(3),
            // 3.3.1: 1 or 2.
            Class::ChangeState | Class::StatusRegister => Cost(1, Assumption::StatusRegister, 1),
            // 3.3.1: 1 + B, where B may be zero.
            Class::DataMemoryBarrier | Class::DataSynchronizationBarrier => {
                Cost(1, Assumption::Barrier, 1)
            }
            // 3.3.1: 1 + B, where B is a pipeline refill; DDI 0337G 15.3: issued in execute.
            Class::InstructionBarrier => Cost(1, Assumption::BranchLate, 1),
            _ => float(instruction.class, words),
        }
    }

    /// 3.3.1: one cycle on the Cortex-M4. DDI 0337I 3.3.1: 2, 3 to 5 and 4 to 7 on the Cortex-M3.
    fn long_multiply(&self, class: Class) -> Cost {
        match class {
            _ if self.core != Core::CortexM3 => exactly(1),
            Class::MultiplyAccumulate => exactly(2),
            Class::MultiplyLong => Cost(3, Assumption::EarlyTermination, 2),
            _ => Cost(4, Assumption::EarlyTermination, 3),
        }
    }

    /// 3.3.2: an address that is the result of the preceding data processing stalls for one cycle.
    /// DDI 0337E 1.4 describes forwarding for addresses, so the stall may be 0.
    fn address(&self, before: Option<&Instruction>, access: &Instruction, tally: Tally) -> Tally {
        let stalls = before.is_some_and(|before| {
            before.class.is_data_processing() && before.results.intersects(access.base)
        });
        if stalls {
            self.lanes.count(tally, Assumption::AddressDependency, 1)
        } else {
            tally
        }
    }
}

/// 3.3.1: one cycle. An IT may be folded into the preceding instruction if that has 16 bits.
fn if_then(before: Option<&Instruction>) -> Cost {
    if before.is_some_and(|before| before.size == 4) {
        exactly(1)
    } else {
        Cost(0, Assumption::ItFold, 1)
    }
}

/// 3.3.1: two cycles. 3.3.2: one cycle less after a load whose result is not part of the address,
/// "when possible".
fn single_access(before: Option<&Instruction>, access: &Instruction) -> Cost {
    if before.is_some_and(|before| overlaps(before, access)) {
        Cost(1, Assumption::LoadPairing, 1)
    } else {
        exactly(2)
    }
}

/// 3.3.2: exclusive accesses are pipelined like loads. Nothing is pipelined after a store.
fn overlaps(before: &Instruction, access: &Instruction) -> bool {
    let loads = matches!(before.class, Class::Load | Class::StoreExclusive);
    loads && !before.results.intersects(access.base)
}

/// 7.2.3: arithmetic takes one more cycle if the next instruction consumes the result. A division
/// takes only one cycle if no floating-point instruction follows before the division completes. A
/// float moves to or from a core register in two cycles by the manual, and in one as measured
/// (docs/explanation/cycle-model.md).
fn float(class: Class, words: u32) -> Cost {
    match class {
        Class::Float | Class::FloatMoveCore => Cost(1, Assumption::FloatLatency, 1),
        Class::FloatMultiplyAccumulate => Cost(3, Assumption::FloatLatency, 1),
        Class::FloatDivide => Cost(1, Assumption::FloatLatency, 14),
        Class::FloatMovePair => exactly(2),
        Class::FloatLoad | Class::FloatStore => exactly(1 + words),
        _ => exactly(1),
    }
}
