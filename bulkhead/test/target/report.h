// SPDX-License-Identifier: MIT
//
// The output of a test. Lines are written by semihosting.
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdint.h>

// If `condition` is false, prints `line` and ends the run with exit status 1.
void require(bool condition, const char *line);

_Noreturn void succeed(void);

void say(const char *text);
void say_number(uint32_t number);

#endif
