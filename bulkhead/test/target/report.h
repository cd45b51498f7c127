// SPDX-License-Identifier: MIT
//
// What a test says. Lines come out by semihosting.
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdint.h>

// Ends the run with status 1 and the line, unless `condition` holds.
void require(bool condition, const char *line);

_Noreturn void succeed(void);

void say(const char *text);
void say_number(uint32_t number);

#endif
