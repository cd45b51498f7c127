// SPDX-License-Identifier: MIT
//
// The simulated system: its reset, its memories and its consoles, clock cycle by clock cycle.
#ifndef MACHINE_H
#define MACHINE_H

#include "Vsystem.h"

#include <cstdint>
#include <string>

constexpr unsigned kMaxNodes = sizeof(Vsystem::retired_pc_o) / sizeof(uint32_t); // places

// The choices that a simulator leaves open: the nodes that are present, at most all, and the form
// of the network, if it has both.
struct Choice {
    unsigned nodes = kMaxNodes;
    bool tree = false;
};

class Machine {
  public:
    // Resets for a cycle, with `image` in the memory of each node.
    Machine(const Choice &choice, unsigned latency, const std::string &image);

    ~Machine();
    Machine(const Machine &) = delete;

    // Simulates one clock cycle and prints the output: of one node as it comes, of several by
    // lines.
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

    // Returns the first node that wrote a failure to its finisher; 0 if none of nodes 1 … did.
    unsigned failed_node() const;

    unsigned nodes() const {
        return nodes_;
    }

    Vsystem top; // its ports are the observable state

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
