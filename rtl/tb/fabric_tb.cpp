// SPDX-License-Identifier: MIT
//
// Random test of the fabric (the multi-core system without its cores). Test drivers replace the
// cores of all nodes, which fetch, load and store at all addresses of the map at the same time.
// Every access must take effect exactly once, and a node's bus accesses in program order. All data,
// errors, interrupts, console characters and finishes must equal those of the model. Resets come
// while accesses are in progress. Afterwards the test checks the latencies and the depth of the
// write buffer that rtl/README.md states.
//
//   fabric_tb [--accesses N] [--seed S]
#include "coverage.h"
#include "fabric_bench.h"
#include "options.h"
#include "random.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

double sc_time_stamp() {
    return 0;
}

namespace {

using namespace fabric;

constexpr unsigned kLatencies[] = {0, 1, 8, 33, 300};
constexpr unsigned kWriteBuffer = 4;            // accesses
constexpr unsigned kRoot = FABRIC_TREE ? 1 : 0; // cycles that the root of a tree adds to an access

// Values of `mtime` at the start of a phase, so that each of its words overflows in some phases.
constexpr uint64_t kStartTimes[] = {0, 0xfffffc00, 0xfffffffffffffc00, 0x1fffffc00, 0x7fffffff};

// --- The latencies of an idle bus, from the grant to the answer: rtl/README.md

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

// Checks that a node's stores are granted at once until its write buffer is full, and that the next
// store is granted when one of them is done.
void check_write_buffer(Bench &bench) {
    bench.begin(300);
    const unsigned grants =
        bench.consecutive_grants(1, {true, 0xf, 0x90000000, 0}, 2 * kWriteBuffer);
    if (grants != kWriteBuffer) {
        std::printf("FAIL: fabric: the write buffer takes %u accesses and not %u\n", grants,
                    kWriteBuffer);
        std::exit(1);
    }
    bench.drain();
}

void check_latencies(Bench &bench) {
    for (unsigned latency : kLatencies) {
        bench.begin(latency);
        expect_latency(bench, latency, "a local read", 1, {false, 0xf, 0x80000000, 0}, 1);
        expect_latency(bench, latency, "a hosted read by node 0", 0, {false, 0xf, 0x90000000, 0},
                       1);
        expect_latency(bench, latency, "a posted write", 1, {true, 0xf, 0x90000000, 0}, 1);
        expect_latency(bench, latency, "a read of global memory", 1, {false, 0xf, 0x90000000, 0},
                       latency + kRoot + 3);
        expect_latency(bench, latency, "taking a lock", 2, {false, 0xf, 0xa0000000, 0},
                       latency + kRoot + 3);
        expect_latency(bench, latency, "a read of a doorbell", 2, {false, 0xf, 0xb0000000, 0},
                       latency + kRoot + 2);
        expect_latency(bench, latency, "RTU next", 0, {false, 0xf, 0xc0000000, 0},
                       latency + kRoot + 4);
        expect_latency(bench, latency, "RTU create", kNodes - 1,
                       {false, 0xf, 0xc0000000 + (6u << 18), 0}, latency + kRoot + 5);
    }
    check_write_buffer(bench);
    std::printf("fabric: the latencies and the write buffer are as documented\n");
}

// --- Random accesses

// Returns an address at the edge of a range of the address map: the first or last word of the
// range, the word before or after it, or a word in the middle.
uint32_t random_edge(Random &random) {
    static const uint32_t edges[] = {0x00100000, 0x00100004,
                                     0x02000000, 0x02010000,
                                     0x0c000028, 0x0c00002c,
                                     0x0c002000, 0x0c002004,
                                     0x0c200004, 0x0c200008,
                                     0x10000000, 0x10000008,
                                     0x11000000, 0x11000000 + kRegistersBytes,
                                     0x80000000, 0x80100000,
                                     0x90000000, 0x90040000,
                                     0xa0000000, 0xa0000080,
                                     0xb0000000, 0xb0000000 + kDoorbellsBytes,
                                     0xc0000000, 0xc0400000,
                                     0x00001080, 0x0000108c,
                                     0x80080000, 0x90020000};
    return edges[random.below(sizeof edges / sizeof *edges)] - 4 * random.below(2);
}

// Returns an argument for a call of the RTU: mostly a small number, sometimes a small number with
// one more bit set, or any 16 bits.
uint32_t random_argument(Random &random) {
    return random.one_in(8)   ? random.below(0x10000)
           : random.one_in(8) ? random.below(6) | 1u << random.below(16)
                              : random.below(6);
}

Access random_access(Random &random, unsigned node) {
    // The weights are for: none, memory, console, interrupts, registers, timer, finisher, global
    // memory, locks, doorbells, RTU.
    static const unsigned weights[kTargets] = {3, 12, 8, 12, 16, 8, 1, 16, 12, 12, 16};
    static const unsigned operations[] = {2, 6, 6, 6, 6, 0, 4, 3, 2, 1, 0, 1};
    static const uint32_t interrupt_registers[] = {0x0c000028, 0x0c002000, 0x0c200004};
    Access access = {random.one_in(2), random.one_in(64) ? random.below(16) : 0xf, 0,
                     random.bits()};
    const uint32_t few = 4 * random.below(8);
    const uint32_t timer_registers[] = {4 * node, 0x4000 + 8 * node,   0x4004 + 8 * node, 0xbff8,
                                        0xbffc,   4 * random.below(4), 0x4000 + few};
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
        access.address = 0x11000000 + 4 * random.below(kRegistersBytes / 4);
        break;
    case Timer:
        access.address = 0x02000000 + timer_registers[random.below(7)];
        break;
    case Finisher:
        access.address = 0x00100000;
        break;
    case GlobalMemory:
        access.address = 0x90000000 + few;
        access.bytes = random.below(16);
        break;
    case Locks:
        access.address = 0xa0000000 + 4 * random.below(random.one_in(4) ? 32 : 4);
        break;
    case Doorbells:
        access.address = 0xb0000000 + 4 * random.below(kDoorbellsBytes / 4);
        break;
    case Rtu:
        access.address = 0xc0000000 + (random.pick(operations) << 18) + 4 * random_argument(random);
        break;
    default:
        access.address = random_edge(random);
        break;
    }
    return access;
}

