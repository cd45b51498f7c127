// SPDX-License-Identifier: MIT
//
// A task that uses the FPU, if parameter `fpu` says so: it keeps a value in a floating-point
// register across the service that is measured, and looks at it afterwards.
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

static volatile float half = 0.5f; // volatile, or the compiler would know the result

// A value that stays what it is, computed anew: to be called once a round with its own result.
static inline float compute(float value, float expected) {
    if (PARAM_FPU == unused) {
        return value;
    }
    BENCH_REQUIRE(value == expected, "a task's floating-point register changed");
    return value * half + expected * half;
}

#endif
