// SPDX-License-Identifier: MIT
//
// The loop alone, under a tick at which nothing is due: what the others take from.
#include "background.h"

static const struct bench_task_declaration tasks[] = {DHRYSTONE};

const struct bench_scenario bench_scenario = {.name = "alone", BENCH_TASKS(tasks)};
