// SPDX-License-Identifier: MIT
//
// See fabric_model.h.
#include "fabric_model.h"

namespace fabric {

Target target_of(uint32_t address) {
    struct Range {
        uint32_t base, bytes;
        Target target;
    };
    const Range ranges[] = {{0x80000000, 1 << 20, Memory},
                            {0x10000000, 8, Console},
                            {0x0c000028, 4, Interrupts},
                            {0x0c002000, 4, Interrupts},
                            {0x0c200004, 4, Interrupts},
                            {0x11000000, kRegistersBytes, Registers},
                            {0x90000000, 1 << 18, GlobalMemory},
                            {0xa0000000, 128, Locks},
                            {0xb0000000, kDoorbellsBytes, Doorbells},
                            {0xc0000000, 1 << 22, Rtu},
                            {0x02000000, 1 << 16, Timer},
                            {0x00100000, 4, Finisher}};
    for (const Range &range : ranges) {
        if (address >= range.base && address - range.base < range.bytes) {
            return range.target;
        }
    }
    return Nowhere;
}

bool Model::refused(const Access &access) {
    const Target target = target_of(access.address);
    const bool parts = target == Memory || target == GlobalMemory || target == Console;
    const bool absent = target == Doorbells && (access.address >> 3) % kPlaces >= kNodes;
    return target == Nowhere || (!parts && access.bytes != 0xf) || absent;
}

bool Model::is_device_write(const Access &access) {
    const Target target = target_of(access.address);
    return access.write && !refused(access) &&
           (target == Console || target == Interrupts || target == Timer);
}

bool Model::over_bus(unsigned node, const Access &access) {
    const Target target = target_of(access.address);
    return target == Doorbells || target == Rtu ||
           (node != 0 && (target == GlobalMemory || target == Locks));
}

uint32_t Model::memory(Words &words, const Access &access) {
    uint32_t &word = words[access.address & ~3u];
    for (unsigned byte = 0; access.write && byte < 4; byte++) {
        if (access.bytes >> byte & 1) {
            const uint32_t mask = 0xffu << (8 * byte);
            word = (word & ~mask) | (access.data & mask);
        }
    }
    return word;
}

uint32_t Model::console(Device &device, const Access &access) {
    const bool upper = access.address & 4;
    if (access.write && !upper && (access.bytes & 2)) {
        device.empty_interrupts = access.data >> 9 & 1;
    }
    if (access.write && upper && (access.bytes & 8)) {
        device.scratch = access.data >> 24;
    }
    return upper ? device.scratch << 24 | 0x6000 : uint32_t(device.empty_interrupts) << 9;
}

// The core-local interruptor: the registers of other harts read as 0, and a write has no effect.
uint32_t Model::timer(unsigned node, const Access &access) {
    TimerState &timer = timer_[node];
    const uint32_t offset = access.address & 0xffff, compare = 0x4000 + 8 * node;
    if (offset == 4 * node) {
        timer.software = access.write ? access.data & 1 : timer.software;
        return timer.software;
    }
    if (offset == compare || offset == compare + 4) {
        const unsigned shift = offset == compare ? 0 : 32;
        if (access.write) {
            timer.compare &= ~(uint64_t(UINT32_MAX) << shift);
            timer.compare |= uint64_t(access.data) << shift;
            timer.due = time_ - 1 >= timer.compare;
        }
        return uint32_t(timer.compare >> shift);
    }
    return offset == 0xbff8 ? uint32_t(time_) : offset == 0xbffc ? uint32_t(time_ >> 32) : 0;
}

void Model::count_cycle() {
    for (TimerState &timer : timer_) {
        timer.due = time_ >= timer.compare;
    }
    time_++;
}

// Accesses the finisher, which keeps the first word that is written to it.
uint32_t Model::finisher(unsigned node, const Access &access) {
    if (access.write && !finished_[node]) {
        finished_[node] = true;
        finish_word_[node] = access.data;
    }
    return 0;
}

Model::Fetch Model::fetch(unsigned node, uint32_t address) {
    // csrr a0, mhartid; lui t0, 0x80000; jr t0
    static const uint32_t boot[] = {0xf1402573, 0x800002b7, 0x00028067};
    if (address >= 0x1080 && address < 0x108c) {
        return {false, boot[(address - 0x1080) / 4]};
    }
    if (target_of(address) == Memory) {
        return {false, memory(memory_[node], {false, 0xf, address, 0})};
    }
    return {true, 0};
}

void Model::reset() {
    Model fresh;
    fresh.memory_ = memory_;
    fresh.global_ = global_;
    *this = fresh;
}

uint32_t Model::interrupts(unsigned node, const Access &access) {
    constexpr uint32_t kConsole = 10;
    Device &device = device_[node];
    switch (access.address) {
    case 0x0c000028:
        device.priority = access.write ? access.data & 1 : device.priority;
        return device.priority;
    case 0x0c002000:
        device.enabled = access.write ? access.data >> kConsole & 1 : device.enabled;
        return uint32_t(device.enabled) << kConsole;
    default:
        const bool claims = !access.write && device_interrupt(node);
        device.claimed = (device.claimed || claims) && !(access.write && access.data == kConsole);
        return claims ? kConsole : 0;
    }
}

uint32_t Model::registers(unsigned node, const Access &access) {
    Inbox &inbox = inbox_[node];
    const unsigned place = (access.address - 0x11000000) / 4;
    uint32_t value = 0;
    if (access.write) {
        return 0;
    }
    switch (place) {
    case 0:
        return answer_[node];
    case 1:
        for (unsigned from = 0; from < kPlaces; from++) {
            value |= uint32_t(inbox.full[from]) << from;
        }
        return value | uint32_t(inbox.bits != 0) << kPlaces;
    case 2:
        value = inbox.bits;
        inbox.bits = 0;
        return value;
    case 3:
        return kNodes;
    default:
        inbox.full[place - 4] = false;
        return inbox.word[place - 4];
    }
}

void Model::ring(unsigned node, const Access &access) {
    Inbox &inbox = inbox_[(access.address >> 3) % kPlaces];
    if (access.address & 4) {
        inbox.bits |= access.data;
    } else {
        inbox.word[node] = access.data;
        inbox.full[node] = true;
    }
}

uint32_t Model::call(unsigned node, const Access &access) {
    const auto answer =
        rtu_.call(node, access.address >> 18 & 0xf, access.address >> 2 & 0xffff, 0, 0);
    const uint32_t word = uint32_t(answer.error != rtu::None) << 31 |
                          uint32_t(answer.next == rtu::kNobody) << 30 |
                          uint32_t(answer.error) << 24 | answer.created << 8 |
                          (answer.next == rtu::kNobody ? 0 : uint32_t(answer.next));
    if (access.write) {
        answer_[node] = word;
    }
    return word;
}

uint32_t Model::apply(unsigned node, const Access &access) {
    switch (target_of(access.address)) {
    case Memory:
        return memory(memory_[node], access);
    case GlobalMemory:
        return memory(global_, access);
    case Console:
        return console(device_[node], access);
    case Interrupts:
        return interrupts(node, access);
    case Registers:
        return registers(node, access);
    case Timer:
        return timer(node, access);
    case Finisher:
        return finisher(node, access);
    case Locks: {
        bool &locked = locked_[access.address >> 2 & 31];
        const bool was = locked;
        locked = !access.write;
        return was;
    }
    case Doorbells:
        if (access.write) {
            ring(node, access);
        }
        return 0;
    case Rtu:
        return call(node, access);
    default:
        return 0;
    }
}

bool Model::software_interrupt(unsigned node) const {
    const Inbox &inbox = inbox_[node];
    bool any = timer_[node].software || inbox.bits;
    for (bool full : inbox.full) {
        any = any || full;
    }
    return any;
}

} // namespace fabric
