// SPDX-License-Identifier: MIT
//! Which task runs, by where its registers were saved.
//!
//! A task whose registers are restored is the one whose registers were saved there last. If nobody
//! saved registers there, the task is new. It runs when the exception that restored the registers
//! is left ([`Context`] says how saving is recognised). So tasks are told apart without knowledge
//! of the kernel. A kernel that switches tasks in another way shows as a single task.

use crate::recording::Context;
use std::collections::HashMap;

pub struct Tasks {
    /// The number of the running task; the first is 0.
    pub current: usize,
    /// How many there were.
    pub count: usize,
    /// Whose registers are saved where.
    slots: HashMap<u32, usize>,
    /// Where the registers came from of the task that runs when the exception is left.
    restored: Option<u32>,
}

impl Default for Tasks {
    fn default() -> Tasks {
        Tasks {
            current: 0,
            count: 1,
            slots: HashMap::new(),
            restored: None,
        }
    }
}

impl Tasks {
    /// Registers were saved or restored inside an exception.
    pub fn switch(&mut self, context: Context) {
        if context.is_save {
            self.slots.insert(context.slot, self.current);
        } else {
            self.restored = Some(context.slot);
        }
    }

    /// An exception was left. Returns whether another task runs now.
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

    /// A new task runs.
    pub fn begin(&mut self) {
        self.current = self.count;
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn save(slot: u32) -> Context {
        Context {
            is_save: true,
            slot,
        }
    }

    fn restore(slot: u32) -> Context {
        Context {
            is_save: false,
            slot,
        }
    }

    #[test]
    fn a_task_goes_on_where_it_was_saved() {
        let mut tasks = Tasks::default();
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
        let mut tasks = Tasks::default();
        assert!(!tasks.resume());
        tasks.switch(save(0x100));
        tasks.switch(restore(0x100));
        assert!(!tasks.resume());
    }

    #[test]
    fn a_place_names_a_task_only_while_it_is_saved_there() {
        let mut tasks = Tasks::default();
        for (from, to) in [(0x100, 0x200), (0x300, 0x100), (0x400, 0x100)] {
            tasks.switch(save(from));
            tasks.switch(restore(to));
            tasks.resume();
        }
        assert_eq!(tasks.current, 2);
    }
}
