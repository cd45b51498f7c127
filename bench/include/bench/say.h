// SPDX-License-Identifier: MIT
//
// Lines that a scenario writes to the console besides its verdict (docs/architecture.md, "The
// console"). Slow: never inside a span.
#ifndef BENCH_SAY_H
#define BENCH_SAY_H

#include <stdint.h>

// One line: `text`, then `value` in 8 hexadecimal digits.
void bench_say_hexadecimal(const char *text, uint32_t value);

#endif
