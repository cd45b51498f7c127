// SPDX-License-Identifier: MIT
//
// The plan of a simulation, which the laboratory writes: the image to run, the marks to record and
// the end of the run (docs/reference/formats.md, "The plan").
#ifndef PLAN_H
#define PLAN_H

#include <cstdint>
#include <string>
#include <vector>

// The core of the nodes, as a name without quotes: the build defines SYSTEM_CORE.
#define TEXT_OF(name) TEXT(name)
#define TEXT(name) #name

constexpr unsigned kVersion = 3; // of the formats of the plan and of the event log
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
    std::string log;                // path of the event log
    unsigned latency = 0;           // of the bus, in cycles
    uint64_t cycles = 0;            // the run ends after this number of cycles
    uint64_t stall = 0;             // the run ends after this number of cycles without a mark
    std::vector<std::string> names; // names of the marks, each once
    std::vector<Mark> marks;        // addresses of marks
    std::vector<Entry> entries;     // marks at entries of exceptions
    std::vector<Range> port;        // instructions of the kernel's port
    std::vector<bool> counted;      // by id: whether a pass of this mark counts for `passes`
    uint64_t passes = UINT64_MAX;   // the run ends after this number of counted passes
};

// Reads a plan. Ends the program with one line and status 2 if the file is not a plan, or asks for
// what this system does not have.
Plan read_plan(const std::string &path);

#endif
