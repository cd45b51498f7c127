// SPDX-License-Identifier: MIT
//
// See observer.h. Traps have the same numbers as in the observer for QEMU: mcause for an exception,
// mcause + 16 for an interrupt. Source: RISC-V Privileged Architecture 20211203, table 3.6.
#include "observer.h"

namespace {

constexpr uint32_t kEcall = 0x00000073, kEbreak = 0x00100073, kCompressedEbreak = 0x9002;
constexpr unsigned kBreakpoint = 3, kIllegal = 2, kLoadFault = 5, kStoreFault = 7, kCall = 11;
constexpr unsigned kFirstInterrupt = 16;

Lane lane_of_interrupt(unsigned number) {
    switch (number) {
    case 3:
        return kPendsv;
    case 7:
        return kSystick;
    default:
        return kExternal;
    }
}

// Returns the exception that a trapped instruction raised, derived from its encoding alone.
unsigned exception_of(const Retired &retired) {
    const uint32_t instruction = retired.instruction;
    if (instruction == kEbreak || instruction == kCompressedEbreak) {
        return kBreakpoint;
    }
    const bool compressed = (instruction & 3) != 3;
    const unsigned opcode = compressed ? (instruction >> 13 & 7) : (instruction & 0x7f);
    const bool loads = compressed ? (instruction & 1) == 0 && opcode == 2 : opcode == 0x03;
    const bool stores = compressed ? (instruction & 1) == 0 && opcode == 6 : opcode == 0x23;
    return loads ? kLoadFault : stores ? kStoreFault : kIllegal;
}

} // namespace

Marks::Marks(const Plan &plan) {
    for (const Mark &mark : plan.marks) {
        const uint32_t place = (mark.address - kBase) / 2;
        if (place < kPlaces) {
            bits_[place / 64] |= uint64_t(1) << place % 64;
            ids_[mark.address].push_back(mark.id);
        }
    }
    for (const Range &range : plan.port) {
        for (uint32_t pc = range.begin; pc < range.end; pc += 2) {
            const uint32_t place = (pc - kBase) / 2;
            if (place < kPlaces) {
                port_[place / 64] |= uint64_t(1) << place % 64;
            }
        }
    }
    for (const Entry &entry : plan.entries) {
        for (unsigned lane = 0; lane < kLanes; lane++) {
            if (entry.kind == name_of(Lane(lane))) {
                entries_[lane].push_back(entry.id);
            }
        }
    }
}

void Observer::push(unsigned exception) {
    tally_.lanes[kEntered]++;
    active_.push_back(exception);
}

// Enters a handler, at its first instruction. Returns the lane that counts its exception. The
// vector mode is vectored, so the slot of an interrupt in the table of 32 words gives its number.
Lane Observer::enter(const Retired &retired) {
    if (excepting_) {
        excepting_ = false; // trap() has counted the exception
        return active_.back() == kCall ? kSvcall : kFaults;
    }
    const unsigned number = retired.pc / 4 % 32;
    const Lane lane = lane_of_interrupt(number);
    tally_.lanes[lane]++;
    push(kFirstInterrupt + number);
    return lane;
}

void Observer::pass(const std::vector<uint32_t> &marks, uint64_t cycle) {
    for (uint32_t mark : marks) {
        record(kMark, mark, cycle);
        passed_.push_back(mark);
    }
}

void Observer::trap(const Retired &retired, uint64_t cycle) {
    const bool call = retired.instruction == kEcall;
    const unsigned exception = call ? kCall : exception_of(retired);
    excepting_ = true;
    traps_in_row_ = call ? 0 : traps_in_row_ + 1;
    tally_.lanes[call ? kSvcall : kFaults]++;
    tally_.lanes[kInstructions] += call;
    tally_.lanes[kPort] += call && marks_.is_port(retired.pc);
    if (!call) {
        record(kFault, exception, cycle);
    }
    push(exception);
}

void Observer::record(Kind kind, uint32_t id, uint64_t cycle) {
    tally_.lanes[kCycles] = uint32_t(cycle - recorded_);
    log_.record(kind, node_, active_.empty() ? 0 : active_.back(), id, tally_);
    tally_ = Tally();
    recorded_ = cycle;
}
