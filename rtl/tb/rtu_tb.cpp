// SPDX-License-Identifier: MIT
//
// Constrained-random test of the RTU, the hardware scheduler, against rtu_model: random nodes make
// random calls, valid and invalid, while tasks sleep and wake. Every answer and, in every cycle,
// every interrupt line must equal the model's. The test also fails if an outcome of a call never
// occurred, such as a full table, or if the unit took longer than its bound.
//
//   rtu_tb [--calls N] [--cycles N] [--seed S]
//
// The test ends when it has made N calls and simulated N cycles.
#include "Vrtu.h"
#include "coverage.h"
#include "edf.h"
#include "options.h"
#include "random.h"
#include "rtu_model.h"
#include "verilated.h"
#include "verilated_syms.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <deque>

double sc_time_stamp() {
    return 0;
}

namespace {

using namespace rtu;

// The parameter Stages of rtl/rtu/rtu.sv.
#ifndef RTU_STAGES
#define RTU_STAGES 0
#endif

struct Form {
    unsigned call_bound;  // most cycles from a request to its answer, with a wake-up in between
    unsigned wake_cycles; // cycles from a wake-up to the interrupt that it causes
};
constexpr Form kForms[] = {{5, 3}, {9, 5}, {16, 8}};
// A walk (priority inheritance) takes two states for the task of the call, and four for each mutex.
// If tasks wait for each other in a circle, the walk may go round once more.
constexpr unsigned kStepCycles = RTU_STAGES > 1 ? 2 : 1;
constexpr unsigned kWalkBound = kMutexes ? (2 + 4 * kMutexes) * kStepCycles : 0;
constexpr unsigned kCallBound = kForms[RTU_STAGES].call_bound + kWalkBound;
constexpr unsigned kWakeCycles = kForms[RTU_STAGES].wake_cycles;
// Most cycles from a tick until all tasks whose delay ends at this tick are awake.
constexpr unsigned kOverdueBound = kTasks <= 64 ? 1000 : kTasks * (kCallBound + kWakeCycles);

const char *const kOpNames[] = {"next",  "yield",    "take", "give",     "signal",
                                "delay", "create",   "exit", "priority", "init",
                                "tick",  "deadline", "lock", "unlock",   "bad op"};
const char *const kErrorNames[] = {"ok",   "bad op",  "bad argument", "full",
                                   "busy", "no task", "owner"};

struct Call {
    unsigned node, op, argument;
};

// Returns the address of a signal inside the unit, of up to 8 bits (rtu_observed.vlt).
const uint8_t *observed(const char *scope, const char *name) {
    return static_cast<const uint8_t *>(Verilated::scopeFind(scope)->varFind(name)->datap());
}

class Bench {
  public:
    Bench() {
        top_.rst_ni = 1;
        top_.eval();
        reset();
    }

    void reset();
    void start(const Call &call); // issues the call, and does not wait for the answer
    void call(const Call &call);
    void step(unsigned cycles) { // simulates without checks, at most until a call is answered
        while (cycles-- && !top_.ack_o) {
            edge();
        }
    }
    void wait(unsigned cycles) {
        while (cycles--) {
            cycle();
        }
    }
    int wanted(unsigned node) const {
        return model_.wanted(node);
    }
    int highest_held(unsigned node) const {
        return model_.highest_held(node);
    }
    bool stuck() const {
        return model_.stuck();
    }
    void report() const;
    bool covered() const;
    uint64_t woken() const {
        return woken_;
    }
    uint64_t cycles() const {
        return cycle_;
    }
    uint64_t ticks() const {
        return ticks_;
    }
    bool irq() const { // of node 0
        return top_.irq_o & 1;
    }
    uint32_t answer(unsigned op, unsigned argument) {
        call({0, op, argument});
        return answer_;
    }

