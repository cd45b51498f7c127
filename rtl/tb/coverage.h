// SPDX-License-Identifier: MIT
//
// The counts of the cover statements, for tools/properties.py: written at the end of a test that
// passes.
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
