// SPDX-License-Identifier: MIT
//! A firmware of Embassy: the handler of the tick signals a task, which sends a reading to another
//! task.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::Peripherals;
use cortex_m_rt::exception;
use embassy_executor::Spawner;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;

const TICK_CYCLES: u32 = 12_500;

static TICKED: Signal<CriticalSectionRawMutex, ()> = Signal::new();
static READINGS: Channel<CriticalSectionRawMutex, u32, 4> = Channel::new();
static FILTERED: AtomicU32 = AtomicU32::new(0);

#[inline(never)]
fn filter(reading: u32) -> u32 {
    (FILTERED.load(Ordering::Relaxed) * 7 + reading) / 8
}

#[exception]
fn SysTick() {
    TICKED.signal(());
}

#[embassy_executor::task]
async fn produce() {
    for reading in 0.. {
        TICKED.wait().await;
        READINGS.send(reading).await;
    }
}

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let mut peripherals = Peripherals::take().unwrap();
    peripherals.SYST.set_clock_source(SystClkSource::Core);
    peripherals.SYST.set_reload(TICK_CYCLES - 1);
    peripherals.SYST.clear_current();
    peripherals.SYST.enable_interrupt();
    peripherals.SYST.enable_counter();
    spawner.spawn(produce().unwrap());
    loop {
        let reading = READINGS.receive().await;
        FILTERED.store(filter(reading), Ordering::Relaxed);
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    cortex_m::asm::udf()
}
