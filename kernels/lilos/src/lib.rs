// SPDX-License-Identifier: MIT
//! lilos with one scenario. The build names the files of the contract and of the scenario
//! (bench/include/bench/port.rs).
#![no_std]

#[macro_use]
mod bench {
    include!(env!("TICKLAB_CONTRACT"));
}
#[macro_use]
mod kernel;
mod scenario {
    include!(env!("TICKLAB_SCENARIO"));
}

/// Starts the kernel with the scenario's tasks.
#[no_mangle]
extern "C" fn bench_port_start() -> ! {
    kernel::start_tick();
    scenario::run()
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    bench::fail(c"the kernel panicked")
}
