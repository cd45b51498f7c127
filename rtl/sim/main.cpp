// SPDX-License-Identifier: MIT
//
// Simulates an image on the multi-core system until the end that a plan sets, and writes an event
// log. The laboratory runs it to measure cycles.
//
//   simulator [--nodes N] [--tree] [--unobserved] PLAN
//
// --nodes: how many nodes run (default all). --tree: use the tree of buses, if the system has one.
// --unobserved: look for no mark and write no log, to measure the time that these take.
//
// The same image and plan give the same log, byte for byte. Exit status: 0 if the simulation ended
// for any reason that the log states; 2 for wrong use.
#include "log.h"
#include "machine.h"
#include "observer.h"
#include "plan.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr unsigned kMostTrapsInRow = 16; // faults without an instruction in between: a lockup

class Simulation {
  public:
    Simulation(const Choice &choice, const Plan &plan)
        : plan_(plan), machine_(choice, plan.latency, plan.image), marks_(plan) {
    }

    void run_unobserved();
    void run_observed(Log &log);

  private:
    const char *watch(); // returns why the simulation ends; null if it continues
    const char *retire(unsigned node);
    void end(Log &log, const std::string &why);
    std::string places() const;

    const Plan &plan_;
    Machine machine_;
    Marks marks_;
    std::vector<Observer> observers_;
    uint64_t cycle_ = 0, marked_ = 0, passes_ = 0;
    unsigned node_ = 0; // the node that ended the simulation
};

void Simulation::run_unobserved() {
    while (!machine_.finished() && cycle_ < plan_.cycles) {
        machine_.cycle();
        cycle_++;
    }
}

void Simulation::run_observed(Log &log) {
    for (unsigned node = 0; node < machine_.nodes(); node++) {
        observers_.emplace_back(node, marks_, log);
    }
    const char *why = nullptr;
    while (!why) {
        machine_.cycle();
        cycle_++;
        why = watch();
    }
    end(log, why);
}

const char *Simulation::watch() {
    for (uint32_t retired = machine_.top.retired_o; retired; retired &= retired - 1) {
        if (const char *why = retire(unsigned(__builtin_ctz(retired)))) {
            return why;
        }
    }
    if (machine_.finished()) {
        node_ = machine_.failed_node();
        return "exit";
    }
    if (cycle_ - marked_ > plan_.stall) {
        return "stalled";
    }
    return cycle_ < plan_.cycles ? nullptr : "instructions";
}

const char *Simulation::retire(unsigned node) {
    const Vsystem &top = machine_.top;
    const auto bit = [node](uint32_t port) { return (port >> node & 1) != 0; };
    const Retired retired = {top.retired_pc_o[node],  top.retired_insn_o[node],
                             bit(top.retired_trap_o), bit(top.retired_intr_o),
                             bit(top.retired_read_o), bit(top.retired_write_o)};
    Observer &observer = observers_[node];
    for (uint32_t mark : observer.retire(retired, cycle_)) {
        marked_ = cycle_;
        passes_ += plan_.counted[mark];
    }
    node_ = node;
    if (observer.traps_in_row() >= kMostTrapsInRow) {
        return "lockup";
    }
    return passes_ < plan_.passes ? nullptr : "marks";
}

// Writes the end of the simulation. If several nodes run, only "exit" and "lockup" have one node as
// their cause; a stall or a used-up budget has none.
void Simulation::end(Log &log, const std::string &why) {
    Ending ending = {why, node_, std::nullopt, places()};
    if (observers_.size() == 1 || why == "exit" || why == "lockup") {
        ending.pc = observers_[node_].pc();
    }
    log.end(ending);
}

// Returns a text with the current address of each node; empty for a single node.
std::string Simulation::places() const {
    std::string text;
    for (size_t node = 0; observers_.size() > 1 && node < observers_.size(); node++) {
        char place[40];
        std::snprintf(place, sizeof place, "%snode %zu at 0x%08x", node ? ", " : "", node,
                      observers_[node].pc());
        text += place;
    }
    return text;
}

struct Options {
    Choice choice;
    bool unobserved = false;
    const char *plan = nullptr;
};

[[noreturn]] void refuse() {
    std::fprintf(stderr, "usage: simulator [--nodes 1…%u] [--tree] [--unobserved] PLAN\n",
                 kMaxNodes);
    std::exit(2);
}

Options parse(char **argv) {
    Options options;
    for (char **argument = argv + 1; *argument; argument++) {
        if (!std::strcmp(*argument, "--unobserved")) {
            options.unobserved = true;
        } else if (!std::strcmp(*argument, "--tree")) {
            options.choice.tree = true;
        } else if (!std::strcmp(*argument, "--nodes") && argument[1]) {
            options.choice.nodes = unsigned(std::strtoul(*++argument, nullptr, 10));
        } else if (!options.plan) {
            options.plan = *argument;
        } else {
            refuse();
        }
    }
    if (!options.plan || options.choice.nodes - 1 >= kMaxNodes) {
        refuse();
    }
    return options;
}

} // namespace

int main(int, char **argv) {
    const Options options = parse(argv);
    const Plan plan = read_plan(options.plan);
    Simulation simulation(options.choice, plan);
    if (options.unobserved) {
        simulation.run_unobserved();
    } else {
        Log log(plan);
        simulation.run_observed(log);
    }
    return 0;
}
