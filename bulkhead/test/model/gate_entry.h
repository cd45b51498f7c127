// SPDX-License-Identifier: MIT
//
// A C model of gate.inc, the assembler code of the fast paths of a call and of its answer. Where a
// fast path does not apply, the call continues in core/gate.c. The target tests (test/target) show
// that the assembler code does the same as this model.
#ifndef GATE_ENTRY_H
#define GATE_ENTRY_H

#include "kernel.h"
#include "objects.h"

MUST_USE struct thread *gate_call_idle(struct gate *gate);
MUST_USE struct thread *gate_call_timed_idle(struct gate *gate, struct arch_frame *frame);
MUST_USE struct thread *gate_receive_answering(struct gate *gate, struct arch_frame *frame);

#endif
