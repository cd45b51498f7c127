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

// Takes the task out of its queue and puts it into `to` after its equals (nullptr: into none).
void Model::move(unsigned task, Queue *to) {
    Task &t = tasks_[task];
    if (t.queue) {
        t.queue->erase(std::find(t.queue->begin(), t.queue->end(), task));
    }
    t.queue = to;
    if (to) {
        auto place = std::find_if(to->begin(), to->end(), [&](unsigned other) {
            return tasks_[other].priority < t.priority;
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
    case Exit:
        return runs ? None : NoTask;
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

unsigned Model::create(unsigned node, unsigned priority) {
    unsigned task = 0;
    while (tasks_[task].used) {
        task++;
    }
    tasks_[task] = Task{true, priority, node};
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
        tasks_[low].priority = high;
        move(low, tasks_[low].queue);
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
    answer.error = check(node, op, argument);
    if (answer.error == None) {
        answer.created = apply(node, op, argument, first, last);
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
    move(task, &ready_[t.node]);
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

unsigned Model::live() const {
    return unsigned(
        std::count_if(tasks_.begin(), tasks_.end(), [](const Task &t) { return t.used; }));
}

} // namespace rtu
