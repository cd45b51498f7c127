// SPDX-License-Identifier: MIT
//! Collects the timeline of a run: the events of the kernel and of the benchmark, in order of time.

use serde_json::{json, Value};
use std::collections::HashMap;

/// A point in time, since reset.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timestamp {
    pub instructions: u64,
    pub cycles_low: u64,
    pub cycles_high: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    TaskSwitch,
    ExceptionEnter,
    ExceptionLeave,
    Masked,
    Unmasked,
    ServiceCall,
    ServiceReturn,
    Mark,
    SpanBegin,
    SpanEnd,
}

/// An event. Its task is a number, because the names of tasks are known only at the end of the run.
struct Event {
    kind: Kind,
    name: Name,
    task: usize,
    at: Timestamp,
}

/// The name of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    Task(usize),
    Text(String),
}

#[derive(Default)]
pub struct Timeline {
    events: Vec<Event>,
}

impl Timeline {
    pub fn add(&mut self, kind: Kind, name: Name, task: usize, at: Timestamp) {
        self.events.push(Event {
            kind,
            name,
            task,
            at,
        });
    }

    pub fn to_json(&self, tasks: &[String]) -> Value {
        let mut names = Names::default();
        let columns = [
            "kind",
            "name",
            "task",
            "instructions",
            "cycles_low",
            "cycles_high",
        ];
        let events: Vec<_> = self
            .events
            .iter()
            .map(|event| event.row(tasks, &mut names))
            .collect();
        json!({"schema": 1, "columns": columns, "names": names.list, "events": events})
    }
}

impl Event {
    fn row(&self, tasks: &[String], names: &mut Names) -> [u64; 6] {
        let name = match &self.name {
            Name::Task(task) => names.get(&tasks[*task]),
            Name::Text(text) => names.get(text),
        };
        let (task, at) = (names.get(&tasks[self.task]), self.at);
        let kind = self.kind as u64;
        [
            kind,
            name,
            task,
            at.instructions,
            at.cycles_low,
            at.cycles_high,
        ]
    }
}

#[derive(Default)]
struct Names {
    list: Vec<String>,
    index: HashMap<String, u64>,
}

impl Names {
    fn get(&mut self, name: &str) -> u64 {
        if let Some(&known) = self.index.get(name) {
            return known;
        }
        let next = self.list.len() as u64;
        self.list.push(name.to_owned());
        self.index.insert(name.to_owned(), next);
        next
    }
}
