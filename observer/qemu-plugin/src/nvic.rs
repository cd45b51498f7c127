// SPDX-License-Identifier: GPL-2.0-or-later
//! Tracks the states of interrupts of the NVIC (M profile) from QEMU's trace.
//!
//! A line of the trace takes more time than the rest of an interrupt. So there are three sets of
//! traced events. All events report each change of a state. A few of them suffice if the observer
//! itself recognises the entries of handlers, and derives from the guest's traced writes what
//! becomes pending. Even fewer suffice if the written values follow from the code that stores them.
//! If a smaller set does not give exact results, [`Controller::needs_more`] says so.

use crate::interrupts::{number_after, Controller};
use std::collections::HashSet;
use ticklab_explain::Change;

/// The beginnings of the lines, each an event that QEMU's documentation of tracing lists.
const PENDING: &[u8] = b"nvic_set_pending ";
const CLEARED: &[u8] = b"nvic_clear_pending ";
const TAKEN: &[u8] = b"nvic_acknowledge_irq ";
const LINE: &[u8] = b"nvic_set_irq_level ";
const WRITE: &[u8] = b"nvic_sysreg_write ";
const NMI_LINE: &[u8] = b"nvic_set_nmi_level ";
const TICK: &[u8] = b"systick_timer_tick ";
const TIMER_WRITE: &[u8] = b"systick_write ";
/// In both kinds of lines about writes, the address begins after this many bytes.
const ADDRESS_AT: usize = 28;

/// The System Control Space (DDI 0403E, B3.1.1).
const CONTROL_SPACE: u32 = 0xE000_E000;
const CONTROL_SPACE_BYTES: u32 = 0x1000;

/// The registers of the NVIC with a bit for each interrupt, by their offsets in the System Control
/// Space (DDI 0403E, B3.4.3).
const ISER: u32 = 0x100;
const ICER: u32 = 0x180;
const ISPR: u32 = 0x200;
const ICPR: u32 = 0x280;
const REGISTERS_BYTES: u32 = 0x40;
const FIRST_INTERRUPT: u16 = 16;

/// Other registers in the System Control Space (B3.2.4, B3.2.5, B3.2.26), and the number of the
/// interrupt that STIR pends.
const ICSR: u32 = 0xD04;
const VTOR: u32 = 0xD08;
const STIR: u32 = 0xF00;
const STIR_NUMBER: u32 = 0x1FF;
/// The bits of ICSR that pend or clear an exception; a bit that pends comes first.
const PENDS: [(u32, u16); 3] = [(31, NMI), (28, PENDSV), (26, SYSTICK)];
const CLEARS: [(u32, u32, u16); 2] = [(27, 28, PENDSV), (25, 26, SYSTICK)];
/// The bit of the timer's control register, at offset 0, that lets it pend SysTick (B3.3.3).
const TICKINT: u32 = 1 << 1;

const NMI: u16 = 2;
/// The first exception that is not caused by an instruction: PendSV.
const PENDSV: u16 = 14;
const SYSTICK: u16 = 15;

/// The changes that are not yet reported, and the interrupts that the guest has enabled. A line of
/// the trace says whether an interrupt is enabled if a device pends it, but not if the guest pends
/// it.
#[derive(Default)]
pub struct Nvic {
    changes: Vec<Change>,
    enabled: HashSet<u16>,
    /// The exception that was taken last ([`Controller::taken`]). The few events do not show it.
    taken: Option<u16>,
    few: Option<Few>,
}

/// The states that are derived from the guest's code if QEMU traces few events.
#[derive(Default)]
struct Few {
    /// Whether the guest's writes are derived from its code, not traced.
    derives_writes: bool,
    /// The address of the vector table.
    table: u32,
    /// Whether few events do not suffice: the guest moved the vector table, so that the exception
    /// of a handler is unknown, or wrote an unknown value to a register with a bit for each
    /// interrupt.
    needs_more: bool,
    /// Whether the timer pends SysTick (TICKINT is set).
    ticks: bool,
    /// The lines of devices that are high.
    high: HashSet<u16>,
}

