// SPDX-License-Identifier: MIT
//! FreeRTOS-in-Rust for callers in C: each function calls the function of the same name in the
//! crate's `kernel` module, which the optimiser inlines. `include/FreeRTOS.h` declares them.
#![no_std]
#![allow(non_snake_case)]

use core::cell::UnsafeCell;
use core::ffi::{c_char, c_void};
use freertos_in_rust::kernel::{event_groups, queue, stream_buffer, tasks};
use freertos_in_rust::memory::{self, FreeRtosAllocator, HeapRegion};
use freertos_in_rust::port;
use freertos_in_rust::{configMAX_SYSCALL_INTERRUPT_PRIORITY, TaskFunction_t};

type Base = i32;
type Handle = *mut c_void;
type Ticks = u32;

extern "C" {
    fn bench_fail(reason: *const c_char) -> !;
}

/// Ends the run. An assertion of the kernel panics, too.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { bench_fail(c"the kernel panicked".as_ptr()) }
}

// --- Memory --------------------------------------------------------------------------------------

/// The memory of the kernel's allocator: as much as the configuration of FreeRTOS in C has.
const HEAP_BYTES: usize = 96 * 1024;

#[repr(align(8))]
struct Heap(UnsafeCell<[u8; HEAP_BYTES]>);

// SAFETY: only the kernel's allocator uses the memory, in critical sections.
unsafe impl Sync for Heap {}

#[link_section = ".noinit.heap"]
static HEAP: Heap = Heap(UnsafeCell::new([0; HEAP_BYTES]));

#[global_allocator]
static ALLOCATOR: FreeRtosAllocator = FreeRtosAllocator;

/// Gives the allocator its memory. Called before anything else.
#[no_mangle]
extern "C" fn vPortDefineHeap() {
    let region = HeapRegion::new(HEAP.0.get().cast(), HEAP_BYTES);
    let end = HeapRegion::new(core::ptr::null_mut(), 0);
    unsafe { memory::vPortDefineHeapRegions(&[region, end]) }
}

/// The highest priority, as the NVIC counts, of an interrupt that may call the kernel.
#[no_mangle]
static ulMaxSyscallInterruptPriority: u32 = configMAX_SYSCALL_INTERRUPT_PRIORITY;

// --- Functions of the kernel ---------------------------------------------------------------------

/// Exports functions of the kernel to C: `module::name(arguments) -> result`.
macro_rules! export {
    ($($module:ident::$name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        $(
            #[no_mangle]
            unsafe extern "C" fn $name($($argument: $kind),*) $(-> $result)? {
                #[allow(unused_unsafe)]
                unsafe { $module::$name($($argument),*) }
            }
        )*
    };
}

export! {
    memory::pvPortMalloc(bytes: usize) -> *mut c_void;
    memory::vPortFree(block: *mut c_void);

    port::portYIELD();
    port::portYIELD_FROM_ISR(switch: Base);
    tasks::vTaskStartScheduler();
    tasks::vTaskDelete(task: Handle);
    tasks::vTaskSuspend(task: Handle);
    tasks::vTaskResume(task: Handle);
    tasks::xTaskResumeFromISR(task: Handle) -> Base;
    tasks::vTaskDelay(ticks: Ticks);
    tasks::xTaskDelayUntil(wake: *mut Ticks, increment: Ticks) -> Base;
    tasks::xTaskGetCurrentTaskHandle() -> Handle;
    tasks::xTaskGetTickCount() -> Ticks;
    tasks::xTaskNotifyGive(task: Handle) -> Base;
    tasks::vTaskNotifyGiveFromISR(task: Handle, woken: *mut Base);
    tasks::ulTaskNotifyTake(clear: Base, ticks: Ticks) -> u32;
    tasks::xTaskCreate(
        code: TaskFunction_t, name: *const u8, words: usize, argument: *mut c_void, priority: u32,
        task: *mut Handle
    ) -> Base;

    queue::xQueueGenericCreate(length: u32, bytes: u32, kind: u8) -> queue::QueueHandle_t;
    queue::xQueueCreateMutex(kind: u8) -> queue::QueueHandle_t;
    queue::xQueueCreateCountingSemaphore(maximum: u32, initial: u32) -> queue::QueueHandle_t;
    queue::xQueueGenericSend(
        queue: queue::QueueHandle_t, item: *const c_void, ticks: Ticks, position: Base
    ) -> Base;
    queue::xQueueReceive(queue: queue::QueueHandle_t, item: *mut c_void, ticks: Ticks) -> Base;
    queue::xQueueSemaphoreTake(queue: queue::QueueHandle_t, ticks: Ticks) -> Base;
    queue::xQueueGiveFromISR(queue: queue::QueueHandle_t, woken: *mut Base) -> Base;

    event_groups::xEventGroupCreate() -> Handle;
    event_groups::xEventGroupSetBits(group: Handle, bits: u32) -> u32;
    event_groups::xEventGroupWaitBits(
        group: Handle, bits: u32, clear: Base, all: Base, ticks: Ticks
    ) -> u32;

    stream_buffer::xMessageBufferCreate(bytes: usize) -> Handle;
    stream_buffer::xMessageBufferSend(
        buffer: Handle, data: *const c_void, bytes: usize, ticks: Ticks
    ) -> usize;
    stream_buffer::xMessageBufferReceive(
        buffer: Handle, data: *mut c_void, bytes: usize, ticks: Ticks
    ) -> usize;
}
