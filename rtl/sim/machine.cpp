// SPDX-License-Identifier: MIT
//
// See machine.h.
#include "machine.h"
#include "../tb/image.h"
#include "verilated.h"
#include "verilated_syms.h"

#include <cstdio>

double sc_time_stamp() {
    return 0;
}

namespace {

constexpr uint32_t kMemoryBase = 0x80000000, kMemoryBytes = 1 << 20;
constexpr uint32_t kPass = 0x5555; // a program writes it to the finisher if all is well

} // namespace

Machine::Machine(const Choice &choice, unsigned latency, const std::string &image) {
    Verilated::assertOn(false); // the hardware's tests check them; they cost a third of the speed
    top.bus_latency_i = latency;
    top.tree_i = choice.tree;
    top.num_nodes_i = choice.nodes;
    top.rst_ni = 1;
    top.eval();
    top.rst_ni = 0; // the core needs the falling edge
    top.eval();
    step();
    load(image);
    top.rst_ni = 1;
}

// Prints the unfinished lines of the nodes.
Machine::~Machine() {
    for (unsigned node = 0; node < nodes_; node++) {
        if (!lines_[node].empty()) {
            say(node);
        }
    }
}

void Machine::load(const std::string &image) {
    for (; nodes_ < top.num_nodes_i; nodes_++) {
        const std::string scope =
            "TOP.system.gen_node[" + std::to_string(nodes_) + "].u_node.u_memory";
        const VerilatedScope *memory = Verilated::scopeFind(scope.c_str());
        if (!memory) {
            return; // there are no more nodes
        }
        load_image(image, static_cast<uint8_t *>(memory->varFind("memory")->datap()), kMemoryBase,
                   kMemoryBytes);
    }
}

unsigned Machine::failed_node() const {
    for (unsigned node = 1; node < nodes_; node++) {
        if ((top.finished_o >> node & 1) && top.finish_o[node] != kPass) {
            return node;
        }
    }
    return 0;
}

void Machine::show() {
    for (unsigned node = 0; node < nodes_; node++) {
        if (!(top.console_valid_o >> node & 1)) {
            continue;
        }
        const char character = char(top.console_o[node]);
        if (nodes_ == 1) {
            std::fputc(character, stdout);
        } else if (character != '\n') {
            lines_[node] += character;
        } else {
            say(node);
        }
    }
}

// Prints the console line of a node, after its number. Lines of node 0 have no number.
void Machine::say(unsigned node) {
    const std::string speaker = node ? "[" + std::to_string(node) + "] " : "";
    std::printf("%s%s\n", speaker.c_str(), lines_[node].c_str());
    lines_[node].clear();
}