impl Controller for Nvic {
    fn read(&mut self, line: &[u8]) {
        if line.starts_with(WRITE) {
            if let Some((at, value)) = write_of(line) {
                self.write(at & 0xFFF, value);
            }
        } else if let Some(few) = &mut self.few {
            few.line(line, &self.enabled, &mut self.changes);
        } else {
            if line.starts_with(TAKEN) {
                self.taken = number_of(line);
            }
            self.changes.extend(parse(line));
        }
    }

    fn taken(&mut self) -> Option<u16> {
        self.taken.take()
    }

    fn changes(&mut self) -> &mut Vec<Change> {
        &mut self.changes
    }

    fn written(&mut self, address: u32, bytes: u32, value: Option<u32>) {
        let Some(few) = self.few.as_mut().filter(|few| few.derives_writes) else {
            return;
        };
        let offset = address.wrapping_sub(CONTROL_SPACE);
        if offset >= CONTROL_SPACE_BYTES {
            return;
        }
        match value {
            Some(value) => self.write(offset, low_bytes(value, bytes)),
            None if offset & !3 == ICSR => self.changes.push(Change::Perhaps(PENDSV)),
            None => few.needs_more |= matters(offset),
        }
    }

    fn needs_more(&self) -> bool {
        self.few.as_ref().is_some_and(|few| few.needs_more)
    }
}

impl Nvic {
    /// Creates the NVIC for a run in which QEMU traces all events.
    pub fn all() -> Nvic {
        Nvic::default()
    }

    /// Creates the NVIC for a run in which QEMU traces few events, without the guest's writes if
    /// `derives_writes`. `table` is the address of the vector table at reset.
    pub fn few(table: u32, derives_writes: bool) -> Nvic {
        let few = Few {
            table,
            derives_writes,
            ..Few::default()
        };
        Nvic {
            few: Some(few),
            ..Nvic::default()
        }
    }

    /// Handles the guest's write of `value` to the register at `offset`.
    fn write(&mut self, offset: u32, value: u32) {
        if let Some(few) = &mut self.few {
            few.write(offset, value, &self.enabled, &mut self.changes);
        }
        let Some(base) = registers_at(offset) else {
            return;
        };
        for bit in (0..u32::BITS).filter(|bit| value >> bit & 1 != 0) {
            let number = FIRST_INTERRUPT + (8 * (offset - base) + bit) as u16;
            match base {
                ISER => drop(self.enabled.insert(number)),
                ICER => drop(self.enabled.remove(&number)),
                ICPR => self.changes.push(Change::Cleared(number)),
                _ if self.enabled.contains(&number) => self.changes.push(Change::Pending(number)),
                _ => {}
            }
        }
    }
}

impl Few {
    /// Handles the guest's write of `value` to a register of the System Control Space that is not
    /// one of the registers with a bit for each interrupt.
    fn write(
        &mut self,
        offset: u32,
        value: u32,
        enabled: &HashSet<u16>,
        changes: &mut Vec<Change>,
    ) {
        let has = |bit: u32| value >> bit & 1 != 0;
        match offset {
            ICSR => {
                let pends = PENDS.iter().filter(|&&(bit, _)| has(bit));
                changes.extend(pends.map(|&(_, number)| Change::Pending(number)));
                let clears = CLEARS
                    .iter()
                    .filter(|&&(bit, set, _)| has(bit) && !has(set));
                changes.extend(clears.map(|&(_, _, number)| Change::Cleared(number)));
            }
            VTOR => self.needs_more |= value != self.table,
            STIR => {
                let number = FIRST_INTERRUPT + (value & STIR_NUMBER) as u16;
                changes.extend(enabled.get(&number).map(|&number| Change::Pending(number)));
            }
            _ => {}
        }
    }

    /// Stores the level of a device's interrupt line. Returns whether the line rises.
    fn set_level(&mut self, number: u16, is_high: bool) -> bool {
        if is_high {
            return self.high.insert(number);
        }
        self.high.remove(&number);
        false
    }

