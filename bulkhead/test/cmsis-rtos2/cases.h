// SPDX-License-Identifier: MIT
//
// The test cases, and the functions that they share. Each static function of a case file tests one
// function of CMSIS-RTOS2, or one property of an object.
#ifndef CASES_H
#define CASES_H

#include <cmsis_os2.h>
#include <stdbool.h>

// Unless `holds`, prints the file and the line, and ends the run.
void check_at(bool holds, const char *file, uint32_t line);
#define CHECK(condition) check_at((condition), __FILE_NAME__, __LINE__)

// Creates a thread with this priority, whose function gets no argument.
osThreadId_t start(osThreadFunc_t function, osPriority_t priority);

// Returns after every thread but the caller has ended.
void wait_for_ends(void);

// Memory that is no object, to pass as an invalid identifier.
extern uint32_t no_object[32];

void kernel_cases(void);
void thread_cases(void);
void flags_cases(void);
void mutex_cases(void);
void semaphore_cases(void);
void pool_cases(void);
void queue_cases(void);
void timer_cases(void);

#endif
