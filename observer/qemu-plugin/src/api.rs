// SPDX-License-Identifier: GPL-2.0-or-later
//! Hides the differences between the versions of QEMU's plugin interface: counting in translated
//! code, and reading an instruction's bytes.

use qemu_plugin_sys::*;

/// A counter that translated code increments without a callback.
pub struct Counter {
    total: Total,
    /// The counter's value at the last call of [`Counter::advance`].
    seen: u64,
}

impl Counter {
    pub fn new() -> Counter {
        Counter {
            total: Total::new(),
            seen: 0,
        }
    }

    /// Returns how much was added to the counter since the last call.
    #[inline]
    pub fn advance(&mut self) -> u32 {
        let total = self.total.get();
        let advance = total - self.seen;
        self.seen = total;
        advance as u32
    }

    /// Adds `count` whenever `instruction` is about to execute.
    ///
    /// # Safety
    /// `instruction` is a handle of the running translation callback.
    pub unsafe fn add_before(&self, instruction: *mut qemu_plugin_insn, count: u64) {
        self.total.add_before(instruction, count);
    }
}

const ADD: qemu_plugin_op = qemu_plugin_op::QEMU_PLUGIN_INLINE_ADD_U64;

/// Up to QEMU 8.2, translated code can add to a variable at any address.
#[cfg(feature = "plugin-api-v1")]
struct Total(Box<std::cell::UnsafeCell<u64>>);

#[cfg(feature = "plugin-api-v1")]
impl Total {
    fn new() -> Total {
        Total(Box::default())
    }

    #[inline]
    fn get(&self) -> u64 {
        // SAFETY: only the translated code writes, and on the thread that runs this callback. A
        // volatile read, because the compiler sees no writer.
        unsafe { self.0.get().read_volatile() }
    }

    unsafe fn add_before(&self, instruction: *mut qemu_plugin_insn, count: u64) {
        qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD, self.0.get().cast(), count);
    }
}

/// Since QEMU 9.0, translated code adds to a scoreboard, which has an entry for each processor.
#[cfg(not(feature = "plugin-api-v1"))]
struct Total(qemu_plugin_u64);

#[cfg(not(feature = "plugin-api-v1"))]
impl Total {
    fn new() -> Total {
        // SAFETY: called while the plugin is installed, as the interface demands.
        let score = unsafe { qemu_plugin_scoreboard_new(std::mem::size_of::<u64>()) };
        Total(qemu_plugin_u64 { score, offset: 0 })
    }

    #[inline]
    fn get(&self) -> u64 {
        // SAFETY: the scoreboard lives as long as the plugin, and there is one processor.
        unsafe { qemu_plugin_u64_get(self.0, 0) }
    }

    unsafe fn add_before(&self, instruction: *mut qemu_plugin_insn, count: u64) {
        qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(instruction, ADD, self.0, count);
    }
}

/// Appends the bytes of `instruction`.
///
/// # Safety
/// `instruction` is a handle of the running translation callback.
#[cfg(any(feature = "plugin-api-v1", feature = "plugin-api-v2"))]
pub unsafe fn append_code(instruction: *const qemu_plugin_insn, code: &mut Vec<u8>) {
    let (data, size) = (
        qemu_plugin_insn_data(instruction),
        qemu_plugin_insn_size(instruction),
    );
    code.extend_from_slice(std::slice::from_raw_parts(data.cast(), size));
}

/// Appends the bytes of `instruction`, which QEMU copies since 9.1.
///
/// # Safety
/// `instruction` is a handle of the running translation callback.
#[cfg(not(any(feature = "plugin-api-v1", feature = "plugin-api-v2")))]
pub unsafe fn append_code(instruction: *const qemu_plugin_insn, code: &mut Vec<u8>) {
    let mut bytes = [0_u8; 4];
    let size = qemu_plugin_insn_data(instruction, bytes.as_mut_ptr().cast(), bytes.len());
    code.extend_from_slice(&bytes[..size]);
}
