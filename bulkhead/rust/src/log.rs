// SPDX-License-Identifier: MIT
//! Logs of processes: the latest entries in memory of the process, which a debugger or the
//! laboratory reads. [`log!`] writes an entry without a system call.

extern "C" {
    fn bulkhead_log_write(log: &Log, text: *const u8, a: u32, b: u32, c: u32, d: u32);
}

/// The log of a process: struct bulkhead_log of log.h.
#[repr(C)]
pub struct Log {
    ring: u32, // address of struct bulkhead_ring
    mask: u32,
}

impl Log {
    /// Returns the log at an address. `objects!` makes all that the declaration names.
    ///
    /// # Safety
    /// The declaration places a log of `mask` + 1 entries there.
    pub const unsafe fn new(ring: u32, mask: u32) -> Self {
        Self { ring, mask }
    }

    /// Writes an entry. Only [`log!`] calls it, because a reader finds the text in a section of its
    /// own.
    #[doc(hidden)]
    pub fn write<const BYTES: usize, const COUNT: usize>(
        &self,
        text: &'static [u8; BYTES],
        values: [u32; COUNT],
    ) {
        let of = |index: usize| values.get(index).copied().unwrap_or(0);
        // SAFETY: the log belongs to one process; in another process the write faults, which ends
        // that process.
        unsafe { bulkhead_log_write(self, text.as_ptr(), of(0), of(1), of(2), of(3)) }
    }
}

/// A type that is a value of an entry: it has at most 32 bits.
pub trait LogValue {
    /// Returns the value as a word; a negative one as its two's complement.
    fn word(self) -> u32;
}

macro_rules! values {
    ($($kind:ty),*) => {
        $(impl LogValue for $kind {
            #[inline(always)]
            fn word(self) -> u32 {
                self as u32
            }
        })*
    };
}
values!(u8, i8, u16, i16, u32, i32, usize, isize, bool, char);

/// Returns a text as the reader finds it, with a zero at its end. Only [`log!`] calls it.
#[doc(hidden)]
pub const fn log_text<const BYTES: usize>(text: &str, values: usize) -> [u8; BYTES] {
    let text = text.as_bytes();
    let mut with_end = [0; BYTES];
    let (mut at, mut wanted, mut in_conversion) = (0, 0, false);
    while at < text.len() {
        assert!(text[at] != 0, "the text of an entry ends at its zero");
        if in_conversion {
            wanted += (text[at] != b'%') as usize;
            in_conversion = false;
        } else {
            in_conversion = text[at] == b'%';
        }
        with_end[at] = text[at];
        at += 1;
    }
    assert!(
        !in_conversion && wanted == values,
        "the number of values differs from that of the conversions (%) in the text"
    );
    assert!(values <= 4, "an entry of a log has at most four values");
    with_end
}

/// Writes an entry: a log of `objects!`, a text, and a value for each of its conversions (%u, %d,
/// %x and %c), at most four.
///
/// ```ignore
/// bulkhead::log!(system::LOG_CONTROL, "late by %u of %u ticks", late, period);
/// ```
#[macro_export]
macro_rules! log {
    ($log:expr, $text:literal $(, $value:expr)* $(,)?) => {{
        #[allow(unsafe_code)] // a section of one's own
        #[link_section = ".bulkhead.log"]
        static TEXT: [u8; $text.len() + 1] =
            $crate::log_text($text, 0 $(+ { let _ = stringify!($value); 1 })*);
        $crate::Log::write(&$log, &TEXT, [$($crate::LogValue::word($value)),*]);
    }};
}
