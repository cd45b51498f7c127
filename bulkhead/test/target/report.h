// SPDX-License-Identifier: MIT
//
// The output of a test. Lines are written by semihosting.
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdint.h>

// Ends the run with status 1 and the line if `condition` is false.
void require(bool condition, const char *line);

_Noreturn void succeed(void);

void say(const char *text);
void say_number(uint32_t number);

#endif
