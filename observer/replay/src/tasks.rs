// SPDX-License-Identifier: MIT
//! Identifies the running task by the address at which its registers were saved.
//!
//! When registers are restored from an address, the task whose registers were last saved there
//! continues. If no registers were saved there, a new task begins. The task runs when the exception
//! that restored its registers returns, or at once in thread mode ([`Context`] describes how saving
//! is recognised). Tasks are thereby distinguished without knowledge of the kernel. A kernel that
//! switches tasks in another way shows as a single task.

use std::collections::HashMap;
use ticklab_processor::Context;

pub struct TaskSwitches {
    /// The number of the running task; the first is 0.
    pub current: usize,
    /// The number of tasks so far.
    pub count: usize,
    /// The task whose registers are saved at an address.
    slots: HashMap<u32, usize>,
    /// The address from which registers were restored; their task runs next.
    restored: Option<u32>,
}

impl Default for TaskSwitches {
    fn default() -> TaskSwitches {
        TaskSwitches {
            current: 0,
            count: 1,
            slots: HashMap::new(),
            restored: None,
        }
    }
}

impl TaskSwitches {
    /// Handles a save or a restore of a task's registers.
    pub fn switch(&mut self, context: Context) {
        if context.is_save {
            self.slots.insert(context.slot, self.current);
        } else {
            self.restored = Some(context.slot);
        }
    }

    /// Returns whether the registers of a task were restored, so that a task switch is about to
    /// end.
    #[must_use]
    pub fn is_switching(&self) -> bool {
        self.restored.is_some()
    }

    /// Handles the end of a task switch. Returns whether another task runs now.
    pub fn resume(&mut self) -> bool {
        let Some(slot) = self.restored.take() else {
            return false;
        };
        let before = self.current;
        match self.slots.remove(&slot) {
            Some(task) => self.current = task,
            None => self.begin(),
        }
        self.current != before
    }

    /// Begins a new task, which runs now.
    pub fn begin(&mut self) {
        self.current = self.count;
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ticklab_processor::Moves;

    fn save(slot: u32) -> Context {
        Context {
            is_save: true,
            slot,
            moves: Moves::CalleeSaved,
        }
    }

    fn restore(slot: u32) -> Context {
        Context {
            is_save: false,
            slot,
            moves: Moves::CalleeSaved,
        }
    }

    #[test]
    fn a_task_continues_when_its_registers_are_restored() {
        let mut tasks = TaskSwitches::default();
        tasks.switch(save(0x100));
        tasks.switch(restore(0x200));
        assert!(tasks.resume());
        assert_eq!(tasks.current, 1);
        tasks.switch(save(0x300));
        tasks.switch(restore(0x100));
        assert!(tasks.resume());
        assert_eq!((tasks.current, tasks.count), (0, 2));
    }

    #[test]
    fn an_exception_without_a_switch_changes_nothing() {
        let mut tasks = TaskSwitches::default();
        assert!(!tasks.resume());
        tasks.switch(save(0x100));
        tasks.switch(restore(0x100));
        assert!(!tasks.resume());
    }

    #[test]
    fn an_address_identifies_a_task_only_while_its_registers_are_saved_there() {
        let mut tasks = TaskSwitches::default();
        for (from, to) in [(0x100, 0x200), (0x300, 0x100), (0x400, 0x100)] {
            tasks.switch(save(from));
            tasks.switch(restore(to));
            tasks.resume();
        }
        assert_eq!(tasks.current, 2);
    }
}
