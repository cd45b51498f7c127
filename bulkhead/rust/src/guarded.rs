// SPDX-License-Identifier: MIT
//! A value that threads of a process share under a mutex of the kernel.

use crate::objects::{method, Mutex};
use crate::{svc, Error, Result, Ticks};
use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

/// A value that only the holder of its mutex accesses.
pub struct Guarded<T> {
    mutex: Mutex,
    value: UnsafeCell<T>,
}

// SAFETY: the kernel has one holder of a mutex, and only its guard gives access. A value moves from
// thread to thread, so it must be Send.
unsafe impl<T: Send> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    /// Puts a value under a mutex.
    pub const fn new(mutex: Mutex, value: T) -> Self {
        Self {
            mutex,
            value: UnsafeCell::new(value),
        }
    }

    /// Acquires the mutex. [`Error::Refused`] to a thread that holds it. [`Error::TimedOut`] if it
    /// was not free in time.
    pub fn lock(&self, timeout: Ticks) -> Result<Guard<'_, T>> {
        let abandoned = match svc::plain(self.mutex.handle(), method::MUTEX_LOCK, timeout, 0) {
            Ok(()) => false,
            Err(Error::PeerLost) => true,
            Err(error) => return Err(error),
        };
        Ok(Guard {
            of: self,
            abandoned,
            thread: PhantomData,
        })
    }
}

/// Access to a [`Guarded`] value until it is dropped. It stays in its thread, because no other
/// thread may release the mutex.
#[must_use = "the mutex is released when its guard is dropped"]
pub struct Guard<'a, T> {
    of: &'a Guarded<T>,
    abandoned: bool,
    thread: PhantomData<*const ()>, // makes the guard neither Send nor Sync
}

impl<T> Guard<'_, T> {
    /// Returns whether the former holder ended while it held the mutex.
    pub fn was_abandoned(&self) -> bool {
        self.abandoned
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: this thread holds the mutex.
        unsafe { &*self.of.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: this thread holds the mutex, and its guard is borrowed mutably.
        unsafe { &mut *self.of.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        // The call is refused only to a thread that does not hold the mutex.
        let _ = svc::plain(self.of.mutex.handle(), method::MUTEX_UNLOCK, 0, 0);
    }
}
