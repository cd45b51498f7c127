// SPDX-License-Identifier: MIT
//
// Thread-Metric's porting interface: its 15 services, under the header name that the benchmark's
// scenarios and ports include.
//
// The build chooses the implementation. By default the services are inline functions over
// bench/port.h, so that a call costs the same as the contract's own call. With BENCH_TM_PORT they
// are the official external functions, so that an existing Thread-Metric port links unchanged
// (kernel.toml: interface = "thread-metric").
//
// Source of the interface: ThreadX, utility/benchmarks/thread_metric,
// https://github.com/eclipse-threadx/threadx.
#ifndef TM_API_H
#define TM_API_H

#define TM_SUCCESS 0
#define TM_ERROR 1

// Seconds between the reports of the official reporter thread, for ports that use the constant.
// Ticklab counts with marks and has no reporter thread.
#ifndef TM_TEST_DURATION
#define TM_TEST_DURATION 30
#endif

#ifdef BENCH_TM_PORT
#include <thread_metric/tm_external.h>
#else
#include <thread_metric/tm_contract.h>
#endif

#endif
