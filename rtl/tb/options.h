// SPDX-License-Identifier: MIT
//
// The command line of a test bench: `--name value` pairs, all numbers.
#ifndef OPTIONS_H
#define OPTIONS_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

// Reads options. `defaults` names every option; the result has the values of the command line.
inline std::map<std::string, uint64_t> read_options(int argc, char **argv,
                                                    std::map<std::string, uint64_t> defaults) {
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i];
        auto option = defaults.find(name);
        if (option == defaults.end() || i + 1 == argc) {
            std::fprintf(stderr, "%s: option %s is unknown or has no value; there are:", argv[0],
                         argv[i]);
            for (const auto &known : defaults) {
                std::fprintf(stderr, " %s", known.first.c_str());
            }
            std::fprintf(stderr, "\n");
            std::exit(2);
        }
        option->second = std::strtoull(argv[i + 1], nullptr, 0);
    }
    return defaults;
}

#endif
