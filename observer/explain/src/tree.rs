// SPDX-License-Identifier: MIT
//! Stores the call tree: for each node, the number of calls and the cost without callees.

use crate::functions::FunctionId;
use rustc_hash::FxHashMap;
use ticklab_isa::{Tally, LANES};

/// A sum of tallies over many samples. It is signed, because a tally may be a negative correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum(pub [i64; LANES]);

impl Default for Sum {
    fn default() -> Self {
        Sum::ZERO
    }
}

impl Sum {
    pub const ZERO: Sum = Sum([0; LANES]);

    pub fn add(&mut self, tally: &Tally, times: i64) {
        for (sum, &count) in self.0.iter_mut().zip(&tally.0) {
            *sum += i64::from(count as i32) * times;
        }
    }

    pub fn add_sum(&mut self, other: &Sum) {
        for (sum, count) in self.0.iter_mut().zip(&other.0) {
            *sum += count;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

/// The item for which a node of the call tree stands: a task, an exception, a function, or work of
/// the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A task, by its number.
    Task(usize),
    /// An exception, by its number.
    Exception(u16),
    Function(FunctionId),
    Inlined(FunctionId),
    Hardware(Hardware),
}

/// Work of the processor itself when an exception is entered or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hardware {
    Entry,
    Exit,
    TailChain,
}

impl Hardware {
    pub const ALL: [Hardware; 3] = [Hardware::Entry, Hardware::Exit, Hardware::TailChain];

    pub fn name(self) -> &'static str {
        match self {
            Hardware::Entry => "exception entry",
            Hardware::Exit => "exception exit",
            Hardware::TailChain => "tail-chain",
        }
    }
}

pub struct Node {
    pub parent: Option<NodeId>,
    pub role: Role,
    pub calls: i64,
    pub own: Sum,
}

#[derive(Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
    children: FxHashMap<(Option<NodeId>, Role), NodeId>,
}

impl Tree {
    pub fn child(&mut self, parent: Option<NodeId>, role: Role) -> NodeId {
        if let Some(&known) = self.children.get(&(parent, role)) {
            return known;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            parent,
            role,
            calls: 0,
            own: Sum::ZERO,
        });
        self.children.insert((parent, role), id);
        id
    }

    pub fn get(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// Returns the sum of each node and all its descendants. Children have higher indices than
    /// their parents.
    pub fn totals(&self) -> Vec<Sum> {
        let mut totals: Vec<_> = self.nodes.iter().map(|node| node.own).collect();
        for index in (0..self.nodes.len()).rev() {
            if let Some(parent) = self.nodes[index].parent {
                let below = totals[index];
                totals[parent.0 as usize].add_sum(&below);
            }
        }
        totals
    }
}
