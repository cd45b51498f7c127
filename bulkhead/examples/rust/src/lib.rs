// SPDX-License-Identifier: MIT
//! The meter: one thread samples in every tick, and the other one reports in every fourth. They
//! share the total under a mutex. After the third report the thread panics: the process ends and is
//! restarted, with the memory of the image.
#![no_std]
#![deny(unsafe_code)]

use bulkhead::{Guarded, Period, FOREVER};

#[allow(unsafe_code, dead_code)]
mod system {
    bulkhead::objects!();
}

const SAMPLE_PERIOD: u32 = 1;
const REPORT_PERIOD: u32 = 4;
const REPORTS: u32 = 3;

bulkhead::message! {
    /// The message to the printer.
    pub struct Reading {
        samples: u32,
        sum: u32,
    }
}

static TOTAL: Guarded<Reading> = Guarded::new(system::MUTEX_TOTAL, Reading { samples: 0, sum: 0 });

fn sample() -> bulkhead::Result {
    let mut total = TOTAL.lock(FOREVER)?;
    total.samples += 1;
    total.sum += total.samples;
    Ok(())
}

fn report() -> bulkhead::Result {
    let reading = *TOTAL.lock(FOREVER)?;
    system::QUEUE_READINGS.send(&reading, FOREVER)
}

#[allow(unsafe_code)]
mod threads {
    use super::*;

    bulkhead::thread! {
        fn sampler_main() {
            let mut period = Period::new(SAMPLE_PERIOD);
            while period.wait() {
                sample().expect("the mutex is this process's");
            }
        }
    }

    bulkhead::thread! {
        fn reporter_main() {
            let mut period = Period::new(REPORT_PERIOD);
            for _ in 0..REPORTS {
                period.wait();
                report().expect("the queue is declared");
            }
            panic!("a fault on purpose");
        }
    }
}
