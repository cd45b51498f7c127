// SPDX-License-Identifier: MIT
//
// The macros of a proof. `PROOF(name, passes)` defines a function that the model checker runs. It
// proves for all values that `nondet_…` can return and that `assume` allows that each `require`
// holds, that no behaviour is undefined, and that each loop ends after fewer than `passes` passes.
// LONG_PROOF runs with `--long` only. proofs.py finds the proofs by these lines.
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
