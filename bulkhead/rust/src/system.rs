// SPDX-License-Identifier: MIT
//! Processes and their faults, the record that survives a reset, and measures of threads.

use crate::objects::{method, Measured, Process, Record};
use crate::{svc, Error, Result, Ticks};
use core::mem::MaybeUninit;

const MARKS_AT_ONCE: u32 = 64; // of a stack: BULKHEAD_MARKS_AT_ONCE

/// Makes a call that writes a structure to an address, and returns the structure.
///
/// # Safety
/// The call writes the whole structure if it succeeds, and every bit pattern is a value of it.
unsafe fn written<T>(call: impl FnOnce(u32) -> Result) -> Result<T> {
    let mut found = MaybeUninit::<T>::uninit();
    call(found.as_mut_ptr() as u32)?;
    // SAFETY: the call has written it.
    Ok(unsafe { found.assume_init() })
}

/// The report of a process's last fault: include/bulkhead/fault.h says what the numbers mean.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Fault {
    pub faults: u32,
    pub thread: u32,
    pub kind: u32,
    pub address: u32,
    pub status: u32,
    pub registers: [u32; svc::REGISTERS],
}

/// An entry of the record: include/bulkhead/record.h says what the numbers mean.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct RecordEntry {
    pub number: u32,
    pub start: u32,
    pub cause: u32,
    pub ticks: Ticks,
    pub thread: u32,
    pub kind: u32,
    pub address: u32,
    pub pc: u32,
}

impl Process {
    /// Returns the report of the last fault. [`Error::Refused`] if there was none.
    pub fn fault(&self) -> Result<Fault> {
        // SAFETY: the kernel writes the whole report.
        unsafe { written(|at| svc::call(self.handle(), method::PROCESS_FAULT_READ, at, 0).0) }
    }

    /// Restarts the process, whether it runs, hangs, has ended or is being terminated.
    pub fn restart(&self) -> Result {
        svc::plain(self.handle(), method::PROCESS_RESTART, 0, 0)
    }

    /// Terminates the process, which stays ended.
    pub fn end(&self) -> Result {
        svc::plain(self.handle(), method::PROCESS_END, 0, 0)
    }

    /// Tells whether the process has ended and waits for its restart. [`Error::PeerLost`] while it
    /// is being terminated.
    pub fn is_ended(&self) -> Result<bool> {
        match svc::plain(self.handle(), method::PROCESS_IS_ENDED, 0, 0) {
            Err(Error::Refused) => Ok(false),
            answer => answer.map(|()| true),
        }
    }
}

impl Record {
    /// Returns an entry: the last one for age 0, the one before for age 1. [`Error::Refused`] if
    /// there is none of that age.
    pub fn read(&self, age: u32) -> Result<RecordEntry> {
        // SAFETY: the kernel writes the whole entry.
        unsafe { written(|at| svc::call(self.handle(), method::RECORD_READ, age, at).0) }
    }

    /// Records a reason and the caller, and resets the system. Returns only without the right.
    pub fn reset(&self, reason: u32) -> Result {
        svc::plain(self.handle(), method::RECORD_RESET, reason, 0)
    }
}

impl Measured {
    /// Returns how many bytes of its stack the thread has never used since the kernel started. One
    /// system call for each 64 of them.
    pub fn stack_left(&self) -> Result<u32> {
        let mut found = 0;
        loop {
            // SAFETY: the call accesses no memory of the caller.
            let (result, more) =
                unsafe { svc::call(self.handle(), method::MEASURED_STACK_LEFT, found, 0) };
            result?;
            if more - found != MARKS_AT_ONCE {
                return Ok(more);
            }
            found = more;
        }
    }

    /// Returns the processor time that the thread has consumed, in counts of the tick's clock.
    pub fn time(&self) -> Result<u64> {
        // SAFETY: the kernel writes the whole number.
        unsafe { written(|at| svc::call(self.handle(), method::MEASURED_TIME, at, 0).0) }
    }
}
