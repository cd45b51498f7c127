// SPDX-License-Identifier: MIT
//
// Shared by the conformance scenarios of ports of Thread-Metric: each proves the obligations of
// some services of thread_metric/tm_external.h, and tests only what every such port must do. A call
// that would have to wait may wait or fail.
#ifndef TM_CONFORMANCE_H
#define TM_CONFORMANCE_H

#include "../conformance.h"
#include <thread_metric/tm_api.h>

#define REQUIRE_SUCCESS(call, reason) BENCH_REQUIRE((call) == TM_SUCCESS, reason)

#endif
