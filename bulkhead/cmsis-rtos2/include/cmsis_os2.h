// SPDX-License-Identifier: MIT
//
// The names of CMSIS-RTOS2, the interface that Arm publishes for real-time kernels, in version
// 2.1.3: its types, constants and functions, as its documentation lists them. A project that has
// Arm's own cmsis_os2.h uses that one, by an earlier folder of headers: the library is compiled
// with the header that it finds first, and does not depend on which one that is.
//
// docs/how-to/use-cmsis-rtos2.md says which functions Bulkhead restricts, and how.
#ifndef CMSIS_OS2_H_
#define CMSIS_OS2_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __NO_RETURN
#define __NO_RETURN __attribute__((__noreturn__))
#endif

// --- Results -------------------------------------------------------------------------------------

typedef enum {
    osOK = 0,
    osError = -1,
    osErrorTimeout = -2,
    osErrorResource = -3,
    osErrorParameter = -4,
    osErrorNoMemory = -5,
    osErrorISR = -6,
    // Makes the enumeration 32 bits wide; the other members of this name do the same.
    osStatusReserved = 0x7fffffff
} osStatus_t;

// Errors of functions that otherwise return flags: bit 31 is never a flag.
#define osFlagsError 0x80000000U
#define osFlagsErrorUnknown 0xffffffffU
#define osFlagsErrorTimeout 0xfffffffeU
#define osFlagsErrorResource 0xfffffffdU
#define osFlagsErrorParameter 0xfffffffcU
#define osFlagsErrorISR 0xfffffffaU

#define osWaitForever 0xffffffffU

// --- The kernel ----------------------------------------------------------------------------------

// Versions are decimal numbers: two digits for major, three for minor, and four for patch.
typedef struct {
    uint32_t api;
    uint32_t kernel;
} osVersion_t;

typedef enum {
    osKernelInactive = 0,
    osKernelReady = 1,
    osKernelRunning = 2,
    osKernelLocked = 3,
    osKernelSuspended = 4,
    osKernelError = -1,
    osKernelReserved = 0x7fffffff
} osKernelState_t;

osStatus_t osKernelInitialize(void);
osStatus_t osKernelGetInfo(osVersion_t *version, char *id_buf, uint32_t id_size);
osKernelState_t osKernelGetState(void);
osStatus_t osKernelStart(void);
int32_t osKernelLock(void);
int32_t osKernelUnlock(void);
int32_t osKernelRestoreLock(int32_t lock);
uint32_t osKernelSuspend(void);
void osKernelResume(uint32_t sleep_ticks);
uint32_t osKernelGetTickCount(void);
uint32_t osKernelGetTickFreq(void);
uint32_t osKernelGetSysTimerCount(void);
uint32_t osKernelGetSysTimerFreq(void);

// --- Threads -------------------------------------------------------------------------------------

typedef void *osThreadId_t;
typedef void (*osThreadFunc_t)(void *argument);

typedef enum {
    osThreadInactive = 0,
    osThreadReady = 1,
    osThreadRunning = 2,
    osThreadBlocked = 3,
    osThreadTerminated = 4,
    osThreadError = -1,
    osThreadReserved = 0x7fffffff
} osThreadState_t;

// Each of the six classes has eight priorities.
typedef enum {
    osPriorityNone = 0,
    osPriorityIdle = 1,
    osPriorityLow = 8,
    osPriorityLow1,
    osPriorityLow2,
    osPriorityLow3,
    osPriorityLow4,
    osPriorityLow5,
    osPriorityLow6,
    osPriorityLow7,
    osPriorityBelowNormal = 16,
    osPriorityBelowNormal1,
    osPriorityBelowNormal2,
    osPriorityBelowNormal3,
    osPriorityBelowNormal4,
    osPriorityBelowNormal5,
    osPriorityBelowNormal6,
    osPriorityBelowNormal7,
    osPriorityNormal = 24,
    osPriorityNormal1,
    osPriorityNormal2,
    osPriorityNormal3,
    osPriorityNormal4,
    osPriorityNormal5,
    osPriorityNormal6,
    osPriorityNormal7,
    osPriorityAboveNormal = 32,
    osPriorityAboveNormal1,
    osPriorityAboveNormal2,
    osPriorityAboveNormal3,
    osPriorityAboveNormal4,
    osPriorityAboveNormal5,
    osPriorityAboveNormal6,
    osPriorityAboveNormal7,
    osPriorityHigh = 40,
    osPriorityHigh1,
    osPriorityHigh2,
    osPriorityHigh3,
    osPriorityHigh4,
    osPriorityHigh5,
    osPriorityHigh6,
    osPriorityHigh7,
    osPriorityRealtime = 48,
    osPriorityRealtime1,
    osPriorityRealtime2,
    osPriorityRealtime3,
    osPriorityRealtime4,
    osPriorityRealtime5,
    osPriorityRealtime6,
    osPriorityRealtime7,
    osPriorityISR = 56,
    osPriorityError = -1,
    osPriorityReserved = 0x7fffffff
} osPriority_t;

