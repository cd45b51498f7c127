// SPDX-License-Identifier: MIT
//
// The language of a proof. `PROOF(name, passes)` is a function that the checker calls: for every
// value that `nondet_…` can return and that `assume` allows, each `require` holds, no behaviour is
// undefined, and no loop takes `passes` passes or more. LONG_PROOF runs with `--long` only.
// proofs.py reads these lines.
#ifndef PROOF_H
#define PROOF_H

#include "arch.h"

void __ESBMC_assume(_Bool condition);
void __ESBMC_assert(_Bool condition, const char *text);

#define PROOF(name, passes)  \
    void proof_##name(void); \
    void proof_##name(void)
#define LONG_PROOF PROOF
#define assume(condition) __ESBMC_assume(condition)
#define require(condition) __ESBMC_assert(condition, #condition)

#endif
