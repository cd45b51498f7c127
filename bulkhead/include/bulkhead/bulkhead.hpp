// SPDX-License-Identifier: MIT
//
// Bulkhead for applications in C++17: a C++ object for each object that the declaration names, with
// the calls of this object. <handles.hpp>, which the generator writes, defines the objects:
// objects::queue_samples<Sample>. calls.h says what each call does.
//
// A C++ object contains only the handle, or the address of an object that is local to a process. It
// is a constant, and a call compiles to the same instructions as the call in C. There are no
// exceptions, no run-time types, no memory allocation, and no header of the C++ library. Results
// that matter have to be used.
#ifndef BULKHEAD_BULKHEAD_HPP
#define BULKHEAD_BULKHEAD_HPP

#include <stddef.h>
#include <stdint.h>

// Keywords of C11 that C++ spells differently.
#define _Noreturn __attribute__((noreturn))
#define _Static_assert static_assert
extern "C" {
#include <bulkhead/bulkhead.h>
#include <bulkhead/log.h>
}
#undef _Static_assert
#undef _Noreturn

// Selects the call for an object in the kernel or for a local object. C selects it by _Generic, C++
// by the type.
#define BULKHEAD_BOTH(call, type)                                                     \
    template <typename... Values>                                                     \
    BULKHEAD_INLINE bulkhead_result call(uint32_t handle, Values... values) {         \
        return bulkhead_kernel_##call(handle, values...);                             \
    }                                                                                 \
    template <typename... Values>                                                     \
    BULKHEAD_INLINE bulkhead_result call(bulkhead_##type *object, Values... values) { \
        return bulkhead_local_##call(object, values...);                              \
    }

namespace bulkhead {

using Result = bulkhead_result;
using Ticks = uint32_t;
using Handle = uint32_t; // handle of a kernel object; a local object has a pointer instead

constexpr Ticks no_wait = BULKHEAD_NO_WAIT;
constexpr Ticks forever = BULKHEAD_FOREVER;

namespace either {
BULKHEAD_BOTH(semaphore_take, semaphore)
BULKHEAD_BOTH(semaphore_give, semaphore)
BULKHEAD_BOTH(mutex_lock, mutex)
BULKHEAD_BOTH(mutex_unlock, mutex)
BULKHEAD_BOTH(queue_send, queue)
BULKHEAD_BOTH(queue_receive, queue)
BULKHEAD_BOTH(flags_set, flags)
BULKHEAD_BOTH(flags_clear, flags)
BULKHEAD_BOTH(flags_wait_any, flags)
BULKHEAD_BOTH(flags_wait_all, flags)
BULKHEAD_BOTH(flags_take_any, flags)
BULKHEAD_BOTH(flags_take_all, flags)
BULKHEAD_BOTH(pool_allocate, pool)
BULKHEAD_BOTH(pool_free, pool)
} // namespace either

// --- Objects that threads wait for ---------------------------------------------------------------

template <typename Object = Handle> class Semaphore {
  public:
    explicit constexpr Semaphore(Object object) : object_(object) {
    }
    [[nodiscard]] Result take(Ticks timeout = forever) const {
        return either::semaphore_take(object_, timeout);
    }
    Result give() const {
        return either::semaphore_give(object_);
    }

  private:
    Object object_;
};

template <typename Object = Handle> class Mutex {
  public:
    explicit constexpr Mutex(Object object) : object_(object) {
    }
    [[nodiscard]] Result lock(Ticks timeout = forever) const {
        return either::mutex_lock(object_, timeout);
    }
    Result unlock() const {
        return either::mutex_unlock(object_);
    }

  private:
    Object object_;
};

// Holds a mutex until the end of its scope, if the mutex could be acquired.
template <typename Object> class [[nodiscard]] Lock {
  public:
    [[nodiscard]] explicit Lock(const Mutex<Object> &mutex, Ticks timeout = forever)
        : mutex_(mutex), result_(mutex.lock(timeout)) {
    }
    ~Lock() {
        if (*this) {
            mutex_.unlock();
        }
    }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;

    // Returns whether the mutex is held. After PEER_LOST it is held; the former holder ended while
    // it held the mutex.
    explicit operator bool() const {
        return result_ == BULKHEAD_OK || result_ == BULKHEAD_PEER_LOST;
    }
    [[nodiscard]] Result result() const {
        return result_;
    }

  private:
    const Mutex<Object> mutex_;
    const Result result_;
};

// A queue of messages, whose size the declaration states. Messages are copied as bytes.
template <typename Message, size_t bytes, typename Object = Handle> class Queue {
    static_assert(sizeof(Message) == bytes, "the declaration has another message_bytes");
    static_assert(alignof(Message) % 4 == 0, "a message begins at a multiple of 4 bytes");
    static_assert(__is_trivially_copyable(Message), "a message is copied as bytes");

  public:
    explicit constexpr Queue(Object object) : object_(object) {
    }
    [[nodiscard]] Result send(const Message &message, Ticks timeout = forever) const {
        return either::queue_send(object_, &message, timeout);
    }
    [[nodiscard]] Result receive(Message &message, Ticks timeout = forever) const {
        return either::queue_receive(object_, &message, timeout);
    }

  private:
    Object object_;
};

template <typename Object = Handle> class Flags {
  public:
    explicit constexpr Flags(Object object) : object_(object) {
    }
    Result set(uint32_t bits) const {
        return either::flags_set(object_, bits);
    }
    Result clear(uint32_t bits) const {
        return either::flags_clear(object_, bits);
    }
    [[nodiscard]] Result wait_any(uint32_t &bits, Ticks timeout = forever) const {
        return either::flags_wait_any(object_, &bits, timeout);
    }
    [[nodiscard]] Result wait_all(uint32_t &bits, Ticks timeout = forever) const {
        return either::flags_wait_all(object_, &bits, timeout);
    }
    [[nodiscard]] Result take_any(uint32_t &bits, Ticks timeout = forever) const {
        return either::flags_take_any(object_, &bits, timeout);
    }
    [[nodiscard]] Result take_all(uint32_t &bits, Ticks timeout = forever) const {
        return either::flags_take_all(object_, &bits, timeout);
    }

  private:
    Object object_;
};

// A pool of blocks, each with room for a `Block`. The constructor of `Block` is not called.
template <typename Block, size_t bytes, typename Object = Handle> class Pool {
    static_assert(sizeof(Block) <= bytes, "the declaration has smaller block_bytes");
    static_assert(alignof(Block) <= 8, "blocks begin at multiples of 8 bytes");

  public:
    explicit constexpr Pool(Object object) : object_(object) {
    }
    [[nodiscard]] Result allocate(Block *&block, Ticks timeout = forever) const {
        void *found;
        const Result result = either::pool_allocate(object_, &found, timeout);
        block = static_cast<Block *>(found);
        return result;
    }
    Result free(Block *block) const {
        return either::pool_free(object_, static_cast<void *>(block));
    }

  private:
    Object object_;
};

// --- Calls into another process ------------------------------------------------------------------

struct Words {
    uint32_t word[4];
};

// Memory that a call lends to its server, and the accesses that the server may make.
struct Lent {
    const void *memory;
    uint32_t bytes, access;

