// SPDX-License-Identifier: MIT
//! The tasks that ran, with what the answer says of each. `ticklab_replay::Tasks` tells them apart.

use crate::functions::FunctionId;
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
    switches: ticklab_replay::Tasks,
}

impl Tasks {
    pub fn new() -> Tasks {
        Tasks {
            list: vec![Task::new()],
            current: 0,
            switches: ticklab_replay::Tasks::default(),
        }
    }

    /// Registers were saved or restored inside an exception.
    pub fn switch(&mut self, context: Context) {
        self.switches.switch(context);
    }

    /// An exception was left. True if another task runs now.
    pub fn resume(&mut self) -> bool {
        self.switches.resume() && self.go_on()
    }

    /// Thread mode goes on with another stack: a task begins without an exception.
    pub fn enter_new(&mut self) {
        self.switches.begin();
        self.go_on();
    }

    fn go_on(&mut self) -> bool {
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
