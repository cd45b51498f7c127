// SPDX-License-Identifier: GPL-2.0-or-later
//! Tracks the timer interrupt and the software interrupt of RISC-V's `virt` machine, from QEMU's
//! trace of traps and of the guest's writes to devices.
//!
//! QEMU 7.2 traces neither the timer nor the interrupt controller PLIC. The timer's comparand and
//! the clock tell when the timer interrupt becomes pending. It is unknown when an interrupt of the
//! PLIC becomes pending.

use crate::interrupts::{number_after, Controller};
use ticklab_explain::Change;

const TRAP: &[u8] = b"riscv_trap ";
const WRITE: &[u8] = b"memory_region_ops_write ";
/// The devices, by the names of their memory regions in QEMU.
const SOFTWARE: &[u8] = b"name 'riscv.aclint.swi'";
const TIMER: &[u8] = b"name 'riscv.aclint.mtimer'";

/// Registers of hart 0 (ACLINT 1.0-rc4, 2.1, 3.1), as offsets in the 64 KiB that both devices
/// occupy together.
const DEVICES_BYTES: u32 = 0x1_0000;
const MSIP: u32 = 0;
const MTIMECMP: u32 = 0x4000;
const MTIMECMP_HIGH: u32 = 0x4004;
const MTIME: u32 = 0xBFF8;

/// The exception number of an interrupt is 16 plus its cause.
const INTERRUPT: u16 = 16;
const SOFTWARE_INTERRUPT: u16 = INTERRUPT + 3;

#[derive(Default)]
pub struct Aclint {
    changes: Vec<Change>,
    comparand: u64,
}

impl Controller for Aclint {
    fn read(&mut self, line: &[u8]) {
        if line.starts_with(TRAP) {
            let is_interrupt = number_after(line, b"async:", 10) == Some(1);
            let cause = number_after(line, b"cause:", 10).filter(|_| is_interrupt);
            let number = cause.and_then(|cause| u16::try_from(cause).ok());
            let taken = number.map(|cause| Change::Taken(INTERRUPT.wrapping_add(cause)));
            self.changes.extend(taken);
        } else if line.starts_with(WRITE) && (line.ends_with(TIMER) || line.ends_with(SOFTWARE)) {
            let (at, value) = (number_after(line, b"addr 0x", 16), value_of(line));
            if let (Some(at), Some(value)) = (at, value) {
                self.write(at % DEVICES_BYTES, value, number_after(line, b"size ", 10));
            }
        }
    }

    fn changes(&mut self) -> &mut Vec<Change> {
        &mut self.changes
    }
}

impl Aclint {
    fn write(&mut self, at: u32, value: u64, bytes: Option<u32>) {
        let low = value & u64::from(u32::MAX);
        match at {
            MSIP if value & 1 != 0 => self.changes.push(Change::Pending(SOFTWARE_INTERRUPT)),
            MSIP => self.changes.push(Change::Cleared(SOFTWARE_INTERRUPT)),
            MTIMECMP if bytes == Some(8) => self.compare(value),
            MTIMECMP => self.compare(self.comparand >> 32 << 32 | low),
            MTIMECMP_HIGH => self.compare(value << 32 | self.comparand & u64::from(u32::MAX)),
            MTIME.. => self.changes.push(Change::ClockLost),
            _ => {}
        }
    }

    fn compare(&mut self, comparand: u64) {
        self.comparand = comparand;
        self.changes.push(Change::Comparand(comparand));
    }
}

/// Returns the written value, of up to 64 bits, in a line of the trace.
fn value_of(line: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(line).ok()?;
    let digits = text.split(" value 0x").nth(1)?.split(' ').next()?;
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(lines: &[&str]) -> Vec<Change> {
        let mut aclint = Aclint::default();
        lines.iter().for_each(|line| aclint.read(line.as_bytes()));
        aclint.changes
    }

    #[test]
    fn only_interrupts_are_taken() {
        let timer = "riscv_trap hart:0, async:1, cause:7, epc:0x80001562, tval:0x0, desc=m_timer";
        let call = "riscv_trap hart:0, async:0, cause:11, epc:0x80001562, tval:0x0, desc=m_call";
        assert_eq!(changes(&[timer, call]), [Change::Taken(23)]);
    }

    #[test]
    fn writes_pend_software_and_set_the_timer() {
        let write = |at: &str, value: &str, bytes: u32, name: &str| {
            format!(
                "memory_region_ops_write cpu 0 mr 0x55 addr 0x200{at} value 0x{value} size {bytes} \
                 name 'riscv.{name}'"
            )
        };
        let timer = |at, value| write(at, value, 4, "aclint.mtimer");
        let set = write("0000", "1", 4, "aclint.swi");
        let clear = write("0000", "0", 4, "aclint.swi");
        let other = write("0000", "1", 4, "sifive.plic");
        assert_eq!(
            changes(&[&set, &clear, &other]),
            [Change::Pending(19), Change::Cleared(19)]
        );
        assert_eq!(
            changes(&[&timer("4000", "7e30d"), &timer("4004", "1")]),
            [Change::Comparand(0x7e30d), Change::Comparand(0x1_0007_e30d)]
        );
        let whole = write("4000", "10007e30d", 8, "aclint.mtimer");
        assert_eq!(changes(&[&whole]), [Change::Comparand(0x1_0007_e30d)]);
        assert_eq!(changes(&[&timer("bff8", "0")]), [Change::ClockLost]);
    }
}
