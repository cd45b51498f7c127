// SPDX-License-Identifier: MIT
//
// The task of a simulation: a text file of one `key value` a line. The laboratory writes it
// (lab/src/ticklab/targets/verilator.py).
#ifndef PLAN_H
#define PLAN_H

#include <cstdint>
#include <string>
#include <vector>

struct Mark {
    uint32_t address;
    uint32_t id; // index into Plan::names
};

// A mark that is passed when the handler of an exception of this kind begins.
struct Entry {
    std::string kind; // name of the lane that counts its entries (log.h)
    uint32_t id;      // index into Plan::names
};

struct Plan {
    std::vector<std::string> images; // `image`: one for all nodes, or one for each
    unsigned latency = 0;            // `latency`: of the bus, cycles
    uint64_t cycles = UINT64_MAX;    // `cycles`: the budget
    uint64_t stall = UINT64_MAX;     // `stall`: ends after so many cycles without a mark
    std::string log;                 // `log`: its file; empty: nothing is observed
    std::vector<std::string> names;  // `mark ADDRESS NAME`: of marks, each once
    std::vector<Mark> marks;         // the addresses of the marks
    std::vector<Entry> entries;      // `entry KIND NAME`: marks at entries of exceptions
    std::vector<bool> counted;       // `until NAME`: by id: its passes count …
    uint64_t passes = UINT64_MAX;    // `passes`: … and so many end the run
};

// Reads a plan. Ends the program with one line and status 2 if the file is not a plan.
Plan read_plan(const std::string &path);

#endif
