// SPDX-License-Identifier: MIT
//! Which task runs, by where its registers were saved.
//!
//! A task whose registers are restored is the one whose registers were saved there last; nobody's:
//! a new one. It runs when the exception that did so is left (ticklab_replay::Context says how
//! saving is recognised). So tasks are told apart without knowing the kernel. A kernel that
//! restores registers one by one shows as a single task.

use crate::functions::FunctionId;
use std::collections::HashMap;
use ticklab_replay::Context;

pub struct Task {
    /// The function in which it began, seen when it first ran.
    pub began_in: Option<FunctionId>,
    /// Whether what it began in may be a trampoline that only calls the task's own function.
    pub is_beginning: bool,
    pub switches: u64,
}

pub struct Tasks {
    pub list: Vec<Task>,
    pub current: usize,
    /// Whose registers are saved where.
    slots: HashMap<u32, usize>,
    /// Where the registers came from of the task that goes on when the exception is left.
    restored: Option<u32>,
}

impl Tasks {
    pub fn new() -> Tasks {
        Tasks {
            list: vec![Task::new()],
            current: 0,
            slots: HashMap::new(),
            restored: None,
        }
    }

    /// Registers were saved or restored inside an exception.
    pub fn switch(&mut self, context: Context) {
        if context.is_save {
            self.slots.insert(context.slot, self.current);
        } else {
            self.restored = Some(context.slot);
        }
    }

    /// An exception was left. True if another task runs now.
    pub fn resume(&mut self) -> bool {
        let Some(slot) = self.restored.take() else {
            return false;
        };
        let task = self.slots.remove(&slot);
        let next = task.unwrap_or_else(|| self.begin());
        self.go_on(next)
    }

    /// Thread mode goes on with another stack: a task begins without an exception.
    pub fn enter_new(&mut self) {
        let next = self.begin();
        self.go_on(next);
    }

    fn begin(&mut self) -> usize {
        self.list.push(Task::new());
        self.list.len() - 1
    }

    fn go_on(&mut self, next: usize) -> bool {
        let is_other = next != self.current;
        self.current = next;
        self.list[next].switches += u64::from(is_other);
        is_other
    }

    pub fn running(&mut self) -> &mut Task {
        &mut self.list[self.current]
    }
}

impl Task {
    fn new() -> Task {
        Task {
            began_in: None,
            is_beginning: true,
            switches: 0,
        }
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
        let mut tasks = Tasks::new();
        tasks.switch(save(0x100));
        tasks.switch(restore(0x200));
        assert!(tasks.resume());
        assert_eq!(tasks.current, 1);
        tasks.switch(save(0x300));
        tasks.switch(restore(0x100));
        assert!(tasks.resume());
        assert_eq!((tasks.current, tasks.list.len()), (0, 2));
    }

    #[test]
    fn an_exception_without_a_switch_changes_nothing() {
        let mut tasks = Tasks::new();
        assert!(!tasks.resume());
        tasks.switch(save(0x100));
        tasks.switch(restore(0x100));
        assert!(!tasks.resume());
    }

    #[test]
    fn a_place_names_a_task_only_while_it_is_saved_there() {
        let mut tasks = Tasks::new();
        for (from, to) in [(0x100, 0x200), (0x300, 0x100), (0x400, 0x100)] {
            tasks.switch(save(from));
            tasks.switch(restore(to));
            tasks.resume();
        }
        assert_eq!(tasks.current, 2);
    }
}
