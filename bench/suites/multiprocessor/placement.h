// SPDX-License-Identifier: MIT
//
// Parameter `placement`: the node of the measured tasks, or of the first and the second of them.
// Node 0 is the master, which hosts the global memory; the others are slaves.
#ifndef PLACEMENT_H
#define PLACEMENT_H

#include "multiprocessor.h"

enum placement { master, slave, master_slave, slave_master, slave_slave };

enum {
    FIRST_NODE = PARAM_PLACEMENT == master || PARAM_PLACEMENT == master_slave ? 0 : 1,
    SECOND_NODE = PARAM_PLACEMENT == slave_slave                  ? 2
    : PARAM_PLACEMENT == slave || PARAM_PLACEMENT == master_slave ? 1
                                                                  : 0,
};

#endif
