// SPDX-License-Identifier: GPL-2.0-or-later
//! Reads the states of interrupts from QEMU's trace, while QEMU runs.
//!
//! QEMU's plugin interface reports no interrupts, but QEMU traces its interrupt controller
//! (`-trace`) to the file of `-D`, and writes each line at once. This file is mapped into memory,
//! so that a check for a new line, at the beginning of each block, reads one byte. States change
//! only between blocks: when a timer expires, or after an instruction that writes to the
//! controller, which ends its block because of `-icount`. The moment is therefore exact.
//!
//! A [`Controller`] derives the states of its interrupts from these lines.
//!
//! A mapping cannot grow with its file, so the file is sparse and longer than all that QEMU will
//! write. Pages that were read are returned to the system.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use ticklab_explain::Change;

/// The size of the sparse file: room for more than 100 million lines of trace.
const BYTES: usize = 16 << 30;
const RETURNED_BYTES: usize = 16 << 20;

/// An interrupt controller whose states are derived from QEMU's trace.
pub trait Controller {
    /// Reads a line of the trace.
    fn read(&mut self, line: &[u8]);

    /// Returns the list of state changes since the last call.
    fn changes(&mut self) -> &mut Vec<Change>;

    /// Returns the exception that was taken last since the previous call, if the trace says so.
    fn taken(&mut self) -> Option<u16> {
        None
    }

    /// Handles a write of `bytes` bytes to a device at `address`. `value` is `None` if the code
    /// does not determine it.
    fn written(&mut self, _address: u32, _bytes: u32, _value: Option<u32>) {}

    /// Returns whether QEMU traces too few kinds of events to show all changes.
    fn needs_more(&self) -> bool {
        false
    }
}

pub struct Interrupts {
    file: File,
    /// Empty until the guest runs: QEMU empties the file when it opens it.
    text: &'static [u8],
    read: usize,
    returned: usize,
    controller: Box<dyn Controller>,
    /// Whether the controller may have changes that [`Interrupts::drain`] has not yet reported.
    was_written: bool,
}

impl Interrupts {
    /// # Errors
    /// The file cannot be opened.
    pub fn open(file: &Path, controller: Box<dyn Controller>) -> io::Result<Interrupts> {
        let options = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(file)?;
        Ok(Interrupts {
            file: options,
            text: &[],
            read: 0,
            returned: 0,
            controller,
            was_written: false,
        })
    }

    /// Maps the file, after QEMU has opened it.
    ///
    /// # Errors
    /// The system does not permit the mapping.
    pub fn begin(&mut self) -> io::Result<()> {
        if !self.text.is_empty() {
            return Ok(());
        }
        self.file.set_len(BYTES as u64)?;
        // SAFETY: a new mapping of a file that is as long. It is never unmapped. QEMU appends to
        // the file, and reads of the mapping are volatile.
        let mapped = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                BYTES,
                libc::PROT_READ,
                libc::MAP_SHARED | libc::MAP_NORESERVE,
                self.file.as_raw_fd(),
                0,
            )
        };
        if mapped == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: as above.
        self.text = unsafe { std::slice::from_raw_parts(mapped.cast(), BYTES) };
        Ok(())
    }

    /// Returns whether QEMU traces too few kinds of events to show all changes.
    pub fn needs_more(&self) -> bool {
        self.controller.needs_more()
    }

    /// Passes a write on to [`Controller::written`].
    pub fn written(&mut self, address: u32, bytes: u32, value: Option<u32>) {
        self.controller.written(address, bytes, value);
        self.was_written = true;
    }

    /// Returns the result of [`Controller::taken`] after the lines up to now.
    #[inline]
    pub fn taken(&mut self) -> Option<u16> {
        if self.byte(self.read) == 0 {
            return None;
        }
        self.lines();
        self.was_written = true;
        self.controller.taken()
    }

    /// Calls `report` with each change since the last call.
    ///
    /// Returns whether there were lines or writes.
    #[inline]
    pub fn drain(&mut self, report: impl FnMut(Change)) -> bool {
        if self.byte(self.read) == 0 && !self.was_written {
            return false;
        }
        self.lines();
        self.was_written = false;
        self.controller.changes().drain(..).for_each(report);
        true
    }

    #[cold]
    fn lines(&mut self) {
        while self.byte(self.read) != 0 {
            self.line();
        }
    }

    /// Returns a byte of the file; 0 where QEMU has not written, or after the end.
    #[inline]
    fn byte(&self, index: usize) -> u8 {
        // SAFETY: a byte of the mapping. Volatile, because QEMU writes.
        self.text.get(index).map_or(0, |byte| unsafe {
            std::ptr::from_ref(byte).read_volatile()
        })
    }

    fn line(&mut self) {
        let begin = self.read;
        let mut end = begin;
        while !matches!(self.byte(end), b'\n' | 0) {
            end += 1;
        }
        self.read = end + 1;
        self.controller.read(&self.text[begin..end]);
        if self.read - self.returned > RETURNED_BYTES {
            self.give_back();
        }
    }

    /// Returns the memory of pages that were read to the system.
    fn give_back(&mut self) {
        let (offset, count) = (self.returned as i64, RETURNED_BYTES as i64);
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: a hole in our own file. If the file system has no holes, the file only grows.
        unsafe { libc::fallocate(self.file.as_raw_fd(), mode, offset, count) };
        self.returned += RETURNED_BYTES;
    }
}

/// Returns the number that follows `word` in a line, written in base `base`.
pub fn number_after(line: &[u8], word: &[u8], base: u32) -> Option<u32> {
    let begin = line.windows(word.len()).position(|part| part == word)? + word.len();
    let digits = line[begin..]
        .iter()
        .map_while(|&byte| char::from(byte).to_digit(base));
    digits.fold(None, |sum: Option<u32>, digit| {
        Some(sum.unwrap_or(0).wrapping_mul(base).wrapping_add(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvic::Nvic;

    #[test]
    fn follows_a_file_that_grows() {
        use std::io::Write;
        let name = std::env::temp_dir().join(format!("ticklab-{}", std::process::id()));
        let mut interrupts = Interrupts::open(&name, Box::new(Nvic::all())).unwrap();
        let mut qemu = File::create(&name).unwrap();
        std::fs::remove_file(&name).unwrap();
        interrupts.begin().unwrap();
        let mut found = Vec::new();
        let line = "nvic_acknowledge_irq NVIC acknowledge IRQ: 15 now active (prio 254)\n";
        for _ in 0..250_000 {
            qemu.write_all(line.as_bytes()).unwrap();
            interrupts.drain(|change| found.push(change));
            interrupts.drain(|_| panic!("reported twice"));
        }
        assert_eq!(found, [Change::Taken(15); 250_000]);
    }
}
