// SPDX-License-Identifier: MIT
//
// The meter: one thread takes a sample in every tick, and another one sends the total in every
// fourth tick. They share the total under a mutex, which is released at the end of a C++ scope.
#include "reading.hpp"
#include <handles.hpp>

namespace {

constexpr bulkhead::Ticks sample_period = 1, report_period = 4;

Reading total;

Reading copy_of_total() {
    const bulkhead::Lock lock(objects::mutex_total);
    return total;
}

} // namespace

extern "C" void sampler_main() {
    bulkhead::Period period(sample_period);
    while (period.wait() == BULKHEAD_OK) {
        const bulkhead::Lock lock(objects::mutex_total);
        total.samples++;
        total.sum += total.samples;
    }
}

extern "C" void reporter_main() {
    bulkhead::Period period(report_period);
    while (period.wait() == BULKHEAD_OK) {
        if (objects::queue_readings<Reading>.send(copy_of_total()) != BULKHEAD_OK) {
            break;
        }
    }
}
