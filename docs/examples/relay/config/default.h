// SPDX-License-Identifier: MIT
//
// Relay as it comes: there is nothing to switch off.
#ifndef RELAY_CONFIG_DEFAULT_H
#define RELAY_CONFIG_DEFAULT_H

#define RELAY_TASKS 64

#endif