// Bits of osThreadAttr_t.attr_bits.
#define osThreadDetached 0x00000000U
#define osThreadJoinable 0x00000001U

#ifndef TZ_MODULEID_T
#define TZ_MODULEID_T
typedef uint32_t TZ_ModuleId_t;
#endif

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *stack_mem;
    uint32_t stack_size;
    osPriority_t priority;
    TZ_ModuleId_t tz_module;
    uint32_t reserved;
} osThreadAttr_t;

osThreadId_t osThreadNew(osThreadFunc_t func, void *argument, const osThreadAttr_t *attr);
const char *osThreadGetName(osThreadId_t thread_id);
osThreadId_t osThreadGetId(void);
osThreadState_t osThreadGetState(osThreadId_t thread_id);
uint32_t osThreadGetStackSize(osThreadId_t thread_id);
uint32_t osThreadGetStackSpace(osThreadId_t thread_id);
osStatus_t osThreadSetPriority(osThreadId_t thread_id, osPriority_t priority);
osPriority_t osThreadGetPriority(osThreadId_t thread_id);
osStatus_t osThreadYield(void);
osStatus_t osThreadSuspend(osThreadId_t thread_id);
osStatus_t osThreadResume(osThreadId_t thread_id);
osStatus_t osThreadDetach(osThreadId_t thread_id);
osStatus_t osThreadJoin(osThreadId_t thread_id);
__NO_RETURN void osThreadExit(void);
osStatus_t osThreadTerminate(osThreadId_t thread_id);
uint32_t osThreadGetCount(void);
uint32_t osThreadEnumerate(osThreadId_t *thread_array, uint32_t array_items);

// --- Flags of threads, and delays ----------------------------------------------------------------

// Bits of the argument `options`.
#define osFlagsWaitAny 0x00000000U
#define osFlagsWaitAll 0x00000001U
#define osFlagsNoClear 0x00000002U

uint32_t osThreadFlagsSet(osThreadId_t thread_id, uint32_t flags);
uint32_t osThreadFlagsClear(uint32_t flags);
uint32_t osThreadFlagsGet(void);
uint32_t osThreadFlagsWait(uint32_t flags, uint32_t options, uint32_t timeout);

osStatus_t osDelay(uint32_t ticks);
osStatus_t osDelayUntil(uint32_t ticks);

// --- Timers --------------------------------------------------------------------------------------

typedef void *osTimerId_t;
typedef void (*osTimerFunc_t)(void *argument);

typedef enum { osTimerOnce = 0, osTimerPeriodic = 1 } osTimerType_t;

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
} osTimerAttr_t;

osTimerId_t osTimerNew(osTimerFunc_t func, osTimerType_t type, void *argument,
                       const osTimerAttr_t *attr);
const char *osTimerGetName(osTimerId_t timer_id);
osStatus_t osTimerStart(osTimerId_t timer_id, uint32_t ticks);
osStatus_t osTimerStop(osTimerId_t timer_id);
uint32_t osTimerIsRunning(osTimerId_t timer_id);
osStatus_t osTimerDelete(osTimerId_t timer_id);

// --- Event flags ---------------------------------------------------------------------------------

typedef void *osEventFlagsId_t;

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
} osEventFlagsAttr_t;

osEventFlagsId_t osEventFlagsNew(const osEventFlagsAttr_t *attr);
const char *osEventFlagsGetName(osEventFlagsId_t ef_id);
uint32_t osEventFlagsSet(osEventFlagsId_t ef_id, uint32_t flags);
uint32_t osEventFlagsClear(osEventFlagsId_t ef_id, uint32_t flags);
uint32_t osEventFlagsGet(osEventFlagsId_t ef_id);
uint32_t osEventFlagsWait(osEventFlagsId_t ef_id, uint32_t flags, uint32_t options,
                          uint32_t timeout);
