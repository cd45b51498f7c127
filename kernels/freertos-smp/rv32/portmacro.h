// SPDX-License-Identifier: MIT
//
// The definitions that the kernel's sources require of a port for several cores, on the nodes of
// rtl/: types, locks, interrupts, and the request to another core to switch.
//
// The kernel needs two locks that a core may acquire again while it has them. Only the core itself
// reads how often it has acquired a lock, and how deep its critical sections are nested, so these
// counts are in its own memory. The machine: rtl/README.md, "What a node sees".
#ifndef PORTMACRO_H
#define PORTMACRO_H

#include <stddef.h>
#include <stdint.h>

#define portSTACK_TYPE uint32_t
#define portBASE_TYPE int32_t
#define portUBASE_TYPE uint32_t
#define portPOINTER_SIZE_TYPE uint32_t
#define portMAX_DELAY 0xffffffffu

typedef portSTACK_TYPE StackType_t;
typedef portBASE_TYPE BaseType_t;
typedef portUBASE_TYPE UBaseType_t;
typedef uint32_t TickType_t;

#define portTICK_TYPE_IS_ATOMIC 1
#define portSTACK_GROWTH (-1)
#define portTICK_PERIOD_MS ((TickType_t)1000 / configTICK_RATE_HZ)
#define portBYTE_ALIGNMENT 16
#define portNOP() __asm__ volatile("nop")
#define portINLINE inline
#define portFORCE_INLINE inline __attribute__((always_inline))
#define portMEMORY_BARRIER() __asm__ volatile("" ::: "memory")
#define portDONT_DISCARD __attribute__((used))
#define portTASK_FUNCTION_PROTO(function, parameters) void function(void *parameters)
#define portTASK_FUNCTION(function, parameters) void function(void *parameters)

// Places a variable in the memory of each core (layout.ld). All others of the kernel are shared.
#define SMP_OF_CORE __attribute__((section(".smp.core")))

// --- Cores ---------------------------------------------------------------------------------------

#define SMP_RING(core) (*(volatile uint32_t *)(0xb0000004u + 8u * (uint32_t)(core)))
#define SMP_LOCK(number) (*(volatile uint32_t *)(0xa0000000u + 4u * (number)))

static inline BaseType_t smp_core(void) {
    BaseType_t core;
    __asm__("csrr %0, mhartid" : "=r"(core));
    return core;
}

#define portGET_CORE_ID() smp_core()
#define portYIELD() __asm__ volatile("ecall" ::: "memory")
#define portYIELD_CORE(core) (SMP_RING(core) = 1)

// An interrupt's handler switches before it returns.
void vTaskSwitchContext(BaseType_t core);
#define portEND_SWITCHING_ISR(required)            \
    do {                                           \
        if (required) {                            \
            vTaskSwitchContext(portGET_CORE_ID()); \
        }                                          \
    } while (0)
#define portYIELD_FROM_ISR(required) portEND_SWITCHING_ISR(required)

// --- Interrupts ----------------------------------------------------------------------------------

#define SMP_MIE 8u // mstatus.MIE

#define portDISABLE_INTERRUPTS() __asm__ volatile("csrci mstatus, 8" ::: "memory")
#define portENABLE_INTERRUPTS() __asm__ volatile("csrsi mstatus, 8" ::: "memory")

static inline UBaseType_t smp_mask(void) {
    UBaseType_t before;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before)::"memory");
    return before & SMP_MIE;
}

static inline void smp_unmask(UBaseType_t before) {
    __asm__ volatile("csrs mstatus, %0" ::"r"(before) : "memory");
}

#define portSET_INTERRUPT_MASK() smp_mask()
#define portCLEAR_INTERRUPT_MASK(before) smp_unmask(before)
#define portHAS_NESTED_INTERRUPTS 1
#define portSET_INTERRUPT_MASK_FROM_ISR() smp_mask()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(before) smp_unmask(before)

// --- Critical sections ---------------------------------------------------------------------------

enum { SMP_TASK_LOCK, SMP_ISR_LOCK, SMP_LOCKS };

extern UBaseType_t smp_held[SMP_LOCKS], smp_nesting; // of this core

static inline void smp_lock(uint32_t lock) {
    if (smp_held[lock]++ == 0) {
        while (SMP_LOCK(lock) != 0) {
        }
    }
    portMEMORY_BARRIER();
}

static inline void smp_unlock(uint32_t lock) {
    portMEMORY_BARRIER();
    if (--smp_held[lock] == 0) {
        SMP_LOCK(lock) = 0;
    }
}

#define portGET_TASK_LOCK(core) smp_lock(SMP_TASK_LOCK)
#define portRELEASE_TASK_LOCK(core) smp_unlock(SMP_TASK_LOCK)
#define portGET_ISR_LOCK(core) smp_lock(SMP_ISR_LOCK)
#define portRELEASE_ISR_LOCK(core) smp_unlock(SMP_ISR_LOCK)

#define portCRITICAL_NESTING_IN_TCB 0
#define portGET_CRITICAL_NESTING_COUNT(core) (smp_nesting)
#define portSET_CRITICAL_NESTING_COUNT(core, count) (smp_nesting = (count))
#define portINCREMENT_CRITICAL_NESTING_COUNT(core) (smp_nesting++)
#define portDECREMENT_CRITICAL_NESTING_COUNT(core) (smp_nesting--)

void vTaskEnterCritical(void);
void vTaskExitCritical(void);
UBaseType_t vTaskEnterCriticalFromISR(void);
void vTaskExitCriticalFromISR(UBaseType_t before);
#define portENTER_CRITICAL() vTaskEnterCritical()
#define portEXIT_CRITICAL() vTaskExitCritical()
#define portENTER_CRITICAL_FROM_ISR() vTaskEnterCriticalFromISR()
#define portEXIT_CRITICAL_FROM_ISR(before) vTaskExitCriticalFromISR(before)

#endif