    /// Handles a line of the trace that is no write to the controller.
    fn line(&mut self, line: &[u8], enabled: &HashSet<u16>, changes: &mut Vec<Change>) {
        if line.starts_with(TICK) {
            changes.extend(self.ticks.then_some(Change::Pending(SYSTICK)));
        } else if line.starts_with(TIMER_WRITE) {
            if let Some((0, control)) = write_of(line) {
                self.ticks = control & TICKINT != 0;
            }
        } else if line.starts_with(NMI_LINE) {
            let is_high = number_after(line, b"set to ", 10) == Some(1);
            changes.extend(is_high.then_some(Change::Pending(NMI)));
        } else if let Some(Change::Line(number, is_high)) = parse(line) {
            changes.push(Change::Line(number, is_high));
            let rises = self.set_level(number, is_high);
            changes.extend((rises && enabled.contains(&number)).then_some(Change::Pending(number)));
        }
    }
}

/// Returns the offset of the group of registers to which the register at `offset` belongs, if it is
/// a group with a bit for each interrupt.
fn registers_at(offset: u32) -> Option<u32> {
    let within = |&base: &u32| (base..base + REGISTERS_BYTES).contains(&offset);
    [ISER, ICER, ISPR, ICPR].into_iter().find(within)
}

/// Returns whether a write at `offset` changes which interrupts are pending or enabled, or where a
/// handler is.
fn matters(offset: u32) -> bool {
    registers_at(offset).is_some() || matches!(offset & !3, VTOR | STIR)
}

fn low_bytes(value: u32, bytes: u32) -> u32 {
    value & u32::MAX >> (32 - 8 * bytes.clamp(1, 4))
}

/// Returns the offset and the value of a write, from a line of the trace.
fn write_of(line: &[u8]) -> Option<(u32, u32)> {
    let (_, line) = line.split_at_checked(ADDRESS_AT)?;
    let at = number_after(line, b"addr 0x", 16)?;
    Some((at, number_after(line, b"data 0x", 16)?))
}

/// Returns the exception of a line.
fn number_of(line: &[u8]) -> Option<u16> {
    let decimal = |word| number_after(line, word, 10);
    u16::try_from(decimal(b" IRQ: ").or_else(|| decimal(b" irq "))?).ok()
}

