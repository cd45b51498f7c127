// SPDX-License-Identifier: MIT
//
// The reference model of the shared parts and of the nodes' own registers, without timing: each
// access has its whole effect at once. The test bench applies the accesses in the order in which
// the hardware reports them done.
#ifndef FABRIC_MODEL_H
#define FABRIC_MODEL_H

#include "rtu_model.h"

#include <array>
#include <cstdint>
#include <map>

namespace fabric {

// Parameters that the build may change: the number of nodes for which the address map has room, the
// number of nodes, and whether the network is a tree of buses.
#ifndef FABRIC_PLACES
#define FABRIC_PLACES 4
#endif
#ifndef FABRIC_NODES
#define FABRIC_NODES FABRIC_PLACES
#endif
#ifndef FABRIC_TREE
#define FABRIC_TREE 0
#endif
constexpr unsigned kPlaces = FABRIC_PLACES, kNodes = FABRIC_NODES;
constexpr uint32_t kRegistersBytes = 4 * (4 + kPlaces), kDoorbellsBytes = 8 * kPlaces;

enum Target {
    Nowhere,
    Memory,
    Console,
    Interrupts,
    Registers,
    Timer,
    Finisher,
    GlobalMemory,
    Locks,
    Doorbells,
    Rtu,
    kTargets
};

struct Access {
    bool write = false;
    unsigned bytes = 0xf; // byte enables
    uint32_t address = 0, data = 0;
};

Target target_of(uint32_t address);

class Model {
  public:
    // Applies an access. Returns the result of a read. A store to the RTU (a posted call) leaves
    // its answer in the node's answer register.
    uint32_t apply(unsigned node, const Access &access);

    // Tells whether the access must be answered with an error.
    static bool refused(const Access &access);

    // Tells whether the access takes effect in the cycle before it is granted.
    static bool is_device_write(const Access &access);

    // Tells whether the access goes over the bus.
    static bool over_bus(unsigned node, const Access &access);

    bool software_interrupt(unsigned node) const;
    bool device_interrupt(unsigned node) const {
        const Device &device = device_[node];
        return device.empty_interrupts && device.priority && device.enabled && !device.claimed;
    }
    // The timer interrupt follows `mtime` one cycle later, and a store to `mtimecmp` at once.
    bool timer_interrupt(unsigned node) const {
        return timer_[node].due;
    }
    // Counts one clock cycle; all nodes have the same `mtime`.
    void count_cycle();
    uint64_t time() const {
        return time_;
    }
    void set_time(uint64_t time) {
        time_ = time;
    }
    bool finished(unsigned node) const {
        return finished_[node];
    }
    uint32_t finish_word(unsigned node) const {
        return finish_word_[node];
    }

    // The result of an instruction fetch, and whether the fetch fails.
    struct Fetch {
        bool fails;
        uint32_t word;
    };
    Fetch fetch(unsigned node, uint32_t address);

    // Sets everything except the memories to the state after power-on.
    void reset();

    bool external_interrupt(unsigned node) const {
        return rtu_.interrupt(node);
    }

  private:
    using Words = std::map<uint32_t, uint32_t>;

    struct Inbox {
        uint32_t bits = 0;
        std::array<uint32_t, kPlaces> word{};
        std::array<bool, kPlaces> full{};
    };

    struct TimerState {
        bool software = false, due = false;
        uint64_t compare = UINT64_MAX;
    };

    // The registers of the console, and those of the interrupt controller for the console.
    struct Device {
        bool empty_interrupts = false, priority = false, enabled = false, claimed = false;
        uint32_t scratch = 0;
    };

    static uint32_t memory(Words &words, const Access &access);
    uint32_t console(Device &device, const Access &access);
    uint32_t timer(unsigned node, const Access &access);
    uint32_t finisher(unsigned node, const Access &access);
    uint32_t interrupts(unsigned node, const Access &access);
    uint32_t registers(unsigned node, const Access &access);
    void ring(unsigned node, const Access &access);
    uint32_t call(unsigned node, const Access &access);

    std::array<Words, kNodes> memory_;
    std::array<Inbox, kNodes> inbox_;
    std::array<Device, kNodes> device_;
    std::array<TimerState, kNodes> timer_;
    std::array<uint32_t, kNodes> answer_{}, finish_word_{};
    std::array<bool, kNodes> finished_{};
    uint64_t time_ = 0;
    Words global_;
    std::array<bool, 32> locked_{};
    rtu::Model rtu_;
};

} // namespace fabric

#endif
