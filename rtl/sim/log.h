// SPDX-License-Identifier: MIT
//
// Writes the event log (docs/reference/formats.md, "The event log") of this target: the data of the
// retired-instruction port, and the cycles.
#ifndef LOG_H
#define LOG_H

#include "plan.h"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

// In the order of the log.
enum Lane {
    kInstructions,
    kReads,
    kWrites,
    kPort, // instructions of the kernel's port, as far as the plan names them
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

// The counts of a node since its last record.
struct Tally {
    uint32_t lanes[kLanes] = {};
};

// The reason and the place of the end of the run.
struct Ending {
    std::string why;
    unsigned node;              // the node that caused the end
    std::optional<uint32_t> pc; // the place; none if no single node caused the end
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
