// SPDX-License-Identifier: MIT
//
// See log.h.
#include "log.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kObserver = "rtl-3";
constexpr const char *kLaneNames[kLanes] = {
    "instructions", "reads",  "writes",  "port",     "entered", "left",   "tail_chained",
    "svcall",       "pendsv", "systick", "external", "faults",  "cycles",
};
constexpr const char *kKindNames[] = {"mark", "fault"};

Json lane(unsigned number) {
    const bool clocked = number == kCycles;
    const Json cost = clocked ? Json(1) : Json();
    return {{"name", kLaneNames[number]},
            {"low", cost},
            {"high", cost},
            {"source", clocked ? "RTL simulation" : "retired-instruction port"}};
}

Json header(const Plan &plan) {
    Json lanes = Json::array();
    for (unsigned number = 0; number < kLanes; number++) {
        lanes.push_back(lane(number));
    }
    return {{"version", kVersion},
            {"observer", kObserver},
            {"core", kCore},
            {"lanes", lanes},
            {"marks", plan.names}};
}

} // namespace

const char *name_of(Lane lane) {
    return kLaneNames[lane];
}

Log::Log(const Plan &plan) : path_(plan.log), file_(std::fopen(plan.log.c_str(), "wb")) {
    if (!file_) {
        std::fprintf(stderr, "error: log %s: %s\n", path_.c_str(), std::strerror(errno));
        std::exit(2);
    }
    write(header(plan).dump());
}

Log::~Log() {
    if (std::fclose(file_) != 0) {
        std::fprintf(stderr, "error: log %s: %s\n", path_.c_str(), std::strerror(errno));
        std::exit(2);
    }
}

void Log::record(Kind kind, unsigned node, unsigned exception, uint32_t id, const Tally &tally) {
    const Json row = {{"kind", kKindNames[kind]},
                      {"node", node},
                      {"exception", exception},
                      {"id", id},
                      {"tally", tally.lanes}};
    write(row.dump());
}

void Log::end(const Ending &ending) {
    const Json last = {{"kind", "end"},         {"node", ending.node},
                       {"end", ending.why},     {"pc", ending.pc ? Json(*ending.pc) : Json()},
                       {"symbol", nullptr},     {"detail", ending.detail},
                       {"tally", Tally().lanes}};
    write(last.dump());
}

void Log::write(const std::string &line) {
    std::fprintf(file_, "%s\n", line.c_str());
}
