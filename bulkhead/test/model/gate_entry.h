// SPDX-License-Identifier: MIT
//
// The model of gate.inc: the fast paths of a call and of its answer, which continue in core/gate.c
// where the fast path does not apply. The target tests (test/target) show that the assembler does
// the same.
#ifndef GATE_ENTRY_H
#define GATE_ENTRY_H

#include "kernel.h"
#include "objects.h"

MUST_USE struct thread *gate_call_idle(struct gate *gate);
MUST_USE struct thread *gate_call_timed_idle(struct gate *gate, struct arch_frame *frame);
MUST_USE struct thread *gate_receive_answering(struct gate *gate, struct arch_frame *frame);

#endif