  private:
    void edge() {
        top_.clk_i = 1;
        top_.eval();
        top_.clk_i = 0;
        top_.eval();
    }
    void cycle();
    void watch_sleepers();
    void check_tick();
    void watch_insertions();
    void check_answer(const Call &call, const Answer &expected) const;
    [[noreturn]] void fail(const char *format, ...) const __attribute__((format(printf, 2, 3)));

    Vrtu top_;
    const uint8_t *insert_ = observed("TOP.rtu", "insert"), *wake_ = observed("TOP.rtu", "wake"),
                  *due_id_ = observed("TOP.rtu", "due_id"),
                  *tick_ = observed("TOP.rtu.u_delays", "tick"),
                  *set_period_ = observed("TOP.rtu", "set_period");
    Model model_;
    bool was_set_ = false; // the current call has set the period of the tick
    bool was_inserting_ = false;
    uint64_t ticks_before_ = 0;           // ticks that had come one cycle ago
    uint64_t period_ = 0, next_tick_ = 0; // period of the tick in cycles; cycle of the next tick
    uint64_t cycle_ = 0, ticks_ = 0, calls_ = 0, woken_ = 0;
    unsigned longest_ = 0;
    uint32_t answer_ = 0; // the answer to the last call
    uint64_t outcomes_[kKinds + 1][kErrors] = {};
    std::deque<std::pair<uint64_t, unsigned>>
        waking_; // a cycle, and the task of which the model learns then that it has woken
    std::deque<std::pair<uint64_t, uint64_t>>
        deadlines_; // a cycle, and the tick whose sleeping tasks must be awake by then
};

void Bench::fail(const char *format, ...) const {
    std::printf("FAIL: rtu, cycle %" PRIu64 ", call %" PRIu64 ": ", cycle_, calls_);
    va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::printf("\n");
    std::exit(1);
}

// Resets the unit at any time.
void Bench::reset() {
    top_.req_i = 0;
    top_.rst_ni = 0;
    top_.eval();
    edge();
    top_.rst_ni = 1;
    model_ = Model();
    was_inserting_ = false;
    waking_.clear();
    deadlines_.clear();
    period_ = 0;
}

// Checks that a tick comes in each period, counted from the cycle in which a call sets it.
void Bench::check_tick() {
    const bool expected = period_ && cycle_ == next_tick_;
    if (bool(*tick_) != expected) {
        fail(expected ? "a tick is missing" : "a tick comes at the wrong time");
    }
    if (expected) {
        next_tick_ += period_;
    }
    if (*set_period_) {
        was_set_ = true;
        period_ = 64 * uint64_t(top_.argument_i);
        next_tick_ = cycle_ + period_;
    }
}

// Reports each insertion into a queue to the model, with the ticks of the cycle before, in which
// the task left its old queue, and of this cycle.
void Bench::watch_insertions() {
    if (*insert_ && !was_inserting_) {
        model_.inserts(ticks_before_, ticks_);
    }
    was_inserting_ = *insert_;
    ticks_before_ = ticks_;
}

void Bench::watch_sleepers() {
    watch_insertions();
    check_tick();
    if (*wake_) {
        waking_.emplace_back(cycle_ + kWakeCycles, *due_id_);
    }
    if (!waking_.empty() && waking_.front().first == cycle_) {
        const unsigned task = waking_.front().second;
        waking_.pop_front();
        woken_++;
        if (!model_.wake(task, ticks_)) {
            fail("task %u was woken, and does not sleep or is not due", task);
        }
    }
    if (*tick_) {
        ticks_++;
        deadlines_.emplace_back(cycle_ + kOverdueBound, ticks_);
    }
    if (!deadlines_.empty() && deadlines_.front().first == cycle_) {
        if (model_.overdue(deadlines_.front().second)) {
            fail("a task sleeps on, %u cycles after its tick", kOverdueBound);
        }
        deadlines_.pop_front();
    }
}

// Simulates one clock cycle. Compares the outputs with the model before the clock edge.
void Bench::cycle() {
    top_.eval();
    watch_sleepers();
    for (unsigned node = 0; node < kNodes; node++) {
        if (((top_.irq_o >> node) & 1) != model_.interrupt(node)) {
            fail("the interrupt line of node %u is %d", node, (top_.irq_o >> node) & 1);
        }
    }
    edge();
    cycle_++;
}

void Bench::check_answer(const Call &call, const Answer &expected) const {
    const uint32_t word = (uint32_t(expected.error != None) << 31) |
                          (uint32_t(expected.next == kNobody) << 30) |
                          (uint32_t(expected.error) << 24) | (expected.created << 8) |
                          (expected.next == kNobody ? 0 : uint32_t(expected.next));
    if (top_.answer_o != word) {
        fail("%s(%u) by node %u is answered 0x%08x and not 0x%08x",
             kOpNames[kind(call.op, call.argument)], call.argument, call.node, top_.answer_o, word);
    }
}

void Bench::start(const Call &call) {
    top_.req_i = 1;
    top_.node_i = call.node;
    top_.op_i = call.op;
    top_.argument_i = call.argument;
    top_.eval();
}

void Bench::call(const Call &call) {
    start(call);
    const uint64_t issued = cycle_, first = ticks_;
    was_set_ = false;
    while (!top_.ack_o) {
        if (cycle_ - issued >= kCallBound) {
            fail("%s is not answered", kOpNames[kind(call.op, call.argument)]);
        }
        cycle();
        top_.eval();
    }
    const unsigned took = unsigned(cycle_ - issued);
    longest_ = took > longest_ ? took : longest_;
    if (was_set_ != (call.op == Tick)) {
        fail(was_set_ ? "a call sets the period" : "the period is not set");
    }
    watch_sleepers();
    const Answer expected = model_.call(call.node, call.op, call.argument, first, ticks_);
    check_answer(call, expected);
    answer_ = top_.answer_o;
    edge();
    cycle_++;
    calls_++;
    outcomes_[kind(call.op, call.argument)][expected.error]++;
    top_.req_i = 0;
    cycle();
}

void Bench::report() const {
    std::printf("rtu: %" PRIu64 " calls in %" PRIu64 " cycles, %" PRIu64 " ticks, %" PRIu64
                " tasks woken; longest call %u cycles\n",
                calls_, cycle_, ticks_, woken_, longest_);
    for (unsigned op = 0; op <= kKinds; op++) {
        std::printf("  %-9s", kOpNames[op]);
        for (unsigned error = 0; error < kErrors; error++) {
            if (outcomes_[op][error]) {
                std::printf(" %s %" PRIu64, kErrorNames[error], outcomes_[op][error]);
            }
        }
        std::printf("\n");
    }
}

// Tells whether every outcome of a call that rtl/README.md lists has occurred.
bool Bench::covered() const {
    static const std::pair<unsigned, unsigned> bins[] = {
        {Next, None},          {Yield, None},
        {Yield, NoTask},       {Take, None},
        {Take, BadArgument},   {Take, NoTask},
        {Give, None},          {Give, BadArgument},
        {Give, Full},          {Signal, None},
        {Signal, BadArgument}, {Signal, Full},
        {Delay, None},         {Delay, BadArgument},
        {Delay, NoTask},       {Create, None},
        {Create, BadArgument}, {Create, Full},
        {Exit, None},          {Exit, NoTask},
        {Priority, None},      {Priority, BadArgument},
        {Init, None},          {Init, BadArgument},
        {Init, Busy},          {Tick, None},
        {kKinds, BadOp}};
    static const std::pair<unsigned, unsigned> mutex_bins[] = {
        {Lock, None},     {Lock, NoTask},  {Lock, Owner}, {Unlock, None},
        {Unlock, NoTask}, {Unlock, Owner}, {Exit, Owner}};
    static const std::pair<unsigned, unsigned> deadline_bins[] = {
        {Deadline, None}, {Deadline, BadArgument}, {Deadline, NoTask}};
    bool all = woken_ > 0;
    const auto require = [&](const std::pair<unsigned, unsigned> &bin) {
        if (outcomes_[bin.first][bin.second] == 0) {
            std::printf("FAIL: rtu: the test never met %s answered %s\n", kOpNames[bin.first],
                        kErrorNames[bin.second]);
            all = false;
        }
    };
    std::for_each(std::begin(bins), std::end(bins), require);
    if (kMutexes) {
        std::for_each(std::begin(mutex_bins), std::end(mutex_bins), require);
    }
    if (kDeadlineBits) {
        std::for_each(std::begin(deadline_bins), std::end(deadline_bins), require);
    }
    return all;
}

// --- The calls
// -----------------------------------------------------------------------------------------

// A mix of random calls: the weights of the calls, and how many semaphores and priorities they use.
// The test switches between mixes at random, so that tables become full and empty.
struct CallMix {
    unsigned weights[kKinds + 1];
    unsigned semaphores, priorities;
    bool rests; // there are pauses between calls, as when the bus carries other accesses
};

const CallMix kCallMixes[] = {
    // For next yield take give signal delay create exit priority init tick deadline lock unlock bad
    {{4, 16, 6, 14, 6, 6, 4, 4, 4, 0, 1, 6, 4, 6, 1}, 4, 64, true},
    {{2, 4, 2, 8, 2, 4, 30, 0, 3, 1, 0, 2, 1, 1, 1}, 8, 4, true},   // fills the table
    {{2, 8, 0, 20, 8, 2, 1, 20, 3, 1, 0, 2, 0, 9, 1}, 8, 64, true}, // empties it
    {{2, 8, 20, 6, 3, 1, 3, 0, 3, 2, 0, 4, 0, 1, 1}, 2, 3, true},   // all tasks wait
    {{1, 2, 1, 30, 30, 2, 1, 1, 1, 0, 0, 1, 0, 1, 1}, 1, 8, true},  // counts to the maximum
    {{2, 6, 1, 9, 3, 30, 6, 1, 2, 0, 1, 6, 1, 1, 1}, 4, 8, true},   // all tasks sleep
    // All tasks sleep, and calls come without a pause.
    {{8, 4, 1, 9, 3, 20, 4, 1, 2, 0, 1, 6, 1, 1, 1}, 4, 8, false},
    {{30, 6, 1, 6, 3, 4, 4, 1, 30, 0, 0, 8, 1, 1, 1}, 4, 4, false},  // priorities change often
    {{2, 6, 2, 9, 3, 6, 6, 1, 9, 0, 1, 3, 40, 12, 1}, 4, 64, false}, // owners inherit
};

// Returns a number below `used`, sometimes one below `count`, and now and then `count` itself: the
// first number that does not exist.
unsigned index(Random &random, unsigned used, unsigned count) {
    if (random.one_in(64)) {
        return count;
    }
    return random.below(random.one_in(16) ? count : used);
}

unsigned argument(Random &random, const CallMix &mix, unsigned kind) {
    if (kind != Delay && random.one_in(32)) {
        return random.bits() & 0xffff; // mostly an invalid argument
    }
    switch (kind) {
    case Take:
    case Give:
    case Signal:
        return index(random, mix.semaphores, kSemaphores);
    case Delay:
        return random.below(random.one_in(32) ? 500 : 8);
    case Create:
        return random.below(mix.priorities);
    case Priority:
        return random.below(mix.priorities) << 8 | index(random, kTasks, kTasks);
    case Lock:
    case Unlock:
        return kMutexBit + index(random, kMutexes ? kMutexes : 1, kMutexes);
    case Deadline:
        return random.below(1u << (kDeadlineBits < 16 ? kDeadlineBits : 16));
    case Init:
        return random.below(random.one_in(8) ? 256 : 3) << 8 |
               index(random, mix.semaphores, kSemaphores);
    case Tick:
        if (random.one_in(16)) {
            return random.below(2) * 200;
        }
        return 1 + random.below(random.one_in(4) ? 40 : 4);
    default:
        return 0;
    }
}

unsigned operation(Random &random, unsigned kind) {
    return kind == Lock     ? unsigned(Take)
           : kind == Unlock ? unsigned(Give)
           : kind < kOps    ? kind
                            : unsigned(kOps) + random.below(16 - kOps);
}

// Resets the unit during a call. An interrupted call need not be answered.
void restart(Bench &bench, Random &random) {
    bench.start({random.below(kNodes), Create, 1});
    bench.step(random.below(kCallBound - 2));
    bench.reset();
    for (unsigned node = 0; node < kNodes; node++) {
        bench.call({node, Next, 0});
    }
    bench.wait(random.below(200)); // no tick comes
    bench.call({0, Tick, 1 + random.below(3)});
}

// Returns the argument of a call that locks or unlocks: mostly mutexes in ascending order, because
// tasks that wait for each other in a circle wait until the next reset.
unsigned mutex(Random &random, unsigned kind, int highest_held) {
    const int next = highest_held + 1, all = int(kMutexes);
    if (random.one_in(32) || (kind == Lock ? next >= all : next == 0)) {
        return argument(random, *kCallMixes, kind);
    }
    return kMutexBit +
           unsigned(kind == Unlock ? next - 1 : next + int(random.below(unsigned(all - next))));
}

void run(Bench &bench, uint64_t calls, uint64_t cycles, uint64_t seed) {
    Random random(seed);
    const CallMix *mix = kCallMixes;
    bench.call({0, Tick, 1});
    for (uint64_t i = 0; i < calls || bench.cycles() < cycles; i++) {
        if (random.one_in(500)) {
            mix = &kCallMixes[random.below(sizeof kCallMixes / sizeof kCallMixes[0])];
        }
        const unsigned node = random.below(kNodes);
        const unsigned kind = random.pick(mix->weights);
        const int wanted = bench.wanted(node);
        if (wanted != kNobody && !random.one_in(8)) {
            bench.call({node, Give, unsigned(wanted)}); // otherwise most nodes would soon be idle
        } else {
            const bool of_mutex = kind == Lock || kind == Unlock;
            bench.call({node, operation(random, kind),
                        of_mutex ? mutex(random, kind, bench.highest_held(node))
                                 : argument(random, *mix, kind)});
        }
        bench.wait(mix->rests && random.one_in(4) ? random.below(16) : 0);
        if (random.one_in(10000) || bench.stuck()) {
            restart(bench, random);
        }
    }
}

// Tests long delays, which use all 16 bits, at the fastest tick. All must end; watch_sleepers()
// checks that none ends early.
bool sleep_long(Bench &bench) {
    const unsigned delays[] = {1, 255, 256, 32767, 32768, 32769, 65534, 65535};
    const uint64_t longest_cycles = 65536 * 64;
    bench.reset();
    const uint64_t before = bench.woken();
    bench.call({0, Tick, 1});
    for (const unsigned ticks : delays) {
        bench.call({0, Create, 1});
        bench.call({0, Delay, ticks});
    }
    for (uint64_t cycle = 0; cycle < longest_cycles; cycle += 64) {
        bench.wait(64);
    }
    const uint64_t woken = bench.woken() - before, all = sizeof delays / sizeof *delays;
    if (woken != all) {
        std::printf("FAIL: rtu: %" PRIu64 " of %" PRIu64 " long delays end\n", woken, all);
    }
    return woken == all;
}

} // namespace

int main(int argc, char **argv) {
    auto options = read_options(argc, argv, {{"--calls", 100000}, {"--cycles", 0}, {"--seed", 1}});
    std::printf("rtu: seed %" PRIu64 "\n", options["--seed"]);
    Bench bench;
    run(bench, options["--calls"], options["--cycles"], options["--seed"]);
    bench.report();
    const bool good = bench.covered() && sleep_long(bench) && (!kDeadlineBits || edf::holds(bench));
    write_coverage();
    return good ? 0 : 1;
}
