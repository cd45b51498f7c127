// SPDX-License-Identifier: MIT
//
// Drives the simulated system: resets it, loads its memories, steps its clock and prints what its
// consoles write.
#ifndef MACHINE_H
#define MACHINE_H

#include "Vsystem.h"

#include <cstdint>
#include <string>

constexpr unsigned kMaxNodes = sizeof(Vsystem::retired_pc_o) / sizeof(uint32_t); // of its ports

// The choices of a run: how many nodes of the simulator run, and whether the network is the tree
// of buses (only if the simulator has both networks).
struct Choice {
    unsigned nodes = kMaxNodes;
    bool tree = false;
};

class Machine {
  public:
    // Resets the system for one cycle and loads `image` into the memory of each node.
    Machine(const Choice &choice, unsigned latency, const std::string &image);

    ~Machine();
    Machine(const Machine &) = delete;

    // Simulates one clock cycle and prints console output: of a single node at once, of several
    // nodes when a line is complete.
    void cycle() {
        step();
        if (top.console_valid_o) {
            show();
        }
    }

    // Tells whether node 0 has finished, or another node has finished with a failure.
    bool finished() const {
        return top.finished_o && (top.finished_o & 1 || failed_node() != 0);
    }

    // Returns the first of nodes 1, 2, … that wrote a failure to its finisher; 0 if none did.
    unsigned failed_node() const;

    unsigned nodes() const {
        return nodes_;
    }

    Vsystem top; // the hardware, which is observed through its ports

  private:
    void step() {
        top.clk_i = 1;
        top.eval();
        top.clk_i = 0;
        top.eval();
    }
    void load(const std::string &image);
    void show();
    void say(unsigned node);

    unsigned nodes_ = 0;
    std::string lines_[kMaxNodes];
};

#endif
