// SPDX-License-Identifier: GPL-2.0-or-later
//! The GICv2 of the A profile (IHI 0048B): derives the states of its interrupts from QEMU's trace.
//!
//! All interrupts enter by one exception, whose handler reads the number from the controller. So
//! the number is known only when the handler has read it.

use crate::interrupts::{number_after, Controller};
use std::collections::HashSet;
use std::ops::Range;
use ticklab_explain::Change;

/// The beginnings of the lines of QEMU's trace that this file reads. QEMU's documentation of
/// tracing lists these events.
const LEVEL: &[u8] = b"gic_set_irq ";
const ENABLE: &[u8] = b"gic_enable_irq ";
const DISABLE: &[u8] = b"gic_disable_irq ";
const ACKNOWLEDGE: &[u8] = b"gic_acknowledge_irq ";
const WRITE: &[u8] = b"gic_dist_write ";

/// Registers of the distributor, as offsets (4.1.2): a bit for each interrupt pends or clears it,
/// two bits configure it, and one register pends an interrupt of software.
const SET_PENDING: Range<u32> = 0x200..0x280;
const CLEAR_PENDING: Range<u32> = 0x280..0x300;
const CONFIGURATION: Range<u32> = 0xC00..0xD00;
const SOFTWARE_GENERATED: u32 = 0xF00;

/// Interrupts with lower numbers are pended by software, and are always enabled.
const SOFTWARE_INTERRUPTS: u16 = 16;
/// An interrupt number from here on says that no interrupt is pending (3.2.5).
const SPECIAL: u32 = 1020;

#[derive(Default)]
pub struct Gic {
    changes: Vec<Change>,
    enabled: HashSet<u16>,
    high: HashSet<u16>,
    /// The edge-triggered interrupts. They stay pending when their line falls.
    edges: HashSet<u16>,
}

impl Controller for Gic {
    fn read(&mut self, line: &[u8]) {
        let irq = || u16::try_from(number_after(line, b" irq ", 10).filter(|&n| n < SPECIAL)?).ok();
        if line.starts_with(WRITE) {
            let at = number_after(line, b"at 0x", 16);
            let (bytes, value) = (
                number_after(line, b"size ", 10),
                number_after(line, b": 0x", 16),
            );
            if let (Some(at), Some(bytes), Some(value)) = (at, bytes, value) {
                self.write(at, bytes, value);
            }
        } else if let Some(number) = irq() {
            match () {
                () if line.starts_with(LEVEL) => {
                    self.level(number, number_after(line, b"level ", 10) == Some(1));
                }
                () if line.starts_with(ENABLE) => drop(self.enabled.insert(number)),
                () if line.starts_with(DISABLE) => self.disable(number),
                () if line.starts_with(ACKNOWLEDGE) => self.push(Change::Acknowledged, number),
                () => {}
            }
        }
    }

    fn changes(&mut self) -> &mut Vec<Change> {
        &mut self.changes
    }
}

impl Gic {
    fn push(&mut self, change: impl FnOnce(u16) -> Change, number: u16) {
        self.changes
            .push(change(Change::FIRST_OF_CONTROLLER + number));
    }

    fn pend(&mut self, number: u16) {
        if number < SOFTWARE_INTERRUPTS || self.enabled.contains(&number) {
            self.push(Change::Pending, number);
        }
    }

    fn level(&mut self, number: u16, is_high: bool) {
        let has_changed = match is_high {
            true => self.high.insert(number),
            false => self.high.remove(&number),
        };
        if !has_changed {
            return;
        }
        if !self.edges.contains(&number) {
            let is_high = is_high && self.enabled.contains(&number);
            self.push(|number| Change::Line(number, is_high), number);
            if !is_high {
                self.push(Change::Cleared, number);
            }
        }
        if is_high {
            self.pend(number);
        }
    }

    /// Disables an interrupt. While it is disabled, it waits for the application and not for the
    /// kernel, so it has no latency.
    fn disable(&mut self, number: u16) {
        self.enabled.remove(&number);
        self.push(|number| Change::Line(number, false), number);
        self.push(Change::Cleared, number);
    }

