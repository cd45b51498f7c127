// SPDX-License-Identifier: MIT
//
// Relay has no options; only the number of tasks is chosen here.
#ifndef RELAY_CONFIG_DEFAULT_H
#define RELAY_CONFIG_DEFAULT_H

#define RELAY_TASKS 64

#endif
