// SPDX-License-Identifier: MIT
//
// See fabric_bench.h.
#include "fabric_bench.h"
#include "verilated.h"
#include "verilated_syms.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace fabric {

void Bench::fail(unsigned node, const char *format, ...) const {
    std::printf("FAIL: fabric, latency %u, cycle %" PRIu64 ", node %u: ", latency_, cycle_, node);
    va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::printf("\n");
    std::exit(1);
}

void Bench::begin(unsigned latency) {
    latency_ = latency;
    std::fill(std::begin(done_), std::end(done_), 0);
    std::fill(std::begin(fetched_), std::end(fetched_), 0);
    reset(0);
}

// Resets the fabric at any time, and sets `mtime`. Requests end with the reset.
void Bench::reset(uint64_t time) {
    top_.req_i = 0;
    top_.fetch_req_i = 0;
    top_.rst_ni = 0;
    top_.latency_i = latency_;
    top_.tree_i = FABRIC_TREE;
    top_.eval();
    edge();
    top_.rst_ni = 1;
    model_.reset();
    model_.set_time(time);
    for (unsigned node = 0; node < kNodes; node++) {
        drivers_[node] = Driver();
        const std::string scope =
            "TOP.fabric.gen_node[" + std::to_string(node) + "].u_data.u_timer";
        const VerilatedScope *timer = Verilated::scopeFind(scope.c_str());
        *static_cast<uint64_t *>(timer->varFind("time_q")->datap()) = time;
    }
}

// Starts a fetch. Returns false if the node has a fetch under way in this cycle.
bool Bench::fetch(unsigned node, uint32_t address) {
    if (top_.fetch_req_i >> node & 1) {
        return false;
    }
    top_.fetch_req_i = top_.fetch_req_i | 1u << node;
    top_.fetch_addr_i[node] = address;
    return true;
}

void Bench::ask(unsigned node, const Access &access) {
    drivers_[node].asking = true;
    drivers_[node].access = access;
    drivers_[node].asked = cycle_;
    asked_++;
    const uint32_t bit = 1u << node;
    const unsigned byte_shift = 4 * node;
    top_.req_i = top_.req_i | bit;
    top_.we_i = (top_.we_i & ~bit) | uint32_t(access.write) << node;
    top_.be_i = (top_.be_i & ~(0xfull << byte_shift)) | uint64_t(access.bytes) << byte_shift;
    top_.addr_i[node] = access.address;
    top_.wdata_i[node] = access.data;
}

// Applies a node's oldest bus access to the model when the bus reports that it is done. It is
// called twice in a cycle. Without `rings`, it applies all accesses but doorbells, before node 0's
// own accesses of the cycle, because the hardware changed the hosted targets in the cycle before.
// With `rings`, it applies doorbells, after all reads of inboxes, because a ring takes effect at
// the end of the cycle.
void Bench::finish_bus(unsigned node, bool rings) {
    Driver &driver = drivers_[node];
    if (!(top_.done_o >> node & 1)) {
        return;
    }
    if (driver.on_bus.empty()) {
        fail(node, "the bus did what nobody asked for");
    }
    const Access access = driver.on_bus.front();
    if ((access.write && target_of(access.address) == Doorbells) != rings) {
        return;
    }
    const uint32_t data = model_.apply(node, access);
    for (Expected &expected : driver.answers) {
        if (!access.write && !expected.known) {
            expected.known = true;
            expected.data = data;
            break;
        }
    }
}

static bool is_granted(const Driver &driver, uint32_t grants, unsigned node) {
    return driver.asking && (grants >> node & 1);
}

// Applies a device write to the model in the cycle of its grant, in which its effect, such as an
// interrupt, is visible at the ports.
void Bench::take_device_write(unsigned node) {
    const Driver &driver = drivers_[node];
    if (is_granted(driver, top_.gnt_o, node) && Model::is_device_write(driver.access)) {
        model_.apply(node, driver.access);
    }
}

void Bench::take_grant(unsigned node) {
    Driver &driver = drivers_[node];
    if (!is_granted(driver, top_.gnt_o, node)) {
        return;
    }
    const Access &access = driver.access;
    const bool refused = Model::refused(access),
               over_bus = !refused && Model::over_bus(node, access);
    Expected expected = {!over_bus || access.write, !access.write, refused, access.address, 0};
    if (over_bus) {
        driver.on_bus.push_back(access);
    } else if (!refused && !Model::is_device_write(access)) {
        expected.data = model_.apply(node, access);
    }
    driver.answers.push_back(expected);
    done_[refused ? Nowhere : target_of(access.address)]++;
}

void Bench::check_answer(unsigned node) {
    Driver &driver = drivers_[node];
    if (!(top_.rvalid_o >> node & 1)) {
        return;
    }
    if (driver.answers.empty() || !driver.answers.front().known) {
        fail(node, "an answer comes that nobody waits for");
    }
    const Expected expected = driver.answers.front();
    driver.answers.pop_front();
    if ((top_.err_o >> node & 1) != expected.refused) {
        fail(node, "the access to 0x%08x is %s", expected.address,
             expected.refused ? "not refused" : "refused");
    }
    if (expected.is_read && !expected.refused && top_.rdata_o[node] != expected.data) {
        fail(node, "a read returns 0x%08x and not 0x%08x", top_.rdata_o[node], expected.data);
    }
}

