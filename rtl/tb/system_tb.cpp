// SPDX-License-Identifier: MIT
//
// Runs programs on the multi-core system: one image for all nodes, or one for each. Shows the
// nodes' consoles line by line. Ends when node 0 has finished, when any node has finished with a
// failure, or when the cycles are used up.
//
//   system_tb [--latency CYCLES] [--nodes N] [--tree] [--cycles LIMIT] IMAGE…
//
// --nodes: how many nodes run (default all). --tree: use the tree of buses, if the system has one.
//
// Exit status: 0 if all is well, 1 if a program failed or did not end, 2 for wrong use.
#include "Vsystem.h"
#include "image.h"
#include "verilated.h"
#include "verilated_syms.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

double sc_time_stamp() {
    return 0;
}

namespace {

constexpr unsigned kMaxNodes = sizeof(Vsystem::retired_pc_o) / sizeof(uint32_t); // of its ports
constexpr uint32_t kMemoryBase = 0x80000000, kMemoryBytes = 1 << 20;
constexpr uint32_t kPass = 0x5555; // a program writes it to the finisher if all is well
constexpr unsigned kMaxLatency = 300;

struct Options {
    unsigned latency = 8, nodes = kMaxNodes;
    bool tree = false;
    uint64_t cycles = 100000000;
    std::vector<std::string> images;
};

[[noreturn]] void refuse(const char *format, const char *what) {
    std::fprintf(stderr, "error: ");
    std::fprintf(stderr, format, what);
    std::fprintf(
        stderr,
        "\nusage: system_tb [--latency 0…300] [--nodes N] [--tree] [--cycles LIMIT] IMAGE…\n");
    std::exit(2);
}

uint64_t number(const char *text) {
    char *end;
    const uint64_t value = std::strtoull(text ? text : "", &end, 0);
    if (!text || end == text || *end) {
        refuse("'%s' is not a number", text ? text : "");
    }
    return value;
}

Options parse(char **argv) {
    Options options;
    for (char **argument = argv + 1; *argument; argument++) {
        if (!std::strcmp(*argument, "--latency")) {
            options.latency = unsigned(number(*++argument));
        } else if (!std::strcmp(*argument, "--nodes")) {
            options.nodes = unsigned(number(*++argument));
        } else if (!std::strcmp(*argument, "--tree")) {
            options.tree = true;
        } else if (!std::strcmp(*argument, "--cycles")) {
            options.cycles = number(*++argument);
        } else if (**argument == '-') {
            refuse("there is no option %s", *argument);
        } else {
            options.images.push_back(*argument);
        }
    }
    if (options.latency > kMaxLatency) {
        refuse("the latency is above %s cycles", "300");
    }
    if (options.images.empty()) {
        refuse("%s", "no image");
    }
    return options;
}

class System {
  public:
    explicit System(const Options &options);
    bool run(uint64_t limit); // returns true if node 0 ended well

  private:
    void load(const std::vector<std::string> &images);
    void cycle();
    void show_consoles();
    bool ended() const;
    void report() const;

    Vsystem top_;
    uint64_t cycles_ = 0, retired_[kMaxNodes] = {};
    std::string lines_[kMaxNodes];
};

void System::load(const std::vector<std::string> &images) {
    for (unsigned node = 0; node < kMaxNodes; node++) {
        const std::string scope =
            "TOP.system.gen_node[" + std::to_string(node) + "].u_node.u_memory";
        const VerilatedScope *memory = Verilated::scopeFind(scope.c_str());
        if (!memory) {
            return; // there are no more nodes
        }
        if (images.size() > 1 && node >= images.size()) {
            refuse("node %s has no image; give one, or one for each node",
                   std::to_string(node).c_str());
        }
        load_image(images[images.size() > 1 ? node : 0],
                   static_cast<uint8_t *>(memory->varFind("memory")->datap()), kMemoryBase,
                   kMemoryBytes);
    }
}

System::System(const Options &options) {
    top_.bus_latency_i = options.latency;
    top_.tree_i = options.tree;
    top_.num_nodes_i = options.nodes;
    top_.rst_ni = 1;
    top_.eval();
    top_.rst_ni = 0; // the core needs the falling edge
    top_.eval();
    cycle();
    load(options.images);
    top_.rst_ni = 1;
    cycles_ = 0;
}

void System::cycle() {
    top_.clk_i = 1;
    top_.eval();
    top_.clk_i = 0;
    top_.eval();
    cycles_++;
}

void System::show_consoles() {
    for (unsigned node = 0; node < kMaxNodes; node++) {
        if (top_.console_valid_o >> node & 1) {
            const char character = char(top_.console_o[node]);
            if (character != '\n') {
                lines_[node] += character;
            } else {
                std::printf("[%u] %s\n", node, lines_[node].c_str());
                lines_[node].clear();
            }
        }
    }
}

bool System::ended() const {
    for (unsigned node = 0; node < kMaxNodes; node++) {
        if ((top_.finished_o >> node & 1) && (node == 0 || top_.finish_o[node] != kPass)) {
            return true;
        }
    }
    return false;
}

void System::report() const {
    std::printf("%" PRIu64 " cycles; instructions", cycles_);
    for (uint64_t retired : retired_) {
        std::printf(" %" PRIu64, retired);
    }
    std::printf("\n");
}

bool System::run(uint64_t limit) {
    while (!ended() && cycles_ < limit) {
        cycle();
        if (top_.console_valid_o) {
            show_consoles();
        }
        for (unsigned node = 0; node < kMaxNodes; node++) {
            retired_[node] += (top_.retired_o & ~top_.retired_trap_o) >> node & 1;
        }
    }
    report();
    for (unsigned node = 0; node < kMaxNodes; node++) {
        if ((top_.finished_o >> node & 1) && top_.finish_o[node] != kPass) {
            std::printf("FAIL: node %u ended with 0x%08x\n", node, top_.finish_o[node]);
            return false;
        }
    }
    if (!(top_.finished_o & 1)) {
        std::printf("FAIL: not finished after %" PRIu64 " cycles; node 0 is at 0x%08x\n", cycles_,
                    top_.retired_pc_o[0]);
        return false;
    }
    return true;
}

} // namespace

int main(int, char **argv) {
    const Options options = parse(argv);
    System system(options);
    return system.run(options.cycles) ? 0 : 1;
}
