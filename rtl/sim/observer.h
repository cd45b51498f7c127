// SPDX-License-Identifier: MIT
//
// Observes one node's retired instructions: counts them, derives traps from them, and writes a
// record to the log when an instruction at a mark (an address that the plan names) retires.
//
// The time of a mark is the cycle in which its instruction retires; the counts of its record
// include only instructions that retired before. An instruction that traps does not count as
// executed, except an environment call, because the observer for QEMU counts it, too.
#ifndef OBSERVER_H
#define OBSERVER_H

#include "log.h"
#include "plan.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

// One instruction at the `retired_*` ports of a node.
struct Retired {
    uint32_t pc, instruction;
    bool trapped, first_of_handler, read, wrote;
};

// Finds the marks of an address, and tells which addresses belong to the kernel's port. Most
// addresses have no mark, so one bit for each address is tested first.
class Marks {
  public:
    explicit Marks(const Plan &plan);

    // Tells whether the instruction at `pc` belongs to the kernel's port.
    bool is_port(uint32_t pc) const {
        const uint32_t place = (pc - kBase) / 2;
        return place < kPlaces && (port_[place / 64] >> place % 64 & 1);
    }

    // Returns the marks at `pc`, in the order of the image; null if there is none.
    const std::vector<uint32_t> *at(uint32_t pc) const {
        const uint32_t place = (pc - kBase) / 2;
        if (place >= kPlaces || !(bits_[place / 64] >> place % 64 & 1)) {
            return nullptr;
        }
        return &ids_.at(pc);
    }

    // Returns the marks that are passed when a handler starts whose exception `lane` counts.
    const std::vector<uint32_t> &at_entry(Lane lane) const {
        return entries_[lane];
    }

  private:
    static constexpr uint32_t kBase = 0x80000000, kPlaces = (1 << 20) / 2;
    std::vector<uint64_t> bits_ = std::vector<uint64_t>(kPlaces / 64);
    std::vector<uint64_t> port_ = std::vector<uint64_t>(kPlaces / 64);
    std::unordered_map<uint32_t, std::vector<uint32_t>> ids_;
    std::vector<uint32_t> entries_[kLanes];
};

class Observer {
  public:
    Observer(unsigned node, const Marks &marks, Log &log) : node_(node), marks_(marks), log_(log) {
    }

    // Counts the instruction that retires in `cycle`. Returns the marks that it passed.
    const std::vector<uint32_t> &retire(const Retired &retired, uint64_t cycle) {
        pc_ = retired.pc;
        passed_.clear();
        if (retired.first_of_handler) {
            pass(marks_.at_entry(enter(retired)), cycle);
        }
        if (const std::vector<uint32_t> *marks = marks_.at(retired.pc)) {
            pass(*marks, cycle);
        }
        if (retired.trapped) {
            trap(retired, cycle);
        } else {
            count(retired);
        }
        return passed_;
    }

    uint32_t pc() const {
        return pc_;
    }
    // Returns the number of consecutive traps without a completed instruction between them.
    unsigned traps_in_row() const {
        return traps_in_row_;
    }

  private:
    static constexpr uint32_t kMret = 0x30200073;

    Lane enter(const Retired &retired);
    void pass(const std::vector<uint32_t> &marks, uint64_t cycle);
    void count(const Retired &retired) {
        traps_in_row_ = 0;
        tally_.lanes[kInstructions]++;
        tally_.lanes[kPort] += marks_.is_port(retired.pc);
        tally_.lanes[kReads] += retired.read;
        tally_.lanes[kWrites] += retired.wrote;
        if (retired.instruction == kMret && !active_.empty()) {
            tally_.lanes[kLeft]++;
            active_.pop_back();
        }
    }
    void trap(const Retired &retired, uint64_t cycle);
    void push(unsigned exception);
    void record(Kind kind, uint32_t id, uint64_t cycle);

    unsigned node_;
    const Marks &marks_;
    Log &log_;
    Tally tally_;
    uint64_t recorded_ = 0; // the cycle of the last record
    uint32_t pc_ = 0;
    std::vector<uint32_t> passed_; // marks that the newest instruction passed
    bool excepting_ = false;       // an exception was taken, and its handler has not begun
    std::vector<unsigned> active_; // numbers of the traps whose handlers have not returned
    unsigned traps_in_row_ = 0;
};

#endif
