// SPDX-License-Identifier: MIT
//! The time driver, which Embassy leaves to its user: SysTick counts, and wakes by Embassy's queue.
use core::cell::RefCell;
use core::task::Waker;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::blocking_mutex::Mutex;
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;

struct State {
    now: u64,
    next: u64, // the tick at which the queue has something to do
    queue: Queue,
}

struct Tick(Mutex<CriticalSectionRawMutex, RefCell<State>>);

embassy_time_driver::time_driver_impl!(static TICK: Tick = Tick(Mutex::new(RefCell::new(State {
    now: 0,
    next: u64::MAX,
    queue: Queue::new(),
}))));

impl Driver for Tick {
    fn now(&self) -> u64 {
        self.0.lock(|state| state.borrow().now)
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        self.0.lock(|state| {
            let state = &mut *state.borrow_mut();
            if state.queue.schedule_wake(at, waker) {
                state.next = state.queue.next_expiration(state.now);
            }
        })
    }
}

#[no_mangle]
extern "C" fn SysTick_Handler() {
    TICK.0.lock(|state| {
        let state = &mut *state.borrow_mut();
        state.now += 1;
        if state.now >= state.next {
            state.next = state.queue.next_expiration(state.now);
        }
    })
}
