// SPDX-License-Identifier: MIT
//
// The cases, and how they check. Each function tests one function of CMSIS-RTOS2, or one property
// of an object.
#ifndef CASES_H
#define CASES_H

#include <cmsis_os2.h>
#include <stdbool.h>

// Says which line does not hold, and ends the run.
void check_at(bool holds, const char *file, uint32_t line);
#define CHECK(condition) check_at((condition), __FILE_NAME__, __LINE__)

// Starts a thread of a priority, which has no argument.
osThreadId_t start(osThreadFunc_t function, osPriority_t priority);

// Returns after every thread but the caller has ended.
void wait_for_ends(void);

// Not an object.
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
