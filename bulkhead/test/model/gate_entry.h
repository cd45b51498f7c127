// SPDX-License-Identifier: MIT
//
// What gate.S does: the shortest cases of a call and of its answer, which go on in core/gate.c
// where they are not the shortest. That the assembler does the same is shown on the target
// (test/target).
#ifndef GATE_ENTRY_H
#define GATE_ENTRY_H

#include "kernel.h"
#include "objects.h"

MUST_USE decision gate_call_idle(struct gate *gate);
MUST_USE decision gate_receive_answering(struct gate *gate, struct arch_frame *frame);

#endif
