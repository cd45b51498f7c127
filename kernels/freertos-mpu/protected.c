// SPDX-License-Identifier: MIT
//
// Creates tasks with memory protection. Tasks are unprivileged. Each has a region for its stack and
// a region for the variables that all tasks share: all variables in the image except the kernel's
// (layout.ld). All tasks are therefore one process. A second set of variables would take one more
// of the kernel's three configurable regions, all of which the kernel writes at every switch in any
// case.
#include "protection.h"

// Defined by layout.ld.
extern uint8_t tasks_data_start[], tasks_data_end[];

enum { MEMORY_BYTES = 128 * 1024 };

// The kernel's heap in privileged memory: task control blocks and objects.
__attribute__((section(".privileged_bss"))) uint8_t ucHeap[configTOTAL_HEAP_SIZE];

// Returns the size of the smallest MPU region that holds `bytes`: a power of two, at least 32. A
// region is aligned to its size.
static size_t region_bytes(size_t bytes) {
    size_t region = 32;
    while (region < bytes) {
        region *= 2;
    }
    return region;
}

// Returns a stack that is a region, or NULL if there is no memory left. The stack is never freed.
static StackType_t *reserve(size_t bytes) {
    __attribute__((section(".stack"), aligned(MEMORY_BYTES))) static uint8_t memory[MEMORY_BYTES];
    static size_t used;
    const size_t start = (used + bytes - 1) & ~(bytes - 1);
    if (start + bytes > sizeof(memory)) {
        return NULL;
    }
    used = start + bytes;
    return (StackType_t *)&memory[start];
}

static MemoryRegion_t shared_data(void) {
    return (MemoryRegion_t){
        .pvBaseAddress = tasks_data_start,
        .ulLengthInBytes = (uint32_t)(tasks_data_end - tasks_data_start),
        .ulParameters = portMPU_REGION_READ_WRITE | portMPU_REGION_EXECUTE_NEVER |
                        portMPU_REGION_CACHEABLE_BUFFERABLE,
    };
}

BaseType_t protection_create_task(const struct bench_task_declaration *declared,
                                  UBaseType_t priority, TaskFunction_t run, TaskHandle_t *task) {
    const size_t stack_bytes =
        region_bytes(configMINIMAL_STACK_SIZE * sizeof(StackType_t) + declared->stack_bytes);
    TaskParameters_t parameters = {
        .pvTaskCode = run,
        .pcName = declared->name,
        .usStackDepth = (configSTACK_DEPTH_TYPE)(stack_bytes / sizeof(StackType_t)),
        .pvParameters = (void *)declared->entry,
        .uxPriority = priority,
        .puxStackBuffer = reserve(stack_bytes),
        .xRegions = {shared_data()},
    };
    return parameters.puxStackBuffer != NULL ? xTaskCreateRestricted(&parameters, task) : pdFAIL;
}

void protection_grant(TaskHandle_t task, void *object) {
    vGrantAccessToKernelObject(task, (int32_t)object);
}
