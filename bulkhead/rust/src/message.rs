// SPDX-License-Identifier: MIT
//! Messages of queues.

/// A type that can be received from another process, which may send any bytes.
///
/// # Safety
/// Every bit pattern is a value of the type, and the type has no padding and an alignment of at
/// most 4 bytes. [`crate::message!`] defines such types without `unsafe`.
pub unsafe trait Message: Copy + 'static {}

macro_rules! words {
    ($($word:ty),*) => {
        // SAFETY: integers have no padding, and every bit pattern is a value.
        $(unsafe impl Message for $word {})*
    };
}
words!(u8, i8, u16, i16, u32, i32);

// SAFETY: the elements of an array have no padding between them.
unsafe impl<M: Message, const N: usize> Message for [M; N] {}

/// Defines a structure that can be a message. Its fields are messages, and it may have no padding.
#[macro_export]
macro_rules! message {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$of:meta])* $v:vis $field:ident: $kind:ty),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        $vis struct $name { $($(#[$of])* $v $field: $kind),* }

        const _: () = {
            const fn is_message<M: $crate::Message>() -> usize {
                core::mem::size_of::<M>()
            }
            let bytes = 0 $(+ is_message::<$kind>())*;
            assert!(bytes == core::mem::size_of::<$name>(), "a message may have no padding");
        };

        // SAFETY: all fields are messages, and there is no padding.
        #[allow(unsafe_code)]
        unsafe impl $crate::Message for $name {}
    };
}
