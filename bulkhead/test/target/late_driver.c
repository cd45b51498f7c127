// SPDX-License-Identifier: MIT
//
// See late_driver.h. The device interrupts every DEVICE_PERIOD_CYCLES, so it interrupts the other
// threads at arbitrary instructions.
#include "late_driver.h"
#include "device_wait.h"

volatile uint32_t late_driver_latest_cycles, late_driver_interrupts;

void device_main(void);
void device_main(void) {
    device_start(DEVICE_PERIOD_CYCLES);
    for (;;) {
        const uint32_t late_cycles = device_wait();
        late_driver_interrupts++;
        if (late_cycles > late_driver_latest_cycles) {
            late_driver_latest_cycles = late_cycles;
        }
    }
}
