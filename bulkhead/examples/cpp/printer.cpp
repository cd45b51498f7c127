// SPDX-License-Identifier: MIT
//
// Prints the readings.
#include "reading.hpp"
#include <console.h>
#include <handles.hpp>

extern "C" void printer_main() {
    constexpr uint32_t readings = 3;
    for (uint32_t i = 0; i < readings; i++) {
        Reading reading;
        if (objects::queue_readings<Reading>.receive(reading) == BULKHEAD_OK) {
            console_write("printer: samples ");
            console_write_number(reading.samples);
            console_write(", sum ");
            console_write_number(reading.sum);
            console_write("\n");
        }
    }
    console_end();
}
