// SPDX-License-Identifier: MIT
//
// Thread-Metric's porting interface: its 15 services, as the benchmark's scenarios and ports
// include them.
//
// The build chooses what stands behind them. Plain, they are inlines over bench/port.h, so that a
// call costs what the contract's own call costs. With BENCH_TM_PORT they are the official external
// functions, and whoever has a Thread-Metric port links it unchanged (kernel.toml: interface =
// "thread-metric").
//
// Source of the interface: ThreadX repository, utility/benchmarks/thread_metric.
#ifndef TM_API_H
#define TM_API_H

#define TM_SUCCESS 0
#define TM_ERROR 1

// Seconds between the reports of the official reporter thread, for ports that look at it. Ticklab
// has no reporter: marks count.
#ifndef TM_TEST_DURATION
#define TM_TEST_DURATION 30
#endif

#ifdef BENCH_TM_PORT
#include <thread_metric/tm_external.h>
#else
#include <thread_metric/tm_contract.h>
#endif

#endif
