// SPDX-License-Identifier: MIT
//! Tests the cost of exceptions, in memory without wait states.

use crate::program::{interval, model, Interval};
use ticklab_armv7m::Core;
use ticklab_armv7m::Core::{CortexM3, CortexM4, CortexM4F};
use ticklab_isa::{Class, Exception, ExceptionFrame, Instruction};
use ticklab_processor::{CycleModel, ExceptionEvent};

fn cycles(core: Core, exception: Exception, frame: ExceptionFrame) -> Interval {
    let model = model(core);
    let code = Instruction::new(Class::Alu);
    let event = ExceptionEvent {
        kind: exception,
        exception: 15,
        frame,
        from: &code,
        to: &code,
    };
    interval(&model, &model.exception(&event))
}

#[test]
fn entry_and_exit_take_up_to_twelve_and_a_tail_chain_six() {
    for core in [CortexM3, CortexM4, CortexM4F] {
        assert_eq!(
            cycles(core, Exception::Entry, ExceptionFrame::Basic),
            (10, 12)
        );
        assert_eq!(
            cycles(core, Exception::Exit, ExceptionFrame::Basic),
            (10, 12)
        );
        assert_eq!(
            cycles(core, Exception::TailChain, ExceptionFrame::Basic),
            (6, 6)
        );
    }
}

#[test]
fn floating_point_state_may_add_seventeen_cycles_either_way() {
    let frame = ExceptionFrame::MaybeExtended;
    assert_eq!(cycles(CortexM4F, Exception::Entry, frame), (10, 29));
    assert_eq!(cycles(CortexM4F, Exception::Exit, frame), (10, 29));
    assert_eq!(cycles(CortexM4F, Exception::TailChain, frame), (6, 6));
    // A core without the floating-point unit has no floating-point state.
    assert_eq!(cycles(CortexM4, Exception::Entry, frame), (10, 12));
}
