// SPDX-License-Identifier: MIT
//! Stores the tasks that ran, with their names and switches. `ticklab_replay::TaskSwitches` decides
//! which task runs.

use crate::functions::FunctionId;
use ticklab_replay::Context;

pub struct Task {
    /// The function in which the task began, known when it first ran.
    pub began_in: Option<FunctionId>,
    /// Whether `began_in` may be a trampoline that only calls the task's own function.
    pub is_beginning: bool,
    pub switches: u64,
}

pub struct Tasks {
    pub list: Vec<Task>,
    pub current: usize,
    switches: ticklab_replay::TaskSwitches,
}

impl Tasks {
    pub fn new() -> Tasks {
        Tasks {
            list: vec![Task::new()],
            current: 0,
            switches: ticklab_replay::TaskSwitches::default(),
        }
    }

    /// Handles a save or a restore of a task's registers.
    pub fn switch(&mut self, context: Context) {
        self.switches.switch(context);
    }

    /// Returns whether the registers of the task that runs next were restored.
    pub fn is_switching(&self) -> bool {
        self.switches.is_switching()
    }

    /// Handles the end of a task switch. Returns whether another task runs now.
    pub fn resume(&mut self) -> bool {
        self.switches.resume() && self.update()
    }

    /// Begins a task without an exception, because thread mode continues with another stack.
    pub fn enter_new(&mut self) {
        self.switches.begin();
        self.update();
    }

    fn update(&mut self) -> bool {
        self.current = self.switches.current;
        self.list.resize_with(self.switches.count, Task::new);
        self.running().switches += 1;
        true
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
