// SPDX-License-Identifier: MIT
//
// The reference model of the RTU: the answer and the changes of each call, in the simplest data
// structures. It was written from the register map in rtl/README.md and not from the hardware: a
// list for each queue, one entry for each task.
#ifndef RTU_MODEL_H
#define RTU_MODEL_H

#include <array>
#include <cstdint>
#include <vector>

namespace rtu {

// The sizes of the unit under test: the build may set smaller ones.
#ifndef RTU_TASKS
#define RTU_TASKS 64
#define RTU_SEMAPHORES 32
#endif
#ifndef RTU_NODES
#define RTU_NODES 4
#endif

constexpr unsigned kNodes = RTU_NODES, kPriorities = 64, kCountMaximum = 255;
constexpr unsigned kTasks = RTU_TASKS, kSemaphores = RTU_SEMAPHORES;

enum Op { Next, Yield, Take, Give, Signal, Delay, Create, Exit, Priority, Init, Tick, kOps };
enum Error { None, BadOp, BadArgument, Full, Busy, NoTask, kErrors };

constexpr int kNobody = -1;

struct Answer {
    Error error = None;
    int next = kNobody; // the head of the caller's ready queue
    unsigned created = 0;
};

class Model {
  public:
    // Makes a call. `first`, `last`: the ticks counted when the call was issued and when it was
    // answered. A delay may be counted from any tick in between.
    Answer call(unsigned node, unsigned op, unsigned argument, uint64_t first, uint64_t last);

    // Reports that the RTU wakes `task`. Returns false if it must not; `now` is the number of
    // ticks.
    bool wake(unsigned task, uint64_t now);

    // Tells whether a task should have been woken when `now` ticks had been counted.
    bool overdue(uint64_t now) const;

    // Returns the interrupt line by the interrupt rule.
    bool interrupt(unsigned node) const {
        return head(node) != kNobody && head(node) != current_[node];
    }

    // Returns a semaphore for which a task of the node waits while the node has no ready task, or
    // kNobody.
    int wanted(unsigned node) const;

  private:
    using Queue = std::vector<unsigned>;

    struct Task {
        bool used = false;
        unsigned priority = 0, node = 0;
        Queue *queue = nullptr;
        uint64_t earliest = 0, latest = 0; // tick of the wake-up
    };

    int head(unsigned node) const {
        return ready_[node].empty() ? kNobody : int(ready_[node][0]);
    }
    unsigned live() const;
    Error check(unsigned node, unsigned op, unsigned argument) const;
    unsigned apply(unsigned node, unsigned op, unsigned argument, uint64_t first, uint64_t last);
    void give(unsigned semaphore);
    unsigned create(unsigned node, unsigned priority);
    void move(unsigned task, Queue *to);
    static std::array<int, kNodes> nobodies();

    std::array<Task, kTasks> tasks_;
    std::array<Queue, kNodes> ready_;
    std::array<Queue, kSemaphores> waiting_;
    std::array<unsigned, kSemaphores> count_{};
    Queue delayed_;
    std::array<int, kNodes> current_ = nobodies();
};

} // namespace rtu

#endif
