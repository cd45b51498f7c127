// SPDX-License-Identifier: MIT
//
// Bulkhead for applications. This header includes all others that an application needs, except
// <handles.h>. calls.h has the calls; docs/reference/bulkhead-calls.md also has their rights and
// costs.
//
// A handle is a constant that stands for a declared object (<handles.h>). Each process has rights
// to some objects. A call to an object to which the process has no right, or of a method that its
// right does not include, does nothing and returns BULKHEAD_DENIED. result.h defines the other
// results.
//
// A call has the same name for an object in the kernel and for an object that the declaration makes
// `local` to one process. The name of a local object in <handles.h> is its address, and the type
// selects the functions of local.h, which make no system call while no thread waits or has to wait.
//
// Times are in ticks. A call with a timeout returns at once with BULKHEAD_NO_WAIT, and waits
// without limit with BULKHEAD_FOREVER. Any other time of 2^31 ticks or more counts as
// BULKHEAD_FOREVER, because it could not be told from the past.
//
// Only threads make calls; an application has no interrupt handlers.
#ifndef BULKHEAD_BULKHEAD_H
#define BULKHEAD_BULKHEAD_H

#include <bulkhead/methods.h>
#include <bulkhead/result.h>
#include <bulkhead/svc.h>
#include <stddef.h>
#include <stdint.h>

#define BULKHEAD_NO_WAIT 0u
#define BULKHEAD_FOREVER UINT32_MAX

// Selects `local` for the address of a local object and `kernel` for a handle.
#define BULKHEAD_CHOOSE(object, type, local, kernel) \
    _Generic((object), type *: local, default: kernel)

// The page of the kernel that every process may read. The linker script defines its address.
struct bulkhead_page {
    uint32_t self;  // identity of the running thread
    uint32_t ticks; // ticks since the kernel started; the number wraps
};

extern const volatile struct bulkhead_page bulkhead_page;

// Returns the ticks since the kernel started; the number wraps. Makes no system call.
static inline uint32_t bulkhead_ticks(void) {
    return bulkhead_page.ticks;
}

// The side of a queue for which bulkhead_local_queue_await waits.
enum { BULKHEAD_QUEUE_SENDS, BULKHEAD_QUEUE_RECEIVES };

// The access of a server to the memory that its client lends with bulkhead_gate_call_lending.
enum { BULKHEAD_LEND_READ = 1, BULKHEAD_LEND_WRITE = 2 };

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" // for BULKHEAD_MUST_USE

#include <bulkhead/calls.h>

// --- Periodic threads ----------------------------------------------------------------------------

// The state of a thread that runs once in each period. Initialise `release`, the tick of the last
// release, with bulkhead_page.ticks.
struct bulkhead_period {
    uint32_t release; // tick of the latest release
    uint32_t period_ticks;
    uint32_t overruns; // releases that came while the thread was still running
};

// Sleeps until the next release of a periodic thread. If the release has passed, counts an overrun
// and returns TIMED_OUT at once; later releases stay at multiples of the period.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_period_wait(struct bulkhead_period *period) {
    period->release += period->period_ticks;
    const enum bulkhead_result result = bulkhead_delay_until(period->release);
    period->overruns += result != BULKHEAD_OK;
    return result;
}

#include <bulkhead/fault.h>
#include <bulkhead/local.h>
#include <bulkhead/record.h>

#pragma GCC diagnostic pop

#endif
