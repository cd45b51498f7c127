// SPDX-License-Identifier: MIT
//
// Waiters in order of priority, in the order in which they came among equals.
#ifndef FERRY_CONFIG_PRIORITY_ORDER_H
#define FERRY_CONFIG_PRIORITY_ORDER_H

#define FERRY_WAITERS_BY_PRIORITY 1

#endif
