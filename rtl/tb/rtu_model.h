// SPDX-License-Identifier: MIT
//
// The reference model of the RTU: the answer and the changes of each call, in the simplest data
// structures. It was written from the register map in rtl/README.md and not from the hardware: a
// list for each queue, one entry for each task.
#ifndef RTU_MODEL_H
#define RTU_MODEL_H

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace rtu {

// The sizes of the unit under test: the build may set smaller ones.
#ifndef RTU_TASKS
#define RTU_TASKS 64
#define RTU_SEMAPHORES 32
#endif
#ifndef RTU_MUTEXES
#define RTU_MUTEXES 0
#endif
#ifndef RTU_DEADLINES
#define RTU_DEADLINES 0
#endif
#ifndef RTU_NODES
#define RTU_NODES 4
#endif

constexpr unsigned kNodes = RTU_NODES, kPriorities = 64, kCountMaximum = 255;
constexpr unsigned kTasks = RTU_TASKS, kSemaphores = RTU_SEMAPHORES, kMutexes = RTU_MUTEXES;
constexpr unsigned kDeadlineBits = RTU_DEADLINES; // 0: no deadlines

enum Op {
    Next,
    Yield,
    Take,
    Give,
    Signal,
    Delay,
    Create,
    Exit,
    Priority,
    Init,
    Tick,
    Deadline,
    kOps,
    // Take and Give with an argument that names a mutex.
    Lock = kOps,
    Unlock,
    kKinds
};
enum Error { None, BadOp, BadArgument, Full, Busy, NoTask, Owner, kErrors };

constexpr int kNobody = -1;
constexpr unsigned kMutexBit = 256; // set in an argument that names a mutex

struct Answer {
    Error error = None;
    int next = kNobody;   // the head of the caller's ready queue
    unsigned created = 0; // the created task; after an exit that failed, a mutex that the task owns
};

// Returns the kind of a call: its operation; Lock or Unlock if the argument of a take or give names
// a mutex; or kKinds for an operation that does not exist.
inline unsigned kind(unsigned op, unsigned argument) {
    const bool names_mutex = argument - kMutexBit < std::array<int, kMutexes>().size();
    return op >= kOps                  ? kKinds
           : op == Deadline            ? (kDeadlineBits ? Deadline : kKinds)
           : op == Take && names_mutex ? Lock
           : op == Give && names_mutex ? Unlock
                                       : op;
}

class Model {
  public:
    // Makes a call. `first` and `last` are the numbers of ticks when the call was issued and when
    // it was answered. A delay may start at any tick from `first` to `last`.
    Answer call(unsigned node, unsigned op, unsigned argument, uint64_t first, uint64_t last);

    // Reports that the unit puts a task into a queue. `started` is the number of ticks at which a
    // deadline starts if this move starts one, `compared` the number at which the unit compared the
    // task with those in the queue.
    void inserts(uint64_t started, uint64_t compared) {
        moments_.push_back({started, compared});
    }

    // Reports that the RTU wakes `task` when `now` ticks have come. Returns false if the RTU must
    // not wake it then.
    bool wake(unsigned task, uint64_t now);

    // Tells whether a task should have been woken when `now` ticks had been counted.
    bool overdue(uint64_t now) const;

    // Returns the interrupt line of a node, by the interrupt rule of rtl/README.md.
    bool interrupt(unsigned node) const {
        return head(node) != kNobody && head(node) != current_[node];
    }

    // Returns a semaphore for which a task of the node waits while the node has no ready task, or
    // kNobody.
    int wanted(unsigned node) const;

    // Returns the highest mutex that the current task of the node owns, or kNobody.
    int highest_held(unsigned node) const;

    // Tells whether no call can make a task ready any more, because all tasks wait for mutexes in a
    // circle.
    bool stuck() const;

  private:
    using Queue = std::vector<unsigned>;

    struct Task {
        bool used = false;
        unsigned priority = 0, node = 0;
        unsigned base = 0; // the priority while it inherits none
        Queue *queue = nullptr;
        uint64_t earliest = 0, latest = 0; // tick of the wake-up
        unsigned ticks = 0;                // length of the deadline in ticks; 0: no deadline
        uint64_t deadline = 0; // tick of the deadline; unlike in the unit, ticks do not wrap around
    };

    int head(unsigned node) const {
        return ready_[node].empty() ? kNobody : int(ready_[node][0]);
    }
    unsigned live() const;
    Error check(unsigned node, unsigned op, unsigned argument) const;
    unsigned apply(unsigned node, unsigned op, unsigned argument, uint64_t first, uint64_t last);
    void give(unsigned semaphore);
    void lock(unsigned task, unsigned mutex);
    void unlock(unsigned task, unsigned mutex);
    void inherit(unsigned task, bool moves);
    unsigned inherited(unsigned task) const;
    int lowest_held(unsigned task) const;
    bool owns(unsigned task, unsigned mutex) const {
        return owner_[mutex] == int(task);
    }
    unsigned create(unsigned node, unsigned priority);
    void move(unsigned task, Queue *to, bool starts = false);
    bool precedes(const Task &task, const Task &other, uint64_t now) const;
    static std::array<int, kNodes> nobodies();

    std::array<Task, kTasks> tasks_;
    std::array<Queue, kNodes> ready_;
    std::array<Queue, kSemaphores> waiting_;
    std::array<Queue, kMutexes> locking_;
    std::vector<int> owner_ = std::vector<int>(kMutexes, kNobody);
    std::array<unsigned, kSemaphores> count_{};
    Queue delayed_;
    std::deque<std::pair<uint64_t, uint64_t>> moments_;
    std::array<int, kNodes> current_ = nobodies();
};

} // namespace rtu

#endif
