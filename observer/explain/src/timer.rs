// SPDX-License-Identifier: MIT
//! Derives when RISC-V's timer interrupt becomes pending, from its comparand and the clock.
//!
//! The clock (mtime) counts virtual time, which grows by the same amount with each instruction. It
//! jumps only if the processor waits. It then jumps to the moment at which the timer is due,
//! because no other device wakes the processor at a given time.

/// The number of the timer's interrupt: 16 plus its cause (privileged specification, table 3.6).
pub const TIMER: u16 = 16 + 7;

/// The period of the clock of QEMU's `virt` machine.
const COUNT_NS: u64 = 100;

#[derive(Default)]
pub struct Timer {
    instruction_ns: u64,
    /// The virtual time after `instructions` executed instructions; `None` if the guest set the
    /// clock.
    now_ns: Option<u64>,
    instructions: u32,
    /// The virtual time at which the timer is due, if it is armed.
    due_ns: Option<u64>,
}

impl Timer {
    pub fn new(instruction_ns: u64) -> Timer {
        Timer {
            instruction_ns,
            now_ns: Some(0),
            ..Timer::default()
        }
    }

    /// Arms the timer, at the end of an instruction that set its comparand.
    pub fn set(&mut self, comparand: u64, instructions: u32) {
        self.due_ns = self.advance(instructions).map(|now| {
            let left = comparand.saturating_sub(now / COUNT_NS);
            now.saturating_add(left.saturating_mul(COUNT_NS))
        });
    }

    pub fn lose(&mut self) {
        (self.now_ns, self.due_ns) = (None, None);
    }

    /// Returns whether the armed timer has become due. `has_waited` says whether the last
    /// instruction waited for an interrupt.
    #[inline]
    pub fn is_due(&self, instructions: u32, has_waited: bool) -> bool {
        let (Some(due), Some(now)) = (self.due_ns, self.now_ns) else {
            return false;
        };
        let passed = u64::from(instructions.wrapping_sub(self.instructions));
        has_waited || now + passed * self.instruction_ns >= due
    }

    /// Disarms the timer, which is due. The clock may have jumped to the moment at which the timer
    /// was due.
    pub fn ring(&mut self, instructions: u32) {
        let now = self.advance(instructions);
        self.now_ns = now.max(self.due_ns.take());
    }

    fn advance(&mut self, instructions: u32) -> Option<u64> {
        let passed = u64::from(instructions.wrapping_sub(self.instructions));
        self.instructions = instructions;
        self.now_ns = self.now_ns.map(|now| now + passed * self.instruction_ns);
        self.now_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_due_at_the_first_instruction_that_reaches_the_comparand() {
        let mut timer = Timer::new(64);
        assert!(!timer.is_due(1_000_000, true), "not armed");
        timer.set(10, 3); // at 192 ns, that is at count 1; due 900 ns later
        assert!(!timer.is_due(3 + 14, false));
        assert!(timer.is_due(3 + 15, false));
        timer.ring(18);
        assert!(!timer.is_due(1000, false));
        timer.set(0, 2000);
        assert!(timer.is_due(2000, false), "in the past");
    }

    #[test]
    fn the_clock_jumps_when_the_processor_waits() {
        let mut timer = Timer::new(1);
        timer.set(100, 0);
        assert!(timer.is_due(50, true));
        timer.ring(50); // it is 10 000 ns
        timer.set(101, 51);
        assert!(!timer.is_due(51 + 99, false));
        assert!(timer.is_due(51 + 100, false));
    }

    #[test]
    fn a_clock_that_the_guest_set_tells_nothing() {
        let mut timer = Timer::new(1);
        timer.set(1, 0);
        timer.lose();
        timer.set(1, 10);
        assert!(!timer.is_due(1_000_000, true));
    }
}
