// SPDX-License-Identifier: GPL-2.0-or-later
//! Reads the states of interrupts from QEMU's trace, while QEMU runs.
//!
//! QEMU's plugin interface reports no interrupts, but QEMU traces its interrupt controller (`-trace
//! nvic_*`) to the file of `-D`, and writes each line at once. This file is mapped into memory, so
//! that a check for a new line, at the beginning of each block, reads one byte. States change only
//! between blocks: when a timer expires, or after an instruction that writes to the controller,
//! which ends its block because of `-icount`. The moment is therefore exact.
//!
//! A line costs more than the rest of an interrupt. So there are two sets of events: all, which say
//! how each state changes, and few, from which the same follows. With few, the observer's own
//! recognition of entries tells when an interrupt is taken, and the guest's writes tell what
//! becomes pending. Where this would not be exact, [`Interrupts::needs_all`] says so.
//!
//! A mapping cannot grow with its file, so the file is sparse and longer than all that QEMU will
//! write. Pages that were read are returned to the system.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
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
/// Both lines of writes have their address after this many bytes.
const ADDRESS_AT: usize = 28;

/// The registers of the NVIC with a bit for each interrupt, by their offsets in the System Control
/// Space (DDI 0403E, B3.4.3).
const ISER: u32 = 0x100;
const ICER: u32 = 0x180;
const ISPR: u32 = 0x200;
const ICPR: u32 = 0x280;
const REGISTERS_BYTES: u32 = 0x40;
const FIRST_INTERRUPT: u16 = 16;

/// Other registers there (B3.2.4, B3.2.5, B3.2.26), and the interrupt of STIR.
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

/// Room for more than 100 million lines.
const BYTES: usize = 16 << 30;
const RETURNED_BYTES: usize = 16 << 20;

pub struct Interrupts {
    file: File,
    /// Empty until the guest runs: QEMU empties the file when it opens it.
    text: &'static [u8],
    read: usize,
    returned: usize,
    states: States,
}

/// The changes that are not yet reported, and the interrupts that the guest enabled. A line says
/// whether the interrupt is enabled if QEMU pends it, but not if the guest pends it.
#[derive(Default)]
struct States {
    changes: Vec<Change>,
    enabled: HashSet<u16>,
    few: Option<Few>,
}

/// The states that follow from few events.
#[derive(Default)]
struct Few {
    /// The address of the vector table.
    table: u32,
    /// Whether the guest moved the table: the exception of a handler is then not known.
    has_moved: bool,
    /// Whether the timer pends SysTick.
    ticks: bool,
    /// The lines of devices that are high.
    high: HashSet<u16>,
}

impl Interrupts {
    /// With `table`, the address of the vector table at reset, QEMU traces few events.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(file: &Path, table: Option<u32>) -> io::Result<Interrupts> {
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
            states: States {
                few: table.map(Few::at),
                ..States::default()
            },
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

    /// Returns whether few events do not tell all changes.
    pub fn needs_all(&self) -> bool {
        self.states.few.as_ref().is_some_and(|few| few.has_moved)
    }

    /// Calls `report` with each change that QEMU has traced since the last call.
    ///
    /// Returns whether there were lines.
    #[inline]
    pub fn drain(&mut self, report: impl FnMut(Change)) -> bool {
        if self.byte(self.read) == 0 {
            return false;
        }
        self.lines();
        self.states.changes.drain(..).for_each(report);
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
        self.states.read(&self.text[begin..end]);
        if self.read - self.returned > RETURNED_BYTES {
            self.give_back();
        }
    }

    /// Returns the pages that were read to the system.
    fn give_back(&mut self) {
        let (offset, count) = (self.returned as i64, RETURNED_BYTES as i64);
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: a hole in our own file. If the file system has no holes, the file only grows.
        unsafe { libc::fallocate(self.file.as_raw_fd(), mode, offset, count) };
        self.returned += RETURNED_BYTES;
    }
}

impl States {
    fn read(&mut self, line: &[u8]) {
        if line.starts_with(WRITE) {
            if let Some((at, value)) = write_of(line) {
                self.write(at & 0xFFF, value);
            }
        } else if let Some(few) = &mut self.few {
            few.line(line, &self.enabled, &mut self.changes);
        } else {
            self.changes.extend(parse(line));
        }
    }

    /// Handles the guest's write of `value` to the register at `offset`.
    fn write(&mut self, offset: u32, value: u32) {
        if let Some(few) = &mut self.few {
            few.write(offset, value, &self.enabled, &mut self.changes);
        }
        let registers = [ISER, ICER, ISPR, ICPR];
        let within = |&base: &u32| (base..base + REGISTERS_BYTES).contains(&offset);
        let Some(base) = registers.into_iter().find(within) else {
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
    fn at(table: u32) -> Few {
        Few {
            table,
            ..Few::default()
        }
    }

    /// Handles the guest's write of `value` to a register that is not in the states' own.
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
            VTOR => self.has_moved |= value != self.table,
            STIR => {
                let number = FIRST_INTERRUPT + (value & STIR_NUMBER) as u16;
                changes.extend(enabled.get(&number).map(|&number| Change::Pending(number)));
            }
            _ => {}
        }
    }

    /// Keeps the level of a device's line. Returns whether it rises.
    fn set_level(&mut self, number: u16, is_high: bool) -> bool {
        if is_high {
            return self.high.insert(number);
        }
        self.high.remove(&number);
        false
    }

    /// Handles a line that is no write to the controller.
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

/// Returns the offset and the value of a write.
fn write_of(line: &[u8]) -> Option<(u32, u32)> {
    let (_, line) = line.split_at_checked(ADDRESS_AT)?;
    let at = number_after(line, b"addr 0x", 16)?;
    Some((at, number_after(line, b"data 0x", 16)?))
}

/// Returns the change that a line reports, unless an instruction causes the exception.
fn parse(line: &[u8]) -> Option<Change> {
    let is = |name: &[u8]| line.starts_with(name);
    let decimal = |word| number_after(line, word, 10);
    let number = u16::try_from(decimal(b" IRQ: ").or_else(|| decimal(b" irq "))?);
    let number = number.ok().filter(|&n| n == NMI || n >= PENDSV)?;
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

/// Returns the number that follows `word`, in this base.
fn number_after(line: &[u8], word: &[u8], base: u32) -> Option<u32> {
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
        let mut states = States::default();
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

    /// Returns the changes that few events tell.
    fn few(lines: &[&str]) -> States {
        let mut states = States {
            few: Some(Few::at(0x1000)),
            ..States::default()
        };
        lines.iter().for_each(|line| states.read(line.as_bytes()));
        states
    }

    fn writes(writes: &[(&str, &str)]) -> States {
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
        let needs_all = |at| writes(&[("d08", at)]).few.unwrap().has_moved;
        assert!(!needs_all("1000") && needs_all("20000000"));
    }

    #[test]
    fn follows_a_file_that_grows() {
        use std::io::Write;
        let name = std::env::temp_dir().join(format!("ticklab-{}", std::process::id()));
        let mut interrupts = Interrupts::open(&name, None).unwrap();
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
