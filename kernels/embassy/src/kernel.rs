// SPDX-License-Identifier: MIT
//! The contract for async tasks (bench/include/bench/port.rs) on Embassy.
//!
//! A task belongs to the executor of its priority. The lowest declared priority has the executor
//! that runs in thread mode. Each other one has an interrupt executor, whose line has an NVIC
//! priority, so that its tasks pre-empt lower ones. Objects may be used by tasks of every executor
//! and by handlers: their raw mutex is `CriticalSectionRawMutex`.
use core::mem::MaybeUninit;
use core::ptr::addr_of_mut;
use cortex_m::interrupt::InterruptNumber;
use embassy_executor::{Executor, InterruptExecutor, SpawnToken, Spawner};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::mutex::{self, MutexGuard};
use embassy_sync::semaphore::{GreedySemaphore, Semaphore as _};
use embassy_sync::signal::Signal;

use crate::bench;

type Raw = CriticalSectionRawMutex;

// --- Executors -----------------------------------------------------------------------------------

/// A line of the NVIC by its number.
#[derive(Clone, Copy)]
struct Line(u16);

// SAFETY: the lines that software requests are 16 to 31 (arch/interrupt.h).
unsafe impl InterruptNumber for Line {
    fn number(self) -> u16 {
        self.0
    }
}

/// The NVIC line of the scenario's interrupt (line 0 of arch/interrupt.h). The executors have the
/// last four lines that software requests.
const INTERRUPT: Line = Line(16);
const FIRST_EXECUTOR: u16 = 28;
const EXECUTORS: usize = 4;
/// The NVIC priority of the lowest interrupt executor, and the step to the next higher one.
const LOWEST: u8 = 0xE0;
const STEP: u8 = 0x10;

static INTERRUPT_EXECUTORS: [InterruptExecutor; EXECUTORS] =
    [const { InterruptExecutor::new() }; EXECUTORS];

extern "C" {
    /// Defined in start.c.
    fn start_tick();
    fn enable_interrupt();
    fn set_line_priority(line: u32, priority: u8);
}

/// Creates every task, then starts the tick and lets tasks run.
pub fn start(spawn: impl FnOnce(Spawner)) -> ! {
    static mut EXECUTOR: MaybeUninit<Executor> = MaybeUninit::uninit();
    cortex_m::interrupt::disable();
    // SAFETY: the only use of the variable.
    let executor = unsafe { (*addr_of_mut!(EXECUTOR)).write(Executor::new()) };
    executor.run(|spawner| {
        spawn(spawner);
        // SAFETY: called once, before any task runs; no critical section is open.
        unsafe {
            enable_interrupt();
            start_tick();
            cortex_m::interrupt::enable();
        }
    })
}

/// Creates a task in the executor of its priority: the rank of `priority` among those `declared`.
pub fn spawn<S: Send>(spawner: Spawner, declared: &[u8], priority: u8, token: SpawnToken<S>) {
    let lower = |each: &u8| *each > priority && *each <= 31;
    let ranks = (1..=31)
        .filter(|each| declared.contains(each) && lower(each))
        .count();
    match ranks {
        0 => spawner.spawn(token),
        _ if ranks > EXECUTORS => bench::fail(c"port: more priorities than executors"),
        rank => interrupt_executor(rank - 1).spawn(token),
    }
}

/// Returns the spawner of an interrupt executor, which it starts at the first call.
fn interrupt_executor(place: usize) -> embassy_executor::SendSpawner {
    static STARTED: [bench::Shared; EXECUTORS] = [const { bench::Shared::new(0) }; EXECUTORS];
    if STARTED[place].get() != 0 {
        return INTERRUPT_EXECUTORS[place].spawner();
    }
    STARTED[place].set(1);
    let line = FIRST_EXECUTOR + place as u16;
    // SAFETY: the line is not enabled yet.
    unsafe { set_line_priority(line.into(), LOWEST - STEP * place as u8) };
    INTERRUPT_EXECUTORS[place].start(Line(line))
}

/// Defines the handlers of the executors' lines.
macro_rules! executor_handlers {
    ($($name:ident: $place:literal),*) => {
        $(
            #[no_mangle]
            extern "C" fn $name() {
                // SAFETY: the handler of the line of this executor, which enabled the line.
                unsafe { INTERRUPT_EXECUTORS[$place].on_interrupt() }
            }
        )*
    };
}

executor_handlers! {
    Interrupt12_Handler: 0, Interrupt13_Handler: 1, Interrupt14_Handler: 2, Interrupt15_Handler: 3
}

