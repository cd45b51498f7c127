// SPDX-License-Identifier: MIT
//
// A task that uses the FPU if parameter `fpu` is `used`: it keeps a value in a floating-point
// register across the measured service and checks the value afterwards.
#ifndef FPU_H
#define FPU_H

#include "services.h"

enum { unused, used }; // values of PARAM_FPU

#define FPU_TASK(task_entry, task_priority) \
    {.name = #task_entry,                   \
     .entry = (task_entry),                 \
     .stack_bytes = STACK_BYTES,            \
     .priority = (task_priority),           \
     .uses_fpu = PARAM_FPU == used}

static volatile float half = 0.5f; // volatile, so that the compiler does not know the result

// Recomputes a value that does not change. Call it once per round with its previous result.
static inline float compute(float value, float expected) {
    if (PARAM_FPU == unused) {
        return value;
    }
    BENCH_REQUIRE(value == expected, "a task's floating-point register changed");
    return value * half + expected * half;
}

#endif
