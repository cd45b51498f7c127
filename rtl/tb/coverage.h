// SPDX-License-Identifier: MIT
//
// Writes how often each cover statement was reached, at the end of a test that passes.
// tools/properties.py reads these counts.
#ifndef COVERAGE_H
#define COVERAGE_H

#include <cstdlib>
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

// Writes the counts to the file that COVERAGE_FILE names, if the build counts them.
inline void write_coverage() {
#if VM_COVERAGE
    if (const char *path = std::getenv("COVERAGE_FILE")) {
        VerilatedCov::write(path);
    }
#endif
}

#endif
