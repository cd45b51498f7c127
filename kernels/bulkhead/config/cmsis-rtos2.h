// SPDX-License-Identifier: MIT
//
// The configuration `default`, except that the scenario uses the services by the functions of
// CMSIS-RTOS2 (bulkhead/cmsis-rtos2). The difference to `default` is what that interface costs.
#ifndef BULKHEAD_CONFIG_CMSIS_RTOS2_H
#define BULKHEAD_CONFIG_CMSIS_RTOS2_H

#endif
