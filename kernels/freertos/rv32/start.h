// SPDX-License-Identifier: MIT
//
// What port.c does before anything else; kernels/freertos/armv7-m has the other file of this name.
#ifndef FREERTOS_PORT_START_H
#define FREERTOS_PORT_START_H

void start_vectors(void); // vectors.S

#endif
