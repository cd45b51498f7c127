// SPDX-License-Identifier: MIT
//
// See rtu_model.h.
#include "rtu_model.h"

#include <algorithm>

namespace rtu {

std::array<int, kNodes> Model::nobodies() {
    std::array<int, kNodes> current;
    current.fill(kNobody);
    return current;
}

// Tells whether a task that enters a queue goes before the task `other` that is in the queue: it
// has a higher priority, or the same priority and an earlier deadline. Late tasks are equal and
// come first; tasks without a deadline come last.
bool Model::precedes(const Task &task, const Task &other, uint64_t now) const {
    const auto rank = [&](const Task &t) {
        return t.ticks == 0 ? UINT64_MAX : t.deadline <= now ? 0 : t.deadline;
    };
    return task.priority != other.priority ? task.priority > other.priority
                                           : rank(task) < rank(other);
}

// Takes the task out of its queue and puts it into the queue `to`, after its equals; nullptr means
// no queue. If `starts`, the deadline of the task starts.
void Model::move(unsigned task, Queue *to, bool starts) {
    Task &t = tasks_[task];
    std::pair<uint64_t, uint64_t> moment;
    if (to && !moments_.empty()) {
        moment = moments_.front();
        moments_.pop_front();
    }
    t.deadline = starts ? moment.first + t.ticks : t.deadline;
    if (t.queue) {
        t.queue->erase(std::find(t.queue->begin(), t.queue->end(), task));
    }
    t.queue = to;
    if (to) {
        auto place = std::find_if(to->begin(), to->end(), [&](unsigned other) {
            return precedes(t, tasks_[other], moment.second);
        });
        to->insert(place, task);
    }
}

Error Model::check(unsigned node, unsigned op, unsigned argument) const {
    const unsigned low = argument & 0xff, high = argument >> 8;
    const bool runs = current_[node] != kNobody;
    switch (op) {
    case Next:
    case Tick:
        return None;
    case Yield:
        return runs ? None : NoTask;
    case Exit:
        return !runs ? NoTask : lowest_held(unsigned(current_[node])) == kNobody ? None : Owner;
    case Lock:
    case Unlock:
        return !runs                                                   ? NoTask
               : owns(unsigned(current_[node]), low) != (op == Unlock) ? Owner
                                                                       : None;
    case Take:
        return argument >= kSemaphores ? BadArgument : runs ? None : NoTask;
    case Give:
    case Signal:
        return argument >= kSemaphores             ? BadArgument
               : count_[argument] == kCountMaximum ? Full
                                                   : None;
    case Delay:
        return argument == 0 ? BadArgument : runs ? None : NoTask;
    case Create:
        return argument >= kPriorities ? BadArgument : live() == kTasks ? Full : None;
    case Priority:
        return low >= kTasks || !tasks_[low].used || high >= kPriorities ? BadArgument : None;
    case Deadline:
        return argument >> kDeadlineBits ? BadArgument : runs ? None : NoTask;
    case Init:
        return low >= kSemaphores ? BadArgument : waiting_[low].empty() ? None : Busy;
    default:
        return BadOp;
    }
}

void Model::give(unsigned semaphore) {
    if (waiting_[semaphore].empty()) {
        count_[semaphore]++;
    } else {
        const unsigned task = waiting_[semaphore][0];
        move(task, &ready_[tasks_[task].node]);
    }
}

int Model::lowest_held(unsigned task) const {
    const auto mutex = std::find(owner_.begin(), owner_.end(), int(task));
    return mutex == owner_.end() ? kNobody : int(mutex - owner_.begin());
}

int Model::highest_held(unsigned node) const {
    const auto mutex = std::find(owner_.rbegin(), owner_.rend(), current_[node]);
    return current_[node] == kNobody || mutex == owner_.rend() ? kNobody
                                                               : int(owner_.rend() - mutex) - 1;
}

// Returns the priority that a task must have: its own, or the highest one of the tasks that wait
// for its mutexes, if that is higher.
unsigned Model::inherited(unsigned task) const {
    unsigned highest = tasks_[task].base;
    for (size_t mutex = 0; mutex < owner_.size(); mutex++) {
        for (unsigned waiter : locking_[mutex]) {
            highest =
                owns(task, unsigned(mutex)) ? std::max(highest, tasks_[waiter].priority) : highest;
        }
    }
    return highest;
}

// Corrects the priority of a task, then of the owner of the mutex for which the task waits, and so
// on. If `moves`, the first task moves after its equals even if its priority stays.
void Model::inherit(unsigned task, bool moves) {
    while (moves || inherited(task) != tasks_[task].priority) {
        tasks_[task].priority = inherited(task);
        move(task, tasks_[task].queue);
        const auto mutex = std::find_if(locking_.begin(), locking_.end(), [&](const Queue &queue) {
            return &queue == tasks_[task].queue;
        });
        if (mutex == locking_.end()) {
            return;
        }
        task = unsigned(owner_[size_t(mutex - locking_.begin())]);
        moves = false;
    }
}

void Model::lock(unsigned task, unsigned mutex) {
    if (owner_[mutex] == kNobody) {
        owner_[mutex] = int(task);
    } else {
        move(task, &locking_[mutex]);
        inherit(unsigned(owner_[mutex]), false);
    }
}

void Model::unlock(unsigned task, unsigned mutex) {
    owner_[mutex] = kNobody;
    if (!locking_[mutex].empty()) {
        const unsigned first = locking_[mutex][0];
        owner_[mutex] = int(first);
        move(first, &ready_[tasks_[first].node]);
    }
    inherit(task, false);
}

unsigned Model::create(unsigned node, unsigned priority) {
    unsigned task = 0;
    while (tasks_[task].used) {
        task++;
    }
    tasks_[task] = Task();
    tasks_[task].used = true;
    tasks_[task].priority = tasks_[task].base = priority;
    tasks_[task].node = node;
    move(task, &ready_[node]);
    return task;
}

// Returns the identifier of a created task.
unsigned Model::apply(unsigned node, unsigned op, unsigned argument, uint64_t first,
                      uint64_t last) {
    const unsigned self = unsigned(current_[node]), low = argument & 0xff, high = argument >> 8;
    switch (op) {
    case Yield:
        move(self, &ready_[node]);
        break;
    case Take:
        if (count_[argument] > 0) {
            count_[argument]--;
        } else {
            move(self, &waiting_[argument]);
        }
        break;
    case Give:
    case Signal:
        give(argument);
        break;
    case Delay:
        tasks_[self].earliest = first + argument;
        tasks_[self].latest = last + argument;
        move(self, &delayed_);
        break;
    case Create:
        return create(node, argument);
    case Exit:
        move(self, nullptr);
        tasks_[self].used = false;
        break;
    case Priority:
        tasks_[low].base = high;
        inherit(low, true);
        break;
    case Lock:
        lock(self, low);
        break;
    case Unlock:
        unlock(self, low);
        break;
    case Deadline:
        tasks_[self].ticks = argument;
        move(self, &ready_[node], true);
        break;
    case Init:
        count_[low] = high;
        break;
    default:
        break;
    }
    return 0;
}

Answer Model::call(unsigned node, unsigned op, unsigned argument, uint64_t first, uint64_t last) {
    Answer answer;
    op = kind(op, argument);
    answer.error = check(node, op, argument);
    if (answer.error == None) {
        answer.created = apply(node, op, argument, first, last);
    } else if (answer.error == Owner && op == Exit) {
        answer.created = unsigned(lowest_held(unsigned(current_[node])));
    }
    answer.next = head(node);
    if (answer.error == None && op != Signal) {
        current_[node] = answer.next;
    }
    return answer;
}

bool Model::wake(unsigned task, uint64_t now) {
    Task &t = tasks_[task];
    if (t.queue != &delayed_ || now < t.earliest) {
        return false;
    }
    move(task, &ready_[t.node], true);
    return true;
}

bool Model::overdue(uint64_t now) const {
    return std::any_of(delayed_.begin(), delayed_.end(),
                       [&](unsigned task) { return tasks_[task].latest <= now; });
}

int Model::wanted(unsigned node) const {
    for (unsigned semaphore = 0; ready_[node].empty() && semaphore < kSemaphores; semaphore++) {
        for (unsigned task : waiting_[semaphore]) {
            if (tasks_[task].node == node) {
                return int(semaphore);
            }
        }
    }
    return kNobody;
}

bool Model::stuck() const {
    bool ready = !delayed_.empty() || live() < kTasks;
    for (unsigned node = 0; node < kNodes; node++) {
        ready = ready || !ready_[node].empty() || wanted(node) != kNobody;
    }
    return !ready;
}

unsigned Model::live() const {
    return unsigned(
        std::count_if(tasks_.begin(), tasks_.end(), [](const Task &t) { return t.used; }));
}

} // namespace rtu