/// Spawns tasks, the last one first, because a run queue takes new tasks in reverse order.
#[allow(unused_macros)]
macro_rules! spawn_each {
    ($spawner:ident $declared:ident) => {};
    ($spawner:ident $declared:ident $name:ident: $priority:expr, $($others:tt)*) => {
        spawn_each!($spawner $declared $($others)*);
        let Ok(token) = tasks::$name() else { crate::bench::fail(c"port: no task") };
        crate::kernel::spawn($spawner, &$declared, $priority, token);
    };
}

#[allow(unused_macros)]
macro_rules! tasks {
    ($($name:ident: $priority:expr),* $(,)?) => {
        mod tasks {
            $(
                #[embassy_executor::task]
                pub async fn $name() {
                    super::$name().await
                }
            )*
        }

        pub fn spawn(spawner: embassy_executor::Spawner) {
            let declared = [$($priority),*];
            spawn_each!(spawner declared $($name: $priority,)*);
        }
    };
}

// --- Interrupts ----------------------------------------------------------------------------------

#[allow(unused_macros)]
macro_rules! interrupt {
    ($($body:tt)*) => {
        #[no_mangle]
        extern "C" fn Interrupt0_Handler() {
            $($body)*
        }
    };
}

/// Requests an interrupt as arch_interrupt_request of arch/interrupt.h does.
#[allow(dead_code)]
#[inline(always)]
pub fn request() {
    cortex_m::peripheral::NVIC::pend(INTERRUPT);
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
}

// --- Tasks and time ------------------------------------------------------------------------------

#[allow(unused_imports)]
pub use embassy_futures::yield_now;

#[allow(dead_code)]
pub async fn delay(ticks: u32) {
    embassy_time::Timer::after_ticks(ticks.into()).await
}

#[allow(dead_code)]
pub fn ticks() -> u32 {
    embassy_time::Instant::now().as_ticks() as u32
}

pub struct Suspension(Signal<Raw, ()>);

#[allow(dead_code)]
impl Suspension {
    pub const fn new() -> Self {
        Self(Signal::new())
    }
}

impl bench::Suspension for Suspension {
    async fn suspend(&self) {
        self.0.wait().await
    }

    fn resume(&self) {
        self.0.signal(())
    }
}

// --- Objects -------------------------------------------------------------------------------------

/// Embassy's semaphores have no maximum.
pub struct Semaphore<const INITIAL: usize, const MAXIMUM: usize>(GreedySemaphore<Raw>);

#[allow(dead_code)]
impl<const INITIAL: usize, const MAXIMUM: usize> Semaphore<INITIAL, MAXIMUM> {
    pub const fn new() -> Self {
        Self(GreedySemaphore::new(INITIAL))
    }
}

impl<const INITIAL: usize, const MAXIMUM: usize> bench::Semaphore for Semaphore<INITIAL, MAXIMUM> {
    async fn take(&self) {
        let Ok(taken) = self.0.acquire(1).await;
        taken.disarm();
    }

    fn try_take(&self) -> bool {
        self.0.try_acquire(1).map(|taken| taken.disarm()).is_some()
    }

    fn give(&self) -> bool {
        self.0.release(1);
        true
    }
}

pub struct Queue<const CAPACITY: usize, const WORDS: usize>(Channel<Raw, [u32; WORDS], CAPACITY>);

#[allow(dead_code)]
impl<const CAPACITY: usize, const WORDS: usize> Queue<CAPACITY, WORDS> {
    pub const fn new() -> Self {
        Self(Channel::new())
    }
}

impl<const CAPACITY: usize, const WORDS: usize> bench::Queue<WORDS> for Queue<CAPACITY, WORDS> {
    async fn send(&self, message: [u32; WORDS]) {
        self.0.send(message).await
    }

    async fn receive(&self) -> [u32; WORDS] {
        self.0.receive().await
    }

    fn try_send(&self, message: [u32; WORDS]) -> bool {
        self.0.try_send(message).is_ok()
    }

    fn try_receive(&self) -> Option<[u32; WORDS]> {
        self.0.try_receive().ok()
    }
}

pub struct Mutex(mutex::Mutex<Raw, ()>);

#[allow(dead_code)]
impl Mutex {
    pub const fn new() -> Self {
        Self(mutex::Mutex::new(()))
    }
}

impl bench::Mutex for Mutex {
    type Guard<'a> = MutexGuard<'a, Raw, ()>;

    async fn lock(&self) -> MutexGuard<'_, Raw, ()> {
        self.0.lock().await
    }

    fn try_lock(&self) -> Option<MutexGuard<'_, Raw, ()>> {
        self.0.try_lock().ok()
    }
}