osStatus_t osEventFlagsDelete(osEventFlagsId_t ef_id);

// --- Mutexes -------------------------------------------------------------------------------------

typedef void *osMutexId_t;

// Bits of osMutexAttr_t.attr_bits.
#define osMutexRecursive 0x00000001U
#define osMutexPrioInherit 0x00000002U
#define osMutexRobust 0x00000008U

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
} osMutexAttr_t;

osMutexId_t osMutexNew(const osMutexAttr_t *attr);
const char *osMutexGetName(osMutexId_t mutex_id);
osStatus_t osMutexAcquire(osMutexId_t mutex_id, uint32_t timeout);
osStatus_t osMutexRelease(osMutexId_t mutex_id);
osThreadId_t osMutexGetOwner(osMutexId_t mutex_id);
osStatus_t osMutexDelete(osMutexId_t mutex_id);

// --- Semaphores ----------------------------------------------------------------------------------

typedef void *osSemaphoreId_t;

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
} osSemaphoreAttr_t;

osSemaphoreId_t osSemaphoreNew(uint32_t max_count, uint32_t initial_count,
                               const osSemaphoreAttr_t *attr);
const char *osSemaphoreGetName(osSemaphoreId_t semaphore_id);
osStatus_t osSemaphoreAcquire(osSemaphoreId_t semaphore_id, uint32_t timeout);
osStatus_t osSemaphoreRelease(osSemaphoreId_t semaphore_id);
uint32_t osSemaphoreGetCount(osSemaphoreId_t semaphore_id);
osStatus_t osSemaphoreDelete(osSemaphoreId_t semaphore_id);

// --- Memory pools --------------------------------------------------------------------------------

typedef void *osMemoryPoolId_t;

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *mp_mem;
    uint32_t mp_size;
} osMemoryPoolAttr_t;

osMemoryPoolId_t osMemoryPoolNew(uint32_t block_count, uint32_t block_size,
                                 const osMemoryPoolAttr_t *attr);
const char *osMemoryPoolGetName(osMemoryPoolId_t mp_id);
void *osMemoryPoolAlloc(osMemoryPoolId_t mp_id, uint32_t timeout);
osStatus_t osMemoryPoolFree(osMemoryPoolId_t mp_id, void *block);
uint32_t osMemoryPoolGetCapacity(osMemoryPoolId_t mp_id);
uint32_t osMemoryPoolGetBlockSize(osMemoryPoolId_t mp_id);
uint32_t osMemoryPoolGetCount(osMemoryPoolId_t mp_id);
uint32_t osMemoryPoolGetSpace(osMemoryPoolId_t mp_id);
osStatus_t osMemoryPoolDelete(osMemoryPoolId_t mp_id);

// --- Message queues ------------------------------------------------------------------------------

typedef void *osMessageQueueId_t;

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *mq_mem;
    uint32_t mq_size;
} osMessageQueueAttr_t;

osMessageQueueId_t osMessageQueueNew(uint32_t msg_count, uint32_t msg_size,
                                     const osMessageQueueAttr_t *attr);
const char *osMessageQueueGetName(osMessageQueueId_t mq_id);
osStatus_t osMessageQueuePut(osMessageQueueId_t mq_id, const void *msg_ptr, uint8_t msg_prio,
                             uint32_t timeout);
osStatus_t osMessageQueueGet(osMessageQueueId_t mq_id, void *msg_ptr, uint8_t *msg_prio,
                             uint32_t timeout);
uint32_t osMessageQueueGetCapacity(osMessageQueueId_t mq_id);
uint32_t osMessageQueueGetMsgSize(osMessageQueueId_t mq_id);
uint32_t osMessageQueueGetCount(osMessageQueueId_t mq_id);
uint32_t osMessageQueueGetSpace(osMessageQueueId_t mq_id);
osStatus_t osMessageQueueReset(osMessageQueueId_t mq_id);
osStatus_t osMessageQueueDelete(osMessageQueueId_t mq_id);

#ifdef __cplusplus
}
#endif

#endif
