// SPDX-License-Identifier: MIT
//! A firmware of lilos: a task sends a reading every millisecond, and another task filters it.
#![no_std]
#![no_main]

use core::convert::Infallible;
use core::mem::MaybeUninit;
use core::pin::pin;
use core::sync::atomic::{AtomicU32, Ordering};
use cortex_m::Peripherals;
use cortex_m_rt::entry;
use lilos::exec::{run_tasks, ALL_TASKS};
use lilos::spsc::{Popper, Pusher, Queue};
use lilos::time::{initialize_sys_tick, Millis, PeriodicGate};

const CLOCK_HZ: u32 = 12_500_000;

static FILTERED: AtomicU32 = AtomicU32::new(0);

#[inline(never)]
fn filter(reading: u32) -> u32 {
    (FILTERED.load(Ordering::Relaxed) * 7 + reading) / 8
}

async fn produce(mut readings: Pusher<'_, u32>) -> Infallible {
    let mut gate = PeriodicGate::from(Millis(1));
    for reading in 0.. {
        gate.next_time().await;
        readings.reserve().await.push(reading);
    }
    unreachable!()
}

async fn consume(mut readings: Popper<'_, u32>) -> Infallible {
    loop {
        let reading = readings.pop().await;
        FILTERED.store(filter(reading), Ordering::Relaxed);
    }
}

#[entry]
fn main() -> ! {
    let mut peripherals = Peripherals::take().unwrap();
    initialize_sys_tick(&mut peripherals.SYST, CLOCK_HZ);
    let mut storage = [const { MaybeUninit::uninit() }; 4];
    let mut queue = Queue::new(&mut storage);
    let (pusher, popper) = queue.split();
    let mut tasks = [pin!(produce(pusher)) as _, pin!(consume(popper)) as _];
    run_tasks(&mut tasks, ALL_TASKS)
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    cortex_m::asm::udf()
}
