// SPDX-License-Identifier: MIT
//
// Random test of the fabric between the nodes: four test drivers stand where the cores are and load
// and store all over the address map at once. Every access must have its effect exactly once, a
// node's bus accesses in program order; every datum, error and interrupt must be the model's.
// Before that, the latencies that rtl/README.md promises are measured.
//
//   fabric_tb [--accesses N] [--seed S]
#include "Vfabric.h"
#include "fabric_model.h"
#include "options.h"
#include "random.h"
#include "verilated.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <deque>

double sc_time_stamp() {
    return 0;
}

namespace {

using namespace fabric;

constexpr unsigned kLatencies[] = {0, 1, 8, 33, 300};
constexpr unsigned kOutstanding = 2; // accesses of a core that wait for an answer; Ibex has no more

// What a core waits for. The answer of a bus read is known when the bus has done it.
struct Expected {
    bool known, is_read, refused;
    uint32_t address, data;
};

struct Driver {
    bool asking = false;
    Access access;
    std::deque<Expected> answers;
    std::deque<Access> on_bus; // taken, and not yet done by the bus
    uint64_t asked = 0;
};

class Bench {
  public:
    explicit Bench(unsigned latency) : latency_(latency) {
        top_.latency_i = latency;
        top_.rst_ni = 1;
        top_.eval();
        top_.rst_ni = 0;
        top_.eval();
        edge();
        top_.rst_ni = 1;
    }

    bool can_ask(unsigned node) const {
        return !drivers_[node].asking && drivers_[node].answers.size() < kOutstanding;
    }
    void ask(unsigned node, const Access &access);
    void cycle();
    void drain();
    unsigned measure(unsigned node, const Access &access); // cycles from the grant to the answer
    uint64_t done(Target target) const {
        return done_[target];
    }

  private:
    void edge() {
        top_.clk_i = 1;
        top_.eval();
        top_.clk_i = 0;
        top_.eval();
    }
    void finish_bus(unsigned node, bool rings);
    void take_device_write(unsigned node);
    void take_grant(unsigned node);
    void check_answer(unsigned node);
    void check_interrupts();
    [[noreturn]] void fail(unsigned node, const char *format, ...) const
        __attribute__((format(printf, 3, 4)));

