// SPDX-License-Identifier: MIT
//
// See log.h. The host is little-endian, like the log.
#include "log.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace {

constexpr char kMagic[] = "TICKLOG1";
constexpr char kVersion[] = "rtl-1";
constexpr const char *kLaneNames[kLanes] = {
    "instructions", "reads",  "writes",  "entered",  "left",   "tail_chained",
    "svcall",       "pendsv", "systick", "external", "faults", "cycles",
};

struct __attribute__((packed)) Record {
    uint8_t kind, node;
    uint16_t exception;
    uint32_t id;
    Tally tally;
};

std::string lane(unsigned number) {
    const bool clocked = number == kCycles;
    const std::string cost = clocked ? "1" : "null";
    return std::string("{\"name\":\"") + kLaneNames[number] + "\",\"low\":" + cost +
           ",\"high\":" + cost + ",\"source\":\"" +
           (clocked ? "RTL simulation" : "retired-instruction port") + "\"}";
}

std::string header(const Plan &plan) {
    std::string text =
        std::string("{\"schema\":1,\"observer\":\"") + kVersion +
        "\",\"core\":\"ibex\",\"blocks\":null,\"record_bytes\":" + std::to_string(sizeof(Record)) +
        ",\"lanes\":[";
    for (unsigned number = 0; number < kLanes; number++) {
        text += (number ? "," : "") + lane(number);
    }
    text += "],\"marks\":[";
    for (size_t id = 0; id < plan.names.size(); id++) {
        text += (id ? ",\"" : "\"") + plan.names[id] + "\"";
    }
    return text + "]}";
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
    const std::string text = header(plan);
    const uint32_t size = uint32_t(text.size());
    std::fwrite(kMagic, 1, sizeof kMagic - 1, file_);
    std::fwrite(&size, sizeof size, 1, file_);
    std::fwrite(text.data(), 1, text.size(), file_);
}

Log::~Log() {
    if (std::fclose(file_) != 0) {
        std::fprintf(stderr, "error: log %s: %s\n", path_.c_str(), std::strerror(errno));
        std::exit(2);
    }
}

void Log::record(Kind kind, unsigned node, unsigned exception, uint32_t id, const Tally &tally) {
    const Record record = {kind, uint8_t(node), uint16_t(exception), id, tally};
    std::fwrite(&record, sizeof record, 1, file_);
}

void Log::end(const Ending &ending) {
    const std::string pc = ending.pc ? std::to_string(*ending.pc) : "null";
    const std::string trailer = "{\"end\":\"" + ending.why + "\",\"pc\":" + pc +
                                ",\"symbol\":null,\"detail\":\"" + ending.detail + "\"}";
    record(kEnd, ending.node, 0, uint32_t(trailer.size()), Tally());
    std::fwrite(trailer.data(), 1, trailer.size(), file_);
}