void Bench::check_interrupt(unsigned node, const char *name, unsigned lines, bool expected) const {
    if ((lines >> node & 1) != expected) {
        fail(node, "the %s interrupt is %d", name, lines >> node & 1);
    }
}

void Bench::check_interrupts() {
    for (unsigned node = 0; node < kNodes; node++) {
        check_interrupt(node, "software", top_.irq_software_o, model_.software_interrupt(node));
        check_interrupt(node, "timer", top_.irq_timer_o, model_.timer_interrupt(node));
        check_interrupt(node, "device", top_.irq_device_o, model_.device_interrupt(node));
    }
}

// Compares the console output of a node. A character appears in the cycle before its store is
// granted.
void Bench::check_console(unsigned node) {
    Driver &driver = drivers_[node];
    const Access &access = driver.access;
    const bool says = driver.asking && (top_.gnt_o >> node & 1) && access.write &&
                      target_of(access.address) == Console && (access.bytes & 1) &&
                      !(access.address & 4);
    if (driver.said != says || (says && uint8_t(driver.character) != (access.data & 0xff))) {
        fail(node, "the console %s", says ? "misses a character" : "prints what nobody wrote");
    }
    driver.said = top_.console_valid_o >> node & 1;
    driver.character = char(top_.console_o[node]);
}

void Bench::check_finish(unsigned node) const {
    if ((top_.finished_o >> node & 1) != model_.finished(node) ||
        (model_.finished(node) && top_.finish_o[node] != model_.finish_word(node))) {
        fail(node, "finished is %d, with 0x%08x", top_.finished_o >> node & 1, top_.finish_o[node]);
    }
}

// Compares the answer to the fetch that the node started in the last cycle.
void Bench::check_fetch(unsigned node) {
    const Driver &driver = drivers_[node];
    if ((top_.fetch_valid_o >> node & 1) != driver.fetching) {
        fail(node, "a fetch is %s", driver.fetching ? "not answered" : "answered twice");
    }
    if (!driver.fetching) {
        return;
    }
    if ((top_.fetch_err_o >> node & 1) != driver.fetch.fails) {
        fail(node, "a fetch %s", driver.fetch.fails ? "does not fail" : "fails");
    }
    if (!driver.fetch.fails && top_.fetch_data_o[node] != driver.fetch.word) {
        fail(node, "a fetch returns 0x%08x and not 0x%08x", top_.fetch_data_o[node],
             driver.fetch.word);
    }
    fetched_[driver.fetch.fails]++;
}

// Computes the expected answers of this cycle's fetches, before the cycle's stores are applied,
// because a fetch reads the old contents of the memory.
void Bench::start_fetches() {
    for (unsigned node = 0; node < kNodes; node++) {
        check_fetch(node);
        drivers_[node].fetching = top_.fetch_req_i >> node & 1;
        drivers_[node].fetch = model_.fetch(node, top_.fetch_addr_i[node]);
    }
}

// Simulates one clock cycle. A driver lowers its request after the grant.
void Bench::cycle() {
    top_.eval();
    start_fetches();
    for (unsigned node = 0; node < kNodes; node++) {
        check_console(node);
        check_finish(node);
        take_device_write(node);
    }
    check_interrupts();
    for (unsigned node = 0; node < kNodes; node++) {
        finish_bus(node, false);
    }
    for (unsigned node = 0; node < kNodes; node++) {
        check_answer(node);
        take_grant(node);
    }
    for (unsigned node = 0; node < kNodes; node++) {
        finish_bus(node, true);
        Driver &driver = drivers_[node];
        if (top_.done_o >> node & 1) {
            driver.on_bus.pop_front();
        }
        if (driver.asking && cycle_ - driver.asked > (kNodes + 1) * 5 * (latency_ + 10)) {
            fail(node, "address 0x%08x is not granted", driver.access.address);
        }
    }
    const uint32_t granted = top_.gnt_o & top_.req_i;
    edge();
    model_.count_cycle();
    cycle_++;
    top_.fetch_req_i = 0;
    top_.req_i = top_.req_i & ~granted;
    for (unsigned node = 0; node < kNodes; node++) {
        drivers_[node].asking = drivers_[node].asking && !(granted >> node & 1);
    }
}

void Bench::drain() {
    for (unsigned i = 0; i < (kNodes + 1) * 5 * (latency_ + 10); i++) {
        cycle();
    }
    for (unsigned node = 0; node < kNodes; node++) {
        if (drivers_[node].asking || !drivers_[node].answers.empty() ||
            !drivers_[node].on_bus.empty()) {
            fail(node, "an access was never done");
        }
        check_interrupt(node, "RTU's", top_.irq_external_o, model_.external_interrupt(node));
    }
}

unsigned Bench::measure(unsigned node, const Access &access) {
    ask(node, access);
    top_.eval();
    while (drivers_[node].asking) {
        cycle();
    }
    const uint64_t granted = cycle_ - 1;
    while (!drivers_[node].answers.empty()) {
        cycle();
    }
    return unsigned(cycle_ - 1 - granted);
}

// Repeats an access in every cycle, at most `cycles` times, until it is not granted at once.
// Returns the number of grants.
unsigned Bench::consecutive_grants(unsigned node, const Access &access, unsigned cycles) {
    unsigned grants = 0;
    for (; grants < cycles; grants++) {
        ask(node, access);
        top_.eval();
        if (!(top_.gnt_o >> node & 1)) {
            break;
        }
        cycle();
    }
    return grants;
}

} // namespace fabric
