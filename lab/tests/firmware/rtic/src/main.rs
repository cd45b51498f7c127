// SPDX-License-Identifier: MIT
//! A firmware of RTIC: the handler of the tick sends a reading to a task, which filters it and
//! shares the result.
#![no_std]
#![no_main]

#[rtic::app(device = lm3s6965, dispatchers = [GPIOA])]
mod app {
    use cortex_m::peripheral::syst::SystClkSource;

    const TICK_CYCLES: u32 = 12_500;

    #[shared]
    struct Shared {
        filtered: u32,
    }

    #[local]
    struct Local {
        reading: u32,
    }

    #[init]
    fn init(mut context: init::Context) -> (Shared, Local) {
        context.core.SYST.set_clock_source(SystClkSource::Core);
        context.core.SYST.set_reload(TICK_CYCLES - 1);
        context.core.SYST.clear_current();
        context.core.SYST.enable_interrupt();
        context.core.SYST.enable_counter();
        (Shared { filtered: 0 }, Local { reading: 0 })
    }

    #[task(binds = SysTick, priority = 2, local = [reading], shared = [filtered])]
    fn tick(mut context: tick::Context) {
        *context.local.reading += 1;
        let reading = *context.local.reading;
        context.shared.filtered.lock(|filtered| *filtered += 1);
        let _ = consume::spawn(reading);
    }

    #[task(priority = 1, shared = [filtered])]
    async fn consume(mut context: consume::Context, reading: u32) {
        context
            .shared
            .filtered
            .lock(|filtered| *filtered = super::filter(*filtered, reading));
    }
}

#[inline(never)]
fn filter(last: u32, reading: u32) -> u32 {
    (last * 7 + reading) / 8
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    cortex_m::asm::udf()
}
