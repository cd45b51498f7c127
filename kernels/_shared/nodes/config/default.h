// SPDX-License-Identifier: MIT
//
// The configurations differ in the files that they build (kernel.toml). A board with more than four
// nodes sets their number.
#ifdef BENCH_NODES
#define NODES_MAX BENCH_NODES
#endif
