// SPDX-License-Identifier: MIT
//
// The test bench of the fabric (the multi-core system without its cores): drives the ports of each
// node cycle by cycle, and compares every output with the model. fabric_tb.cpp chooses the
// accesses.
#ifndef FABRIC_BENCH_H
#define FABRIC_BENCH_H

#include "Vfabric.h"
#include "fabric_model.h"

#include <cstdint>
#include <deque>

namespace fabric {

constexpr unsigned kOutstanding = 2; // most accesses of a core that wait for an answer, as of Ibex

// An answer for which a core waits. `known` is false for a read over the bus that is not done yet:
// its expected data depends on the accesses before it.
struct Expected {
    bool known, is_read, refused;
    uint32_t address, data;
};

struct Driver {
    bool asking = false;
    Access access;
    std::deque<Expected> answers;
    std::deque<Access> on_bus; // accesses that were granted, and that the bus has not done yet
    uint64_t asked = 0;
    bool said = false; // the node wrote `character` to the console in the last cycle
    char character = 0;
    bool fetching = false; // the node started a fetch in the last cycle
    Model::Fetch fetch = {};
};

class Bench {
  public:
    Bench() {
        top_.rst_ni = 1;
        top_.eval();
    }

    void begin(unsigned latency); // resets the fabric and the counts of accesses

    void reset(uint64_t time);
    bool can_ask(unsigned node) const {
        return !drivers_[node].asking && drivers_[node].answers.size() < kOutstanding;
    }
    void ask(unsigned node, const Access &access);
    void cycle();
    void drain();
    bool fetch(unsigned node, uint32_t address);
    unsigned measure(unsigned node, const Access &access); // cycles from the grant to the answer
    unsigned consecutive_grants(unsigned node, const Access &access, unsigned cycles);
    uint64_t time() const {
        return model_.time();
    }
    unsigned latency() const {
        return latency_;
    }
    uint64_t asked() const {
        return asked_;
    }
    uint64_t fetched(bool fails) const {
        return fetched_[fails];
    }
    uint64_t done(Target target) const {
        return done_[target];
    }

  private:
    void edge() {
        top_.clk_i = 1;
        top_.eval();
        top_.clk_i = 0;
        top_.eval();
    }
    void finish_bus(unsigned node, bool rings);
    void take_device_write(unsigned node);
    void take_grant(unsigned node);
    void check_answer(unsigned node);
    void check_interrupts();
    void check_interrupt(unsigned node, const char *name, unsigned lines, bool expected) const;
    void check_console(unsigned node);
    void check_finish(unsigned node) const;
    void check_fetch(unsigned node);
    void start_fetches();
    [[noreturn]] void fail(unsigned node, const char *format, ...) const
        __attribute__((format(printf, 3, 4)));

    Vfabric top_;
    Model model_;
    Driver drivers_[kNodes];
    unsigned latency_ = 0;
    uint64_t cycle_ = 0, asked_ = 0;
    uint64_t done_[kTargets] = {}, fetched_[2] = {};
};

} // namespace fabric

#endif
