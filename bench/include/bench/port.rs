// SPDX-License-Identifier: MIT
//
// The porting contract for kernels whose tasks are async functions: bench/port.h in Rust.
//
// Such a task has no stack, so that no function of C can wait in it. A scenario that has an async
// form has a second file, with the name of the first and the suffix `.rs`: the same tasks, marks,
// checks and reasons, written as async functions. Its row in suite.toml is the definition of both.
//
// A kernel's crate includes this file as its module `bench`, has a module `kernel` with what
// follows, and includes the scenario (docs/how-to/port-a-rust-kernel.md). The rules are those of
// bench/port.h: each function is one call of the kernel, in the form that its manual recommends.
//
//   kernel::tasks!         declares the scenario's tasks: `tasks! { name: priority, … }`
//   kernel::interrupt!     declares what interrupt 0 does: `interrupt! { SEMAPHORE.give(); }`
//   kernel::request        requests interrupt 0, which has been taken when the function returns
//   kernel::yield_now      service `yield`
//   kernel::delay, ticks   service `delay`, and the ticks since the start
//   kernel::Semaphore      a type that implements the trait below, with `const fn new()`; likewise
//   kernel::Queue, Mutex, Suspension
//
// A kernel without a service leaves its item out: no scenario that needs the service is built.
use core::cell::UnsafeCell;
use core::ffi::{c_char, CStr};

extern "C" {
    fn bench_fail(reason: *const c_char) -> !;
    fn bench_finish() -> !;
}

/// Service `semaphore`. The type has two parameters: the initial count and the maximum.
#[allow(dead_code)]
pub trait Semaphore: Sync {
    /// Takes one count; waits while there is none.
    async fn take(&self);
    /// Takes one count if there is one, and returns whether it did.
    fn try_take(&self) -> bool;
    /// Adds one count or wakes a waiter; returns whether the kernel took it. Handlers may call it.
    fn give(&self) -> bool;
}

/// Service `queue`. The type has two parameters: the capacity and the words of a message.
#[allow(dead_code)]
pub trait Queue<const WORDS: usize>: Sync {
    async fn send(&self, message: [u32; WORDS]);
    async fn receive(&self) -> [u32; WORDS];
    fn try_send(&self, message: [u32; WORDS]) -> bool;
    fn try_receive(&self) -> Option<[u32; WORDS]>;
}

/// Service `mutex`. The owner unlocks it by dropping the guard.
#[allow(dead_code)]
pub trait Mutex: Sync {
    type Guard<'a>
    where
        Self: 'a;
    async fn lock(&self) -> Self::Guard<'_>;
    fn try_lock(&self) -> Option<Self::Guard<'_>>;
}

/// Services `suspend-self` and `resume` of one task. Only this task calls `suspend`; if it is
/// declared as suspended, it calls `suspend` first.
#[allow(dead_code)]
pub trait Suspension: Sync {
    /// Waits for the next `resume`.
    async fn suspend(&self);
    /// Makes the suspended task ready. Handlers may call it.
    fn resume(&self);
}

/// A variable that tasks and handlers share, as `static volatile uint32_t` in C.
pub struct Shared(UnsafeCell<u32>);

// SAFETY: an access is one instruction, and scenarios share as their C forms do.
unsafe impl Sync for Shared {}

#[allow(dead_code)]
impl Shared {
    pub const fn new(value: u32) -> Self {
        Self(UnsafeCell::new(value))
    }

    #[inline(always)]
    pub fn get(&self) -> u32 {
        // SAFETY: the pointer is that of a variable.
        unsafe { self.0.get().read_volatile() }
    }

    #[inline(always)]
    pub fn set(&self, value: u32) {
        // SAFETY: as in `get`.
        unsafe { self.0.get().write_volatile(value) }
    }

    /// Adds 1.
    #[inline(always)]
    pub fn count(&self) {
        self.set(self.get().wrapping_add(1));
    }
}

/// Ends the run with status `fail`.
#[cold]
#[inline(never)]
pub fn fail(reason: &CStr) -> ! {
    // SAFETY: the text ends with NUL.
    unsafe { bench_fail(reason.as_ptr()) }
}

/// Ends the run of a scenario that ends by itself.
#[allow(dead_code)]
pub fn finish() -> ! {
    // SAFETY: any task may call it.
    unsafe { bench_finish() }
}

/// Fails the run with a reason unless a condition holds.
#[allow(unused_macros)]
macro_rules! require {
    ($condition:expr, $reason:literal) => {
        if !($condition) {
            $crate::bench::fail($reason);
        }
    };
}

/// A mark, as BENCH_MARK in bench/mark.h.
#[allow(unused_macros)]
macro_rules! mark {
    ($name:expr) => {
        // SAFETY: no instruction. The compiler moves no access to memory across it.
        unsafe {
            core::arch::asm!(
                "661:",
                ".pushsection .bench.marks,\"\",%progbits",
                ".balign 4",
                ".word 661b",
                concat!(".asciz \"", $name, "\""),
                ".balign 4",
                ".popsection",
                options(nostack, preserves_flags)
            )
        }
    };
}
