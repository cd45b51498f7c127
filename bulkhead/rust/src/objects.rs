// SPDX-License-Identifier: MIT
//! Handles of objects in the kernel, with the calls of each kind of object.

use crate::{svc, Message, Result, Ticks, FOREVER};
use core::mem::{align_of, size_of, MaybeUninit};

/// Numbers of methods, the same as in include/bulkhead/methods.h; a test compares them.
pub(crate) mod method {
    pub const SELF: u32 = 0;
    pub const SELF_YIELD: u32 = 1;
    pub const SELF_EXIT: u32 = 2;
    pub const SELF_DELAY: u32 = 3;
    pub const SELF_NOTIFICATION_WAIT: u32 = 4;
    pub const SELF_DELAY_UNTIL: u32 = 5;
    pub const THREAD_NOTIFY: u32 = 0;
    pub const THREAD_RESUME: u32 = 1;
    pub const THREAD_SUSPEND: u32 = 2;
    pub const THREAD_START: u32 = 3;
    pub const THREAD_SET_PRIORITY: u32 = 4;
    pub const THREAD_JOIN: u32 = 5;
    pub const SEMAPHORE_TAKE: u32 = 0;
    pub const SEMAPHORE_GIVE: u32 = 1;
    pub const MUTEX_LOCK: u32 = 0;
    pub const MUTEX_UNLOCK: u32 = 1;
    pub const QUEUE_SEND: u32 = 0;
    pub const QUEUE_RECEIVE: u32 = 1;
    pub const FLAGS_SET: u32 = 0;
    pub const FLAGS_CLEAR: u32 = 1;
    pub const FLAGS_WAIT_ANY: u32 = 2;
    pub const FLAGS_WAIT_ALL: u32 = 3;
    pub const FLAGS_TAKE_ANY: u32 = 4;
    pub const FLAGS_TAKE_ALL: u32 = 5;
    pub const GATE_CALL: u32 = 0;
    pub const GATE_CALL_TIMED: u32 = 1;
    pub const GATE_RECEIVE: u32 = 2;
    pub const GATE_RECEIVE_TIMED: u32 = 3;
    pub const GATE_CALL_LENDING: u32 = 4;
    pub const GATE_LEASE_READ: u32 = 5;
    pub const GATE_LEASE_WRITE: u32 = 6;
    pub const TIMER_START: u32 = 0;
    pub const TIMER_STOP: u32 = 1;
    pub const INTERRUPT_PEND: u32 = 0;
    pub const INTERRUPT_ACKNOWLEDGE: u32 = 1;
    pub const INTERRUPT_WAIT: u32 = 2;
    pub const PROCESS_FAULT_READ: u32 = 0;
    pub const PROCESS_RESTART: u32 = 1;
    pub const PROCESS_END: u32 = 2;
    pub const PROCESS_IS_ENDED: u32 = 3;
    pub const RECORD_READ: u32 = 0;
    pub const RECORD_RESET: u32 = 1;
    pub const MEASURED_STACK_LEFT: u32 = 0;
    pub const MEASURED_TIME: u32 = 1;
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident $([$bytes:ident])?,)*) => { $(
        $(#[$doc])*
        pub struct $name $(<const $bytes: usize>)? (u32);

        impl $(<const $bytes: usize>)? $name $(<$bytes>)? {
            /// Returns the object with a handle. `objects!` makes all that the declaration names.
            ///
            /// # Safety
            /// The declaration has an object of this kind, and size of messages, with this handle.
            pub const unsafe fn new(handle: u32) -> Self {
                Self(handle)
            }

            #[allow(dead_code)]
            pub(crate) const fn handle(&self) -> u32 {
                self.0
            }
        }
    )* };
}

handles! {
    /// A thread of the system.
    Thread,
    /// A semaphore.
    Semaphore,
    /// A mutex. Only [`crate::Guarded`] acquires it, so that nothing releases it early.
    Mutex,
    /// A queue of messages of `BYTES` bytes.
    Queue [BYTES],
    /// Event flags: bits 0 to 30.
    Flags,
    /// A gate, through which threads call a server.
    Gate,
    /// A timer.
    Timer,
    /// An interrupt line.
    Interrupt,
    /// A supervised process.
    Process,
    /// The record that survives a reset.
    Record,
    /// A thread whose use of the stack and of the processor the process may read.
    Measured,
}

