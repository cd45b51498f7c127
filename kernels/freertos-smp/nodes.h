// SPDX-License-Identifier: MIT
//
// The variant of kernels/freertos/nodes.h for several cores: a node is a core, and every task is
// bound to the core of its node. A stack in a core's own memory can be prepared by that core only,
// so a task of each core, which has the highest priority, creates the core's tasks and ends.
#ifndef FREERTOS_PORT_NODES_H
#define FREERTOS_PORT_NODES_H

#include <bench/interrupt_lines.h>
#include <bench/port.h>
#include <freertos_api.h>

#include "smp.h"

enum { NODES_SEMAPHORES = 16 };

#define NODES_START_PRIORITY (configMAX_PRIORITIES - 1)

static inline bool nodes_is_here(const struct bench_task_declaration *declared) {
    return declared->node == (uint32_t)portGET_CORE_ID();
}

// Each core enables its own interrupts here; the port enables those of core 0 only.
static void nodes_create_here(void *create_tasks) {
    for (uint32_t i = 0; i < bench_scenario.interrupt_count; i++) {
        arch_interrupt_enable(bench_interrupt_line_of(i));
    }
    ((void (*)(void))create_tasks)();
    vTaskDelete(NULL);
}

void several_create(void); // several.c

static inline void nodes_create(void (*create_tasks)(void)) {
    several_create();
    for (uint32_t core = 0; core < smp_cores(); core++) {
        const BaseType_t created =
            xTaskCreateAffinitySet(nodes_create_here, "start", 2 * configMINIMAL_STACK_SIZE,
                                   (void *)create_tasks, NODES_START_PRIORITY, 1u << core, NULL);
        BENCH_REQUIRE(created == pdPASS, "port: no memory for the start of a core");
    }
}

#endif
