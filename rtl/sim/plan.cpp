// SPDX-License-Identifier: MIT
//
// See plan.h. A plan with an unknown member, or one that asks for something that this system does
// not have, is an error: a run that ignored the member would measure something else.
#include "plan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace {

using Json = nlohmann::ordered_json; // keeps the order of the plan's entries

constexpr uint64_t kMaxLatency = 300;          // cycles
constexpr uint32_t kExitRegister = 0x00100000; // rtl/system_pkg.sv, FinisherBase

[[noreturn]] void refuse(const std::string &what) {
    throw std::invalid_argument(what);
}

// A JSON object whose members are read one by one. `end` fails if a member was never read.
class Object {
  public:
    explicit Object(const Json &json) : json_(json) {
        if (!json.is_object()) {
            refuse("it has " + json.dump() + " in place of an object");
        }
    }

    const Json &take(const std::string &key) {
        taken_.insert(key);
        return json_.at(key);
    }

    uint64_t number(const std::string &key, uint64_t most = std::numeric_limits<uint64_t>::max()) {
        const Json &value = take(key);
        if (!value.is_number_unsigned() || value.get<uint64_t>() > most) {
            refuse(key + " is " + value.dump() + "; use a number from 0 to " +
                   std::to_string(most));
        }
        return value.get<uint64_t>();
    }

    std::string text(const std::string &key) {
        return take(key).get<std::string>();
    }

    // Fails unless the member has this value, the only one that this system supports.
    void require(const std::string &key, const Json &only) {
        const Json &value = take(key);
        if (value != only) {
            refuse("this machine has no " + key + " " + value.dump() + "; use " + only.dump());
        }
    }

    void end() const {
        for (const auto &member : json_.items()) {
            if (!taken_.count(member.key())) {
                refuse("unknown field `" + member.key() + "`");
            }
        }
    }

  private:
    const Json &json_;
    std::set<std::string> taken_;
};

uint32_t id_of(Plan &plan, const std::string &name) {
    const auto found = std::find(plan.names.begin(), plan.names.end(), name);
    if (found == plan.names.end()) {
        plan.names.push_back(name);
        plan.counted.push_back(false);
        return uint32_t(plan.names.size() - 1);
    }
    return uint32_t(found - plan.names.begin());
}

void add_mark(Plan &plan, const Json &json) {
    Object mark(json);
    const uint32_t address = uint32_t(mark.number("address", UINT32_MAX));
    plan.marks.push_back({address, id_of(plan, mark.text("name"))});
    mark.require("is_write", false);
    mark.end();
}

// Tells whether a name matches a pattern, in which `*` is any text.
bool fits(const char *pattern, const char *name) {
    if (*pattern != '*') {
        return *pattern == *name && (!*pattern || fits(pattern + 1, name + 1));
    }
    return fits(pattern + 1, name) || (*name && fits(pattern, name + 1));
}

void count_passes(Plan &plan, const Json &json) {
    Object passes(json);
    const std::string pattern = passes.text("name");
    bool any = false;
    for (size_t id = 0; id < plan.names.size(); id++) {
        plan.counted[id] = fits(pattern.c_str(), plan.names[id].c_str());
        any = any || plan.counted[id];
    }
    if (!any) {
        refuse("no mark is named " + pattern);
    }
    plan.passes = passes.number("passes");
    passes.end();
}

void add_until(Plan &plan, const Json &json) {
    Object until(json);
    plan.cycles = until.number("instructions");
    if (const Json &marks = until.take("marks"); !marks.is_null()) {
        count_passes(plan, marks);
    }
    until.end();
}

void require_version(const Json &json) {
    const Json version = json.is_object() && json.contains("version") ? json["version"] : Json();
    if (version != kVersion) {
        refuse("it has version " + version.dump() + ", and this simulator reads version " +
               std::to_string(kVersion));
    }
}

Plan parsed(const Json &json) {
    require_version(json);
    Object object(json);
    Plan plan;
    object.take("version");
    plan.image = object.text("image");
    plan.log = object.text("log");
    for (const Json &mark : object.take("marks")) {
        add_mark(plan, mark);
    }
    for (const auto &entry : object.take("entries").items()) {
        plan.entries.push_back({entry.key(), id_of(plan, entry.value().get<std::string>())});
    }
    for (const Json &range : object.take("port")) {
        plan.port.push_back({range.at(0).get<uint32_t>(), range.at(1).get<uint32_t>()});
    }
    add_until(plan, object.take("until"));
    plan.stall = object.number("stall_instructions");
    plan.latency = unsigned(object.number("bus_latency", kMaxLatency));
    object.take("vectors"); // unused: an image sets its own vector table
    object.require("core", kCore);
    object.require("exit_register", kExitRegister);
    for (const char *key : {"calls", "model"}) {
        object.require(key, nullptr);
    }
    object.end();
    return plan;
}

} // namespace

Plan read_plan(const std::string &path) {
    std::string why = "cannot be read";
    if (std::ifstream file(path); file) {
        try {
            return parsed(Json::parse(file));
        } catch (const std::exception &error) {
            why = error.what();
        }
    }
    std::fprintf(stderr, "error: plan %s: %s\n", path.c_str(), why.c_str());
    std::exit(2);
}