impl Thread {
    /// Wakes the thread if it waits for a notification; otherwise adds one to its counter.
    pub fn notify(&self) -> Result {
        svc::plain(self.0, method::THREAD_NOTIFY, 0, 0)
    }
    /// Ends the suspension of the thread.
    pub fn resume(&self) -> Result {
        svc::plain(self.0, method::THREAD_RESUME, 0, 0)
    }
    /// Suspends the thread until it is resumed.
    pub fn suspend(&self) -> Result {
        svc::plain(self.0, method::THREAD_SUSPEND, 0, 0)
    }
    /// Starts the thread, if it was not started or has ended.
    pub fn start(&self) -> Result {
        svc::plain(self.0, method::THREAD_START, 0, 0)
    }
    /// Sets the base priority of the thread: 0 (highest) to 31.
    pub fn set_priority(&self, priority: u32) -> Result {
        svc::plain(self.0, method::THREAD_SET_PRIORITY, priority, 0)
    }
    /// Waits until the thread has ended.
    pub fn join(&self, timeout: Ticks) -> Result {
        svc::plain(self.0, method::THREAD_JOIN, timeout, 0)
    }
}

impl Semaphore {
    /// Waits until the count is not 0, and subtracts one.
    pub fn take(&self, timeout: Ticks) -> Result {
        svc::plain(self.0, method::SEMAPHORE_TAKE, timeout, 0)
    }
    /// Wakes the first waiter, or adds one to the count.
    pub fn give(&self) -> Result {
        svc::plain(self.0, method::SEMAPHORE_GIVE, 0, 0)
    }
}

impl<const BYTES: usize> Queue<BYTES> {
    const fn require<M: Message>() {
        assert!(
            size_of::<M>() == BYTES,
            "the declaration has another message_bytes"
        );
        assert!(
            align_of::<M>() == 4,
            "a message begins at a multiple of 4 bytes"
        );
    }

    /// Appends a copy of a message. Waits while the queue is full.
    pub fn send<M: Message>(&self, message: &M, timeout: Ticks) -> Result {
        const { Self::require::<M>() };
        let address = core::ptr::from_ref(message) as u32;
        // SAFETY: the kernel reads the bytes of the message.
        unsafe { svc::call(self.0, method::QUEUE_SEND, address, timeout) }.0
    }

    /// Removes the oldest message. Waits while the queue is empty.
    pub fn receive<M: Message>(&self, timeout: Ticks) -> Result<M> {
        const { Self::require::<M>() };
        let mut message = MaybeUninit::<M>::uninit();
        let address = message.as_mut_ptr() as u32;
        // SAFETY: the kernel writes the bytes of the message, of which every pattern is a value.
        unsafe {
            svc::call(self.0, method::QUEUE_RECEIVE, address, timeout).0?;
            Ok(message.assume_init())
        }
    }
}

impl Flags {
    fn await_bits(&self, how: u32, bits: u32, timeout: Ticks) -> Result<u32> {
        // SAFETY: the call accesses no memory.
        let (result, all) = unsafe { svc::call(self.0, how, bits, timeout) };
        result.map(|()| all)
    }

    /// Sets flags, and wakes the threads whose condition holds then.
    pub fn set(&self, bits: u32) -> Result {
        svc::plain(self.0, method::FLAGS_SET, bits, 0)
    }
    /// Clears flags.
    pub fn clear(&self, bits: u32) -> Result {
        svc::plain(self.0, method::FLAGS_CLEAR, bits, 0)
    }
    /// Waits for any of the flags and clears none. Returns all flags that were set then.
    pub fn wait_any(&self, bits: u32, timeout: Ticks) -> Result<u32> {
        self.await_bits(method::FLAGS_WAIT_ANY, bits, timeout)
    }
    /// Waits for all of the flags and clears none. Returns all flags that were set then.
    pub fn wait_all(&self, bits: u32, timeout: Ticks) -> Result<u32> {
        self.await_bits(method::FLAGS_WAIT_ALL, bits, timeout)
    }
    /// Waits for any of the flags, and clears those of them that were set. Returns all flags that
    /// were set before.
    pub fn take_any(&self, bits: u32, timeout: Ticks) -> Result<u32> {
        self.await_bits(method::FLAGS_TAKE_ANY, bits, timeout)
    }
    /// Waits for all of the flags, and clears them. Returns all flags that were set before.
    pub fn take_all(&self, bits: u32, timeout: Ticks) -> Result<u32> {
        self.await_bits(method::FLAGS_TAKE_ALL, bits, timeout)
    }
}

/// The four words that a call through a gate, or its answer, carries.
pub type Words = [u32; 4];