// Returns a store to one word of `mtimecmp` whose 64-bit value is near the current time, or about
// 2^32 cycles before or after it, so that the comparison of all 64 bits matters.
Access near_compare(Random &random, unsigned node, uint64_t time) {
    const uint64_t soon =
        time + random.below(64) + (uint64_t(random.below(3)) << 32) - (1ull << 32);
    const bool upper = random.one_in(2);
    return {true, 0xf, 0x02004000 + 8 * node + (upper ? 4 : 0),
            uint32_t(upper ? soon >> 32 : soon)};
}

uint32_t random_fetch(Random &random) {
    return random.one_in(4)   ? random_edge(random)
           : random.one_in(4) ? 0x1080 + 4 * random.below(3)
                              : 0x80000000 + 4 * random.below(8);
}

// Starts random accesses of a node in this cycle: an `eager` node one in every cycle in which it
// may have another, a node that is not eager one in every second such cycle, at random.
void drive(Bench &bench, Random &random, unsigned node, bool eager) {
    if (random.one_in(2)) {
        bench.fetch(node, random_fetch(random));
    }
    if (!bench.can_ask(node) || (!eager && !random.one_in(2))) {
        return;
    }
    bench.ask(node, random.one_in(16) ? near_compare(random, node, bench.time())
                                      : random_access(random, node));
}

// Starts accesses that change no memory, and simulates some cycles, so that the reset that follows
// comes while they are in progress.
void start_harmless(Bench &bench, Random &random) {
    for (unsigned node = 0; node < kNodes; node++) {
        const uint32_t addresses[] = {0xb0000000, 0xc0000000, 0x11000000, 0xa0000000};
        const uint32_t address = addresses[random.below(4)];
        bench.ask(node, {address == 0xc0000000 && random.one_in(2), 0xf, address, 0});
    }
    for (unsigned cycles = random.below(2 * bench.latency() + 8); cycles > 0; cycles--) {
        bench.cycle();
    }
}

void run(Bench &bench, unsigned latency, uint64_t accesses, Random &random) {
    static const uint64_t kPhases = 24;
    bench.begin(latency);
    for (uint64_t phase = 0; phase < kPhases; phase++) {
        const bool eager = random.one_in(2);
        bench.reset(kStartTimes[random.below(sizeof kStartTimes / sizeof *kStartTimes)]);
        const uint64_t end = bench.asked() + accesses / kPhases;
        for (; bench.asked() < end; bench.cycle()) {
            for (unsigned node = 0; node < kNodes; node++) {
                drive(bench, random, node, eager);
            }
        }
        bench.drain();
        start_harmless(bench, random);
    }
    for (unsigned target = 0; target < kTargets; target++) {
        if (bench.done(Target(target)) == 0) {
            std::printf("FAIL: fabric, latency %u: no access to target %u was tried\n", latency,
                        target);
            std::exit(1);
        }
    }
    if (!bench.fetched(false) || !bench.fetched(true)) {
        std::printf("FAIL: fabric, latency %u: the fetches are all good or all bad\n", latency);
        std::exit(1);
    }
}

} // namespace

int main(int argc, char **argv) {
    auto options = read_options(argc, argv, {{"--accesses", 100000}, {"--seed", 1}});
    std::printf("fabric: seed %" PRIu64 "\n", options["--seed"]);
    Bench bench;
    Random random(options["--seed"]);
    for (unsigned latency : kLatencies) {
        // About the same number of bus cycles at every latency.
        const uint64_t accesses = options["--accesses"] / (1 + latency / 8);
        run(bench, latency, accesses, random);
        std::printf("fabric: %" PRIu64 " accesses at latency %u\n", accesses, latency);
    }
    check_latencies(bench);
    write_coverage();
    return 0;
}
