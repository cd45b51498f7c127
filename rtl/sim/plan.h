// SPDX-License-Identifier: MIT
//
// The task of a simulation: the laboratory's plan (docs/reference/formats.md, "The plan").
#ifndef PLAN_H
#define PLAN_H

#include <cstdint>
#include <string>
#include <vector>

// The core of the nodes, as a name without quotes: the build defines SYSTEM_CORE.
#define TEXT_OF(name) TEXT(name)
#define TEXT(name) #name

constexpr unsigned kVersion = 3; // of the plan and of the event log
constexpr const char *kCore = TEXT_OF(SYSTEM_CORE);

struct Mark {
    uint32_t address;
    uint32_t id; // index into Plan::names
};

// A mark that is passed when the handler of an exception of this kind begins.
struct Entry {
    std::string kind; // name of the lane that counts its entries (log.h)
    uint32_t id;      // index into Plan::names
};

// The instructions from one address up to, and without, another.
struct Range {
    uint32_t begin, end;
};

struct Plan {
    std::string image;              // for all nodes
    std::string log;                // its file
    unsigned latency = 0;           // of the bus, cycles
    uint64_t cycles = 0;            // the budget
    uint64_t stall = 0;             // ends after so many cycles without a mark
    std::vector<std::string> names; // of marks, each once
    std::vector<Mark> marks;        // their addresses
    std::vector<Entry> entries;     // marks at entries of exceptions
    std::vector<Range> port;        // instructions of the kernel's port
    std::vector<bool> counted;      // by id: its passes count …
    uint64_t passes = UINT64_MAX;   // … and so many end the run
};

// Reads a plan. Ends the program with one line and status 2 if the file is not a plan, or asks for
// what this system does not have.
Plan read_plan(const std::string &path);

#endif