    Vfabric top_;
    Model model_;
    Driver drivers_[kNodes];
    unsigned latency_;
    uint64_t cycle_ = 0;
    uint64_t done_[kTargets] = {};
};

void Bench::fail(unsigned node, const char *format, ...) const {
    std::printf("FAIL: fabric, latency %u, cycle %" PRIu64 ", node %u: ", latency_, cycle_, node);
    va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::printf("\n");
    std::exit(1);
}

void Bench::ask(unsigned node, const Access &access) {
    drivers_[node].asking = true;
    drivers_[node].access = access;
    drivers_[node].asked = cycle_;
    const uint32_t bit = 1u << node, byte_shift = 4 * node;
    top_.req_i = top_.req_i | bit;
    top_.we_i = (top_.we_i & ~bit) | uint32_t(access.write) << node;
    top_.be_i = (top_.be_i & ~(0xfu << byte_shift)) | access.bytes << byte_shift;
    top_.addr_i[node] = access.address;
    top_.wdata_i[node] = access.data;
}

// The bus says that a node's oldest access is done. What node 0 hosts changed in the cycle before,
// so it is applied before node 0's own accesses of this cycle; a ring is heard at the cycle's end,
// after a reading of the inbox.
void Bench::finish_bus(unsigned node, bool rings) {
    Driver &driver = drivers_[node];
    if (!(top_.done_o >> node & 1)) {
        return;
    }
    if (driver.on_bus.empty()) {
        fail(node, "the bus did what nobody asked for");
    }
    const Access access = driver.on_bus.front();
    if ((access.write && target_of(access.address, node) == Doorbells) != rings) {
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

bool is_granted(const Driver &driver, uint32_t grants, unsigned node) {
    return driver.asking && (grants >> node & 1);
}

// What a device write changes shows in the cycle of its grant, interrupts included.
void Bench::take_device_write(unsigned node) {
    const Driver &driver = drivers_[node];
    if (is_granted(driver, top_.gnt_o, node) && Model::is_device_write(node, driver.access)) {
        model_.apply(node, driver.access);
    }
}

void Bench::take_grant(unsigned node) {
    Driver &driver = drivers_[node];
    if (!is_granted(driver, top_.gnt_o, node)) {
        return;
    }
    const Access &access = driver.access;
    const bool refused = Model::refused(node, access),
               over_bus = !refused && Model::over_bus(node, access);
    Expected expected = {!over_bus || access.write, !access.write, refused, access.address, 0};
    if (over_bus) {
        driver.on_bus.push_back(access);
    } else if (!refused && !Model::is_device_write(node, access)) {
        expected.data = model_.apply(node, access);
    }
    driver.answers.push_back(expected);
    done_[refused ? Nowhere : target_of(access.address, node)]++;
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

void Bench::check_interrupts() {
    for (unsigned node = 0; node < kNodes; node++) {
        if ((top_.irq_software_o >> node & 1) != model_.software_interrupt(node)) {
            fail(node, "the software interrupt is %d", top_.irq_software_o >> node & 1);
        }
        if ((top_.irq_device_o >> node & 1) != model_.device_interrupt(node)) {
            fail(node, "the device's interrupt is %d", top_.irq_device_o >> node & 1);
        }
    }
}

// One clock cycle. A driver's request ends with its grant.
void Bench::cycle() {
    top_.eval();
    for (unsigned node = 0; node < kNodes; node++) {
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
    cycle_++;
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
        if ((top_.irq_external_o >> node & 1) != model_.external_interrupt(node)) {
            fail(node, "the RTU's interrupt is %d", top_.irq_external_o >> node & 1);
        }
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

// --- The latencies of an idle bus, from the grant to the answer: rtl/README.md
// -------------------------------

void expect_latency(Bench &bench, unsigned latency, const char *what, unsigned node,
                    const Access &access, unsigned expected) {
    const unsigned measured = bench.measure(node, access);
    if (measured != expected) {
        std::printf("FAIL: fabric, latency %u: %s took %u cycles and not %u\n", latency, what,
                    measured, expected);
        std::exit(1);
    }
    bench.drain();
}

void check_latencies() {
    for (unsigned latency : kLatencies) {
        Bench bench(latency);
        expect_latency(bench, latency, "a local read", 1, {false, 0xf, 0x80000000, 0}, 1);
        expect_latency(bench, latency, "a hosted read by node 0", 0, {false, 0xf, 0x90000000, 0},
                       1);
        expect_latency(bench, latency, "a posted write", 1, {true, 0xf, 0x90000000, 0}, 1);
        expect_latency(bench, latency, "a read of global memory", 1, {false, 0xf, 0x90000000, 0},
                       latency + 3);
        expect_latency(bench, latency, "taking a lock", 2, {false, 0xf, 0xa0000000, 0},
                       latency + 3);
        expect_latency(bench, latency, "a read of a doorbell", 2, {false, 0xf, 0xb0000000, 0},
                       latency + 2);
        expect_latency(bench, latency, "RTU next", 0, {false, 0xf, 0xc0000000, 0}, latency + 4);
        expect_latency(bench, latency, "RTU create", 3, {false, 0xf, 0xc0000000 + (6u << 18), 0},
                       latency + 5);
    }
    std::printf("fabric: latencies of an idle bus are as documented\n");
}

// --- Random accesses
// ------------------------------------------------------------------------------------------

Access random_access(Random &random, unsigned node) {
    // none, memory, console, interrupts, registers, software, global memory, locks, doorbells, RTU
    static const unsigned weights[kTargets] = {1, 6, 4, 6, 8, 1, 8, 6, 6, 8};
    static const unsigned operations[] = {2, 6, 6, 6, 6, 0, 4, 3, 2, 1, 0, 1};
    static const uint32_t interrupt_registers[] = {0x0c000028, 0x0c002000, 0x0c200004};
    Access access = {random.one_in(2), random.one_in(64) ? random.below(16) : 0xf, 0x18000000,
                     random.bits()};
    const uint32_t few = 4 * random.below(8);
    switch (random.pick(weights)) {
    case Memory:
        access.address = 0x80000000 + few;
        access.bytes = random.below(16);
        break;
    case Console:
        access.address = 0x10000000 + (few & 4);
        access.bytes = random.below(16);
        break;
    case Interrupts:
        access.address = interrupt_registers[random.below(3)];
        access.data = random.one_in(4) ? random.bits() : random.one_in(2) ? 10 : 1 | 1 << 10;
        break;
    case Registers:
        access.address = 0x11000000 + few;
        break;
    case Software:
        access.address = 0x02000000 + 4 * node;
        break;
    case GlobalMemory:
        access.address = 0x90000000 + few;
        access.bytes = random.below(16);
        break;
    case Locks:
        access.address = 0xa0000000 + few;
        break;
    case Doorbells:
        access.address = 0xb0000000 + few;
        break;
    case Rtu:
        access.address = 0xc0000000 + (random.pick(operations) << 18) +
                         4 * random.below(random.one_in(8) ? 0x10000 : 6);
        break;
    default:
        break;
    }
    return access;
}

void run(unsigned latency, uint64_t accesses, Random &random) {
    Bench bench(latency);
    for (uint64_t asked = 0; asked < accesses; bench.cycle()) {
        for (unsigned node = 0; node < kNodes; node++) {
            if (bench.can_ask(node) && random.one_in(2)) {
                bench.ask(node, random_access(random, node));
                asked++;
            }
        }
    }
    bench.drain();
    for (unsigned target = 0; target < kTargets; target++) {
        if (bench.done(Target(target)) == 0) {
            std::printf("FAIL: fabric, latency %u: no access to target %u was tried\n", latency,
                        target);
            std::exit(1);
        }
    }
}

} // namespace

int main(int argc, char **argv) {
    auto options = read_options(argc, argv, {{"--accesses", 100000}, {"--seed", 1}});
    std::printf("fabric: seed %" PRIu64 "\n", options["--seed"]);
    check_latencies();
    Random random(options["--seed"]);
    for (unsigned latency : kLatencies) {
        // The same number of bus cycles, about, at every latency.
        const uint64_t accesses = options["--accesses"] / (1 + latency / 8);
        run(latency, accesses, random);
        std::printf("fabric: %" PRIu64 " accesses at latency %u\n", accesses, latency);
    }
    return 0;
}
