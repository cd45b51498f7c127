// SPDX-License-Identifier: MIT
//
// Waiters in the order in which they came: what Ferry's users get.
#ifndef FERRY_CONFIG_DEFAULT_H
#define FERRY_CONFIG_DEFAULT_H

#define FERRY_WAITERS_BY_PRIORITY 0

#endif
