// SPDX-License-Identifier: MIT
//
// The event log (docs/architecture.md, "The event log"), as this target writes it: what the
// retired-instruction port shows, and cycles as they are.
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

// As the log's header has it.
const char *name_of(Lane lane);

// What a node has done since its last record.
struct Tally {
    uint32_t lanes[kLanes] = {};
};

// Why and where the run ended.
struct Ending {
    std::string why;
    unsigned node;              // whose doing it was …
    std::optional<uint32_t> pc; // … and where, unless it was nobody's alone
    std::string detail;
};

enum Kind : uint8_t { kMark = 1, kFault = 2, kEnd = 255 };

class Log {
  public:
    explicit Log(const Plan &plan);
    ~Log();
    Log(const Log &) = delete;

    void record(Kind kind, unsigned node, unsigned exception, uint32_t id, const Tally &tally);
    void end(const Ending &ending);

  private:
    std::string path_;
    std::FILE *file_;
};

#endif