    /// Handles the guest's write of `value` to the distributor.
    fn write(&mut self, at: u32, bytes: u32, value: u32) {
        let bits = (0..8 * bytes.min(4)).filter(|bit| value >> bit & 1 != 0);
        let number = |first: u32, bit: u32| (8 * (at - first) + bit) as u16;
        match at {
            SOFTWARE_GENERATED => self.request(value),
            at if SET_PENDING.contains(&at) => {
                bits.for_each(|bit| self.pend(number(SET_PENDING.start, bit)));
            }
            at if CLEAR_PENDING.contains(&at) => {
                let cleared = bits.map(|bit| number(CLEAR_PENDING.start, bit));
                let low: Vec<_> = cleared
                    .filter(|number| !self.high.contains(number))
                    .collect();
                low.into_iter()
                    .for_each(|number| self.push(Change::Cleared, number));
            }
            at if CONFIGURATION.contains(&at) => {
                for bit in (1..8 * bytes.min(4)).step_by(2) {
                    let number = number(CONFIGURATION.start, bit) / 2;
                    match value >> bit & 1 {
                        0 => drop(self.edges.remove(&number)),
                        _ => drop(self.edges.insert(number)),
                    }
                }
            }
            _ => {}
        }
    }

    /// Handles a write to GICD_SGIR (GICv2, 4.3.15), which requests a software-generated interrupt
    /// of listed processors, of all others, or of this one. The only processor is number 0.
    fn request(&mut self, value: u32) {
        let is_own = match value >> 24 & 3 {
            0 => value >> 16 & 1 != 0,
            filter => filter == 2,
        };
        if is_own {
            self.pend((value & 0xF) as u16);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(lines: &[&str]) -> Vec<Change> {
        let mut gic = Gic::default();
        lines.iter().for_each(|line| gic.read(line.as_bytes()));
        gic.changes
    }

    const TIMER: u16 = Change::FIRST_OF_CONTROLLER + 27;
    const ENABLED: &str = "gic_enable_irq irq 27 enabled";
    const HIGH: &str = "gic_set_irq irq 27 level 1 cpumask 0x1 target 0x1";
    const LOW: &str = "gic_set_irq irq 27 level 0 cpumask 0x1 target 0x1";

    #[test]
    fn a_line_pends_an_enabled_interrupt_while_it_is_high() {
        let (risen, fallen) = (Change::Line(TIMER, true), Change::Line(TIMER, false));
        let (pending, cleared) = (Change::Pending(TIMER), Change::Cleared(TIMER));
        assert_eq!(
            changes(&[ENABLED, HIGH, HIGH, LOW]),
            [risen, pending, fallen, cleared]
        );
        assert_eq!(
            changes(&[HIGH, ENABLED]),
            [fallen, cleared],
            "it was pending before"
        );
        let edge = "gic_dist_write dist write at 0x00000c04 size 4: 0x00800000";
        assert_eq!(changes(&[edge, ENABLED, HIGH, LOW]), [pending]);
        let off = "gic_disable_irq irq 27 disabled";
        assert_eq!(
            changes(&[ENABLED, off, HIGH]),
            [fallen, cleared, fallen, cleared]
        );
    }

    #[test]
    fn software_pends_and_clears() {
        let write = |at: &str, value: &str| {
            format!("gic_dist_write dist write at 0x00000{at} size 4: 0x{value}")
        };
        let number = Change::FIRST_OF_CONTROLLER + 2;
        let (own, others) = (write("f00", "02000002"), write("f00", "01000002"));
        let (listed, unlisted) = (write("f00", "00010002"), write("f00", "00020002"));
        assert_eq!(
            changes(&[&own, &others, &listed, &unlisted]),
            [Change::Pending(number); 2]
        );
        let (set, clear) = (write("200", "00000004"), write("280", "00000004"));
        assert_eq!(
            changes(&[&set, &clear]),
            [Change::Pending(number), Change::Cleared(number)]
        );
    }

    #[test]
    fn only_an_interrupt_is_acknowledged() {
        let line = |irq| format!("gic_acknowledge_irq cpu 0 acknowledged irq {irq}");
        assert_eq!(changes(&[&line(1023)]), []);
        assert_eq!(changes(&[&line(27)]), [Change::Acknowledged(TIMER)]);
    }
}