    static constexpr Lent to_read(const void *memory, uint32_t bytes) {
        return {memory, bytes, BULKHEAD_LEND_READ};
    }
    static constexpr Lent to_write(void *memory, uint32_t bytes) {
        return {memory, bytes, BULKHEAD_LEND_WRITE};
    }
    static constexpr Lent to_change(void *memory, uint32_t bytes) {
        return {memory, bytes, BULKHEAD_LEND_READ | BULKHEAD_LEND_WRITE};
    }
};

class Gate {
  public:
    explicit constexpr Gate(Handle handle) : handle_(handle) {
    }
    [[nodiscard]] Result call(Words &words, Ticks timeout = forever) const {
        return bulkhead_gate_call(handle_, words.word, timeout);
    }
    [[nodiscard]] Result receive(Words &words, uint32_t &caller, Ticks timeout = forever) const {
        return bulkhead_gate_receive(handle_, words.word, &caller, timeout);
    }
    [[nodiscard]] Result call_lending(Words &words, Lent lent, Ticks timeout = forever) const {
        return bulkhead_gate_call_lending(handle_, words.word, lent.memory, lent.bytes, lent.access,
                                          timeout);
    }
    [[nodiscard]] Result lease_read(uint32_t offset, void *to, uint32_t bytes) const {
        return bulkhead_lease_read(handle_, offset, to, bytes);
    }
    [[nodiscard]] Result lease_write(uint32_t offset, const void *from, uint32_t bytes) const {
        return bulkhead_lease_write(handle_, offset, from, bytes);
    }

  private:
    Handle handle_;
};

// --- Time, interrupts, threads, processes --------------------------------------------------------

class Timer {
  public:
    explicit constexpr Timer(Handle handle) : handle_(handle) {
    }
    Result start(Ticks first, Ticks period = 0) const {
        return bulkhead_timer_start(handle_, first, period);
    }
    Result stop() const {
        return bulkhead_timer_stop(handle_);
    }

  private:
    Handle handle_;
};

class Interrupt {
  public:
    explicit constexpr Interrupt(Handle handle) : handle_(handle) {
    }
    Result pend() const {
        return bulkhead_interrupt_pend(handle_);
    }
    Result acknowledge() const {
        return bulkhead_interrupt_acknowledge(handle_);
    }
    [[nodiscard]] Result wait(Ticks timeout = forever) const {
        return bulkhead_interrupt_wait(handle_, timeout);
    }

  private:
    Handle handle_;
};

class Thread {
  public:
    explicit constexpr Thread(Handle handle) : handle_(handle) {
    }
    Result notify() const {
        return bulkhead_notify(handle_);
    }
    Result resume() const {
        return bulkhead_resume(handle_);
    }
    Result suspend() const {
        return bulkhead_suspend(handle_);
    }
    Result start() const {
        return bulkhead_start_thread(handle_);
    }
    Result set_priority(uint32_t priority) const {
        return bulkhead_set_priority(handle_, priority);
    }
    [[nodiscard]] Result join(Ticks timeout = forever) const {
        return bulkhead_join(handle_, timeout);
    }