/// Returns the change that a line reports, unless an instruction causes the exception.
fn parse(line: &[u8]) -> Option<Change> {
    let is = |name: &[u8]| line.starts_with(name);
    let decimal = |word| number_after(line, word, 10);
    let number = number_of(line).filter(|&n| n == NMI || n >= PENDSV)?;
    if is(TAKEN) {
        return Some(Change::Taken(number));
    }
    if is(CLEARED) {
        return Some(Change::Cleared(number));
    }
    if is(LINE) {
        return Some(Change::Line(number, decimal(b"set to ")? != 0));
    }
    let is_enabled = is(PENDING) && decimal(b"enabled: ")? != 0;
    is_enabled.then_some(Change::Pending(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_lines_of_qemu() {
        for (line, change) in [
            (
                "nvic_set_pending NVIC set pending irq 14 secure-bank 0 targets_secure 0 \
                 derived 0 (enabled: 1 priority 255)",
                Some(Change::Pending(14)),
            ),
            (
                "nvic_set_pending NVIC set pending irq 29 secure-bank 0 targets_secure 0 \
                 derived 0 (enabled: 0 priority 0)",
                None,
            ),
            (
                "nvic_set_pending NVIC set pending irq 11 secure-bank 0 targets_secure 0 \
                 derived 0 (enabled: 1 priority 0)",
                None,
            ),
            (
                "nvic_clear_pending NVIC clear pending irq 15 secure-bank 0 (enabled: 1)",
                Some(Change::Cleared(15)),
            ),
            (
                "nvic_acknowledge_irq NVIC acknowledge IRQ: 300 now active (prio 254)",
                Some(Change::Taken(300)),
            ),
            (
                "nvic_set_irq_level NVIC external irq 48 level set to 1",
                Some(Change::Line(48, true)),
            ),
            ("nvic_acknowledge_irq NVIC acknowledge IRQ: 99999999", None),
            ("anything else", None),
        ] {
            assert_eq!(parse(line.as_bytes()), change, "{line}");
        }
    }

    #[test]
    fn a_guest_pends_an_interrupt_that_it_enabled() {
        let mut states = Nvic::default();
        for (at, data) in [
            ("e000e204", "0x2"),
            ("e000e104", "0x2"),
            ("e000e204", "0x6"),
            ("e000e284", "0x2"),
            ("e000e184", "0x2"),
            ("e000e204", "0x2"),
            ("e000ed04", "0x10000000"),
        ] {
            let line = format!("nvic_sysreg_write NVIC sysreg write addr 0x{at} data {data}");
            states.read(line.as_bytes());
        }
        assert_eq!(states.changes, [Change::Pending(49), Change::Cleared(49)]);
    }

    /// Returns the NVIC after these lines of a trace of few events.
    fn few(lines: &[&str]) -> Nvic {
        let mut states = Nvic::few(0x1000, false);
        lines.iter().for_each(|line| states.read(line.as_bytes()));
        states
    }

    fn writes(writes: &[(&str, &str)]) -> Nvic {
        let line = |&(at, data): &(&str, &str)| {
            format!("nvic_sysreg_write NVIC sysreg write addr 0x{at} data 0x{data} size 4")
        };
        let lines: Vec<_> = writes.iter().map(line).collect();
        few(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn few_events_tell_what_the_guest_pends_and_clears() {
        let states = writes(&[
            ("d04", "10000000"),
            ("d04", "8000000"),
            ("d04", "18000000"),
            ("d04", "86000000"),
            ("f00", "3"),
            ("100", "8"),
            ("f00", "3"),
            ("200", "8"),
            ("280", "8"),
        ]);
        let changes = [
            Change::Pending(14),
            Change::Cleared(14),
            Change::Pending(14),
            Change::Pending(NMI),
            Change::Pending(15),
            Change::Pending(19),
            Change::Pending(19),
            Change::Cleared(19),
        ];
        assert_eq!(states.changes, changes);
    }

    #[test]
    fn a_timer_pends_only_if_the_guest_asked_for_it() {
        let (tick, control) = (
            "systick_timer_tick systick reload",
            "systick_write systick write",
        );
        let on = format!("{control} addr 0x0 data 0x7 size 4");
        let period = format!("{control} addr 0x4 data 0x0 size 4");
        let off = format!("{control} addr 0x0 data 0x5 size 4");
        let states = few(&[tick, &on, &period, tick, &off, tick]);
        assert_eq!(states.changes, [Change::Pending(15)]);
    }

    #[test]
    fn a_line_pends_an_enabled_interrupt_when_it_rises() {
        let level = |level| format!("nvic_set_irq_level NVIC external irq 48 level set to {level}");
        let (low, high) = (level(0), level(1));
        let enable = "nvic_sysreg_write NVIC sysreg write addr 0x104 data 0x1 size 4";
        let states = few(&[&high, enable, &high, &low, &high]);
        let (risen, fallen) = (Change::Line(48, true), Change::Line(48, false));
        let pended = Change::Pending(48);
        assert_eq!(states.changes, [risen, risen, fallen, risen, pended]);
    }

    #[test]
    fn all_events_are_needed_once_the_guest_moves_its_vectors() {
        let needs_more = |at| writes(&[("d08", at)]).needs_more();
        assert!(!needs_more("1000") && needs_more("20000000"));
    }

    #[test]
    fn stores_of_constants_tell_what_lines_would() {
        let stores = |stores: &[(u32, u32, Option<u32>)]| {
            let mut states = Nvic::few(0x1000, true);
            for &(offset, bytes, value) in stores {
                states.written(CONTROL_SPACE + offset, bytes, value);
            }
            (std::mem::take(states.changes()), states.needs_more())
        };
        let (pended, perhaps) = (Change::Pending(PENDSV), Change::Perhaps(PENDSV));
        let pend = Some(1 << 28);
        assert_eq!(stores(&[(ICSR, 4, pend)]), (vec![pended], false));
        assert_eq!(stores(&[(ICSR, 4, None)]), (vec![perhaps], false));
        let enabled = [(ISER, 4, Some(1)), (ISPR, 1, Some(0x101))];
        assert_eq!(stores(&enabled), (vec![Change::Pending(16)], false));
        for offset in [ISER, ICER + 4, ISPR, ICPR + 0x3F, VTOR, STIR] {
            assert_eq!(stores(&[(offset, 4, None)]), (vec![], true), "{offset:#x}");
        }
        let priorities = (0x400, 1, None);
        let elsewhere = (0x1_0000, 4, None);
        assert_eq!(stores(&[priorities, elsewhere]), (vec![], false));
    }
}
