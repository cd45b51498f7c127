// SPDX-License-Identifier: MIT
//
// Writes the event log of an RTL simulation (docs/reference/formats.md, "The event log"): counts of
// retired instructions and of exceptions, and cycles.
#ifndef LOG_H
#define LOG_H

#include "plan.h"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

// The lanes (counters) of a record, in the order of the log.
enum Lane {
    kInstructions,
    kReads,
    kWrites,
    kPort, // instructions in the address ranges that the plan gives for the kernel's port
    kEntered,
    kLeft,
    kTailChained, // RISC-V has none
    kSvcall,      // environment calls
    kPendsv,      // software interrupts
    kSystick,     // timer interrupts
    kExternal,
    kFaults,
    kCycles,
    kLanes
};

// Returns the name of a lane in the log's header.
const char *name_of(Lane lane);

// The counts of a node since its last record in the log.
struct Tally {
    uint32_t lanes[kLanes] = {};
};

// Why and where the run ended.
struct Ending {
    std::string why;
    unsigned node;              // the node that caused the end
    std::optional<uint32_t> pc; // that node's address; none if no single node caused the end
    std::string detail;
};

enum Kind { kMark, kFault };

class Log {
  public:
    explicit Log(const Plan &plan);
    ~Log();
    Log(const Log &) = delete;

    void record(Kind kind, unsigned node, unsigned exception, uint32_t id, const Tally &tally);
    void end(const Ending &ending);

  private:
    void write(const std::string &line);

    std::string path_;
    std::FILE *file_;
};

#endif
