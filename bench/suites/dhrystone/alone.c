// SPDX-License-Identifier: MIT
//
// The Dhrystone loop alone, with a tick that wakes no task: the rate that other scenarios reduce.
#include "background.h"

static const struct bench_task_declaration tasks[] = {DHRYSTONE};

const struct bench_scenario bench_scenario = {.name = "alone", BENCH_TASKS(tasks)};
