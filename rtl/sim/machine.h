// SPDX-License-Identifier: MIT
//
// The simulated system: its reset, its memories and its consoles, clock cycle by clock cycle.
#ifndef MACHINE_H
#define MACHINE_H

#include "Vsystem.h"

#include <cstdint>
#include <string>
#include <vector>

constexpr unsigned kMaxNodes = 4;

class Machine {
  public:
    // In reset for a cycle, with `images` in the memories: one for all nodes, or one for each.
    Machine(unsigned latency, const std::vector<std::string> &images);

    ~Machine();
    Machine(const Machine &) = delete;

    // One clock cycle, and what the nodes say in it: one alone as it comes, several by lines.
    void cycle() {
        step();
        if (top.console_valid_o) {
            show();
        }
    }

    // Whether node 0 has finished, or another has finished badly.
    bool finished() const {
        return top.finished_o && (top.finished_o & 1 || failed_node() != 0);
    }

    // The first node that wrote a failure to its finisher; 0 if none of nodes 1 … did.
    unsigned failed_node() const;

    unsigned nodes() const {
        return nodes_;
    }

    Vsystem top; // its ports are what there is to see

  private:
    void step() {
        top.clk_i = 1;
        top.eval();
        top.clk_i = 0;
        top.eval();
    }
    void load(const std::vector<std::string> &images);
    void show();
    void say(unsigned node);

    unsigned nodes_ = 0;
    std::string lines_[kMaxNodes];
};

#endif