/// Memory that a call lends to its server, and what the server may do there until the answer.
#[derive(Debug)]
pub enum Lent<'a> {
    /// Memory that the server may read.
    ToRead(&'a [u8]),
    /// Memory that the server may write.
    ToWrite(&'a mut [u8]),
    /// Memory that the server may read and write.
    ToChange(&'a mut [u8]),
}

impl Lent<'_> {
    /// Returns the address and the number of bytes of the lent memory, and the access that the
    /// server gets.
    fn parts(&mut self) -> (u32, u32, u32) {
        match self {
            Self::ToRead(memory) => (memory.as_ptr() as u32, memory.len() as u32, LEND_READ),
            Self::ToWrite(memory) => (memory.as_mut_ptr() as u32, memory.len() as u32, LEND_WRITE),
            Self::ToChange(memory) => {
                let access = LEND_READ | LEND_WRITE;
                (memory.as_mut_ptr() as u32, memory.len() as u32, access)
            }
        }
    }
}

const LEND_READ: u32 = 1; // the values of include/bulkhead/bulkhead.h
const LEND_WRITE: u32 = 2;

impl Gate {
    /// Calls the server and returns its answer.
    pub fn call(&self, mut words: Words, timeout: Ticks) -> Result<Words> {
        let how = if timeout == FOREVER {
            method::GATE_CALL
        } else {
            method::GATE_CALL_TIMED
        };
        svc::exchange(self.0, how, &mut words, timeout)
            .0
            .map(|()| words)
    }

    /// Answers the call that the server serves, if any, and waits for the next one. Returns its
    /// words and the identity of its caller.
    pub fn receive(&self, mut answer: Words, timeout: Ticks) -> Result<(Words, u32)> {
        let how = if timeout == FOREVER {
            method::GATE_RECEIVE
        } else {
            method::GATE_RECEIVE_TIMED
        };
        let (result, caller) = svc::exchange(self.0, how, &mut answer, timeout);
        result.map(|()| (answer, caller))
    }

    /// Calls the server with two words, lends it memory until the call returns, and returns its
    /// answer. The server gets the address and the number of bytes as the last two words.
    pub fn call_lending(&self, words: [u32; 2], mut lent: Lent, timeout: Ticks) -> Result<Words> {
        let (address, bytes, access) = lent.parts();
        let mut words = [words[0], words[1], address, bytes];
        let how = method::GATE_CALL_LENDING;
        // SAFETY: the server copies from or to the borrowed bytes, and only until the call returns.
        unsafe { svc::exchange_2(self.0, how, &mut words, timeout, access) }?;
        Ok(words)
    }

    /// Copies from the memory that the client of this thread lends, from an offset on.
    pub fn lease_read(&self, offset: u32, to: &mut [u8]) -> Result {
        let mut words = [offset, to.as_mut_ptr() as u32, to.len() as u32, 0];
        // SAFETY: the kernel writes the borrowed bytes.
        unsafe { svc::exchange_2(self.0, method::GATE_LEASE_READ, &mut words, 0, 0) }
    }

    /// Copies to the memory that the client of this thread lends, from an offset on.
    pub fn lease_write(&self, offset: u32, from: &[u8]) -> Result {
        let mut words = [offset, from.as_ptr() as u32, from.len() as u32, 0];
        // SAFETY: the kernel reads the borrowed bytes.
        unsafe { svc::exchange_2(self.0, method::GATE_LEASE_WRITE, &mut words, 0, 0) }
    }
}

impl Timer {
    /// Starts the timer: it is due in `first` ticks, and then every `period`, or once if that is 0.
    pub fn start(&self, first: Ticks, period: Ticks) -> Result {
        svc::plain(self.0, method::TIMER_START, first, period)
    }
    /// Stops the timer.
    pub fn stop(&self) -> Result {
        svc::plain(self.0, method::TIMER_STOP, 0, 0)
    }
}

impl Interrupt {
    /// Pends the interrupt, as its device would.
    pub fn pend(&self) -> Result {
        svc::plain(self.0, method::INTERRUPT_PEND, 0, 0)
    }
    /// Unmasks the line.
    pub fn acknowledge(&self) -> Result {
        svc::plain(self.0, method::INTERRUPT_ACKNOWLEDGE, 0, 0)
    }
    /// Unmasks the line and waits for the next interrupt.
    pub fn wait(&self, timeout: Ticks) -> Result {
        svc::plain(self.0, method::INTERRUPT_WAIT, timeout, 0)
    }
}
