// SPDX-License-Identifier: MIT
//
// Sets up memory protection: the regions of layout.ld that a task can access, and their
// permissions.
//
// At every switch the kernel writes a task's own regions: its stack, and the variables that all
// tasks share. Two more regions stay empty. The other regions are the same for all tasks and set
// once. The kernel's own data is in no region: tasks cannot access it, and privileged code uses the
// background region.
#include "protection.h"

#include <rt/mpu.h>

// Defined by layout.ld.
extern char code_start[], code_end[];
extern char tasks_data_start[], tasks_data_end[];
extern char readable_start[], readable_end[];

// The architecture's devices (Armv7-M Architecture Reference Manual, DDI 0403E, B3.1).
enum { DEVICES = 0x40000000, DEVICES_BYTES = 0x20000000 };

enum { REGION_CODE, REGION_DEVICES, REGION_READABLE };

static const uint32_t executable = RT_MPU_ATTR_RO | RT_MPU_ATTR_CACHED_WT | RT_MPU_ATTR_ENABLE;
static const uint32_t variables =
    RT_MPU_ATTR_RW | RT_MPU_ATTR_XN | RT_MPU_ATTR_CACHED_WB_RWALLOC | RT_MPU_ATTR_ENABLE;
static const uint32_t readable =
    RT_MPU_ATTR_RW_PRIV_RO | RT_MPU_ATTR_XN | RT_MPU_ATTR_CACHED_WB_RWALLOC | RT_MPU_ATTR_ENABLE;

static size_t length(const char *start, const char *end) {
    return (size_t)(end - start);
}

void protection_confine(struct rt_task *task) {
    const size_t shared = length(tasks_data_start, tasks_data_end);
    RT_MPU_CONFIG_INIT(&task->mpu_config,
                       RT_MPU_REGION(task->stack, task->stack_size, RT_MPU_ATTR_STACK),
                       RT_MPU_REGION(tasks_data_start, shared, variables));
}

void protection_start(void) {
    rt_mpu_region_set(REGION_CODE, (uintptr_t)code_start, length(code_start, code_end), executable);
    rt_mpu_region_set(REGION_DEVICES, DEVICES, DEVICES_BYTES, RT_MPU_ATTR_PERIPHERAL);
    rt_mpu_region_set(REGION_READABLE, (uintptr_t)readable_start,
                      length(readable_start, readable_end), readable);
    rt_mpu_privileged_default_enable();
    rt_mpu_enable();
}