  private:
    Handle handle_;
};

class Process {
  public:
    explicit constexpr Process(Handle handle) : handle_(handle) {
    }
    [[nodiscard]] Result read_fault(bulkhead_fault &fault) const {
        return bulkhead_fault_read(handle_, &fault);
    }
    Result restart() const {
        return bulkhead_process_restart(handle_);
    }
    Result end() const {
        return bulkhead_process_end(handle_);
    }
    [[nodiscard]] bool is_ended() const {
        return bulkhead_process_is_ended(handle_) == BULKHEAD_OK;
    }

  private:
    Handle handle_;
};

class Record {
  public:
    explicit constexpr Record(Handle handle) : handle_(handle) {
    }
    [[nodiscard]] Result read(uint32_t age, bulkhead_record_entry &entry) const {
        return bulkhead_record_read(handle_, age, &entry);
    }
    Result reset(uint32_t reason) const {
        return bulkhead_record_reset(handle_, reason);
    }

  private:
    Handle handle_;
};

class Measured {
  public:
    explicit constexpr Measured(Handle handle) : handle_(handle) {
    }
    [[nodiscard]] Result stack_left(uint32_t &bytes) const {
        return bulkhead_measured_stack_left(handle_, &bytes);
    }
    [[nodiscard]] Result time(uint64_t &counts) const {
        return bulkhead_measured_time(handle_, &counts);
    }

  private:
    Handle handle_;
};

// --- Logs ----------------------------------------------------------------------------------------

// The log of a process. BULKHEAD_LOG(objects::log_control, "late by %u ticks", late) writes an
// entry as in C. In addition, the compiler checks that there are as many values as conversions in
// the text, and that each value has at most 32 bits.
class Log {
  public:
    explicit constexpr Log(const bulkhead_log *log) : log_(log) {
    }
    constexpr operator const bulkhead_log *() const {
        return log_;
    }

  private:
    const bulkhead_log *log_;
};

namespace entry {
constexpr uint32_t word(int value) {
    return static_cast<uint32_t>(value);
}
constexpr uint32_t word(unsigned value) {
    return value;
}
constexpr uint32_t word(long value) {
    return static_cast<uint32_t>(value);
}
constexpr uint32_t word(unsigned long value) {
    return value;
}
void word(long long) = delete;
void word(unsigned long long) = delete;
void word(double) = delete;

constexpr unsigned conversions(const char *text) {
    unsigned found = 0;
    while (*text != '\0') {
        const bool is_mark = *text++ == '%';
        found += is_mark && *text != '%';
        text += is_mark && *text != '\0';
    }
    return found;
}

template <unsigned wanted, typename... Values>
BULKHEAD_INLINE void write(const bulkhead_log *log, const char *text, const char *,
                           Values... values) {
    static_assert(sizeof...(Values) == wanted,
                  "the number of values differs from that of the conversions (%) in the text");
    static_assert(wanted <= 4, "an entry of a log has at most four values");
    const uint32_t words[4] = {word(values)...};
    bulkhead_log_write(log, text, words[0], words[1], words[2], words[3]);
}
} // namespace entry

#undef BULKHEAD_LOG
#define BULKHEAD_LOG(log, ...)                                                              \
    do {                                                                                    \
        static const char bulkhead_text[] __attribute__((section(".bulkhead.log"), used)) = \
            BULKHEAD_LOG_TEXT(__VA_ARGS__, );                                               \
        ::bulkhead::entry::write<::bulkhead::entry::conversions(                            \
            BULKHEAD_LOG_TEXT(__VA_ARGS__, ))>((log), bulkhead_text, __VA_ARGS__);          \
    } while (0)
#define BULKHEAD_LOG_TEXT(text, ...) text

// The calling thread.
namespace self {
BULKHEAD_INLINE void yield() {
    bulkhead_yield();
}
[[noreturn]] BULKHEAD_INLINE void exit() {
    bulkhead_exit();
}
BULKHEAD_INLINE Result delay(Ticks ticks) {
    return bulkhead_delay(ticks);
}
[[nodiscard]] BULKHEAD_INLINE Result delay_until(Ticks tick) {
    return bulkhead_delay_until(tick);
}
[[nodiscard]] BULKHEAD_INLINE Result notification_wait(Ticks timeout = forever) {
    return bulkhead_notification_wait(timeout);
}
} // namespace self

// The state of a thread that runs once in each period. The first release is one period from now.
class Period {
  public:
    explicit Period(Ticks period) : period_{bulkhead_ticks(), period, 0} {
    }
    [[nodiscard]] Result wait() {
        return bulkhead_period_wait(&period_);
    }
    [[nodiscard]] uint32_t overruns() const {
        return period_.overruns;
    }

  private:
    bulkhead_period period_;
};

} // namespace bulkhead

#undef BULKHEAD_BOTH

#endif
