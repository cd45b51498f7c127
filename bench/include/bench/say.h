// SPDX-License-Identifier: MIT
//
// Writes lines to the console besides the verdict (docs/reference/formats.md, "The console"). Slow:
// a scenario never calls it inside a span.
#ifndef BENCH_SAY_H
#define BENCH_SAY_H

#include <stdint.h>

// Writes one line: `text`, then `value` in 8 hexadecimal digits.
void bench_say_hexadecimal(const char *text, uint32_t value);

#endif
