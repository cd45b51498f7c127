// SPDX-License-Identifier: MIT
//
// The options of port.c. The kernel's configuration is in Cargo.toml, as features of the crate, and
// in the crate itself, as constants.
#ifndef FREERTOS_IN_RUST_CONFIG_H
#define FREERTOS_IN_RUST_CONFIG_H

#define configUSE_STREAM_BUFFERS 1
#define configUSE_TIMERS 0
#define configMINIMAL_STACK_SIZE 128

#endif
