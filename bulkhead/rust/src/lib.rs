// SPDX-License-Identifier: MIT
//! Applications of Bulkhead in Rust, on Armv7-M, Armv8-M and RV32.
//!
//! The generator writes a constant for each object that the declaration names; [`objects!`]
//! includes them. A call without the right fails with [`Error::Denied`]. `calls.h` says what each
//! call does.
//!
//! The threads of a process share memory and preempt each other, so Rust's rules for threads hold:
//! they share values that are [`Sync`], such as a [`Guarded`] value. Processes share nothing but
//! objects of the kernel. A panic is a fault: it ends the process, and the declaration says whether
//! it restarts.
//!
//! Objects that are local to a process, and pools, have no handle here: C has their fast paths, and
//! a block of a pool may be written by every process that shares it.
#![no_std]
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

mod guarded;
mod log;
mod message;
mod objects;
mod supervise;
mod svc;
mod system;
mod thread;

pub use guarded::{Guard, Guarded};
#[doc(hidden)]
pub use log::log_text;
pub use log::{Log, LogValue};
pub use message::Message;
pub use objects::{
    Flags, Gate, Interrupt, Lent, Measured, Mutex, Process, Queue, Record, Semaphore, Thread,
    Timer, Words,
};
pub use supervise::{Event, Policy, Supervisor};
pub use system::{Fault, RecordEntry};
pub use thread::{delay, delay_until, end_of_thread, notification_wait, ticks, yield_now, Period};

/// A number of the system's ticks.
pub type Ticks = u32;
/// A timeout that does not wait.
pub const NO_WAIT: Ticks = 0;
/// A timeout without limit.
pub const FOREVER: Ticks = u32::MAX;

/// The reason why a call did not do what it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The timeout has passed.
    TimedOut,
    /// The state of the object does not allow the call.
    Refused,
    /// The process has no right to the object, or to the memory of the message.
    Denied,
    /// The thread that should have woken the caller has ended.
    PeerLost,
}

/// The result of a system call.
pub type Result<T = ()> = core::result::Result<T, Error>;

/// Includes the constants of the declaration. The variable `BULKHEAD_MADE` of the environment names
/// the folder of the generated files.
#[macro_export]
macro_rules! objects {
    () => {
        include!(concat!(env!("BULKHEAD_MADE"), "/handles.rs"));
    };
}

/// Defines the function of a declared thread. The thread ends when its function returns.
#[macro_export]
macro_rules! thread {
    (fn $name:ident() $body:block) => {
        #[no_mangle]
        #[allow(unreachable_code)] // of a function that never returns
        extern "C" fn $name() -> ! {
            $body
            $crate::end_of_thread()
        }
    };
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {
        svc::fault();
    }
}
