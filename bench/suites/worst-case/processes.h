// SPDX-License-Identifier: MIT
//
// Shared by the scenarios with two processes. The tasks of worst_case.h belong to the first.
#ifndef WORST_CASE_PROCESSES_H
#define WORST_CASE_PROCESSES_H

#include "worst_case.h"

enum { FIRST, SECOND }; // processes

static const struct bench_process_declaration processes[] = {
    [FIRST] = {.name = "first"},
    [SECOND] = {.name = "second", .restarts = 1},
};

#endif
