// SPDX-License-Identifier: MIT
//
// See plan.h.
#include "plan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace {

[[noreturn]] void refuse(const std::string &path, const std::string &what) {
    std::fprintf(stderr, "error: plan %s: %s\n", path.c_str(), what.c_str());
    std::exit(2);
}

uint32_t id_of(Plan &plan, const std::string &name) {
    const auto found = std::find(plan.names.begin(), plan.names.end(), name);
    if (found == plan.names.end()) {
        plan.names.push_back(name);
        plan.counted.push_back(false);
        return uint32_t(plan.names.size() - 1);
    }
    return uint32_t(found - plan.names.begin());
}

void add_mark(Plan &plan, std::istream &words) {
    uint32_t address;
    std::string name;
    words >> std::hex >> address >> name;
    plan.marks.push_back({address, id_of(plan, name)});
}

void add_entry(Plan &plan, std::istream &words) {
    std::string kind, name;
    words >> kind >> name;
    plan.entries.push_back({kind, id_of(plan, name)});
}

// Returns the rest of the line: names of files may contain spaces.
std::string rest(std::istream &words) {
    std::string text;
    std::getline(words >> std::ws, text);
    return text;
}

bool take(Plan &plan, const std::string &key, std::istream &words) {
    std::string name;
    if (key == "image") {
        plan.images.push_back(rest(words));
    } else if (key == "log") {
        plan.log = rest(words);
    } else if (key == "latency") {
        words >> plan.latency;
    } else if (key == "cycles") {
        words >> plan.cycles;
    } else if (key == "stall") {
        words >> plan.stall;
    } else if (key == "passes") {
        words >> plan.passes;
    } else if (key == "mark") {
        add_mark(plan, words);
    } else if (key == "entry") {
        add_entry(plan, words);
    } else if (key == "until") {
        words >> name;
        plan.counted[id_of(plan, name)] = true;
    } else {
        return false;
    }
    return !words.fail();
}

} // namespace

Plan read_plan(const std::string &path) {
    std::ifstream file(path);
    if (!file) {
        refuse(path, "cannot be read");
    }
    Plan plan;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string key;
        words >> key;
        if (!take(plan, key, words)) {
            refuse(path, "no such line: " + line);
        }
    }
    return plan;
}
