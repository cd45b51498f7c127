// SPDX-License-Identifier: MIT
//! The call tree: who called whom, and what each did by itself.

use crate::cells::Mixer;
use crate::functions::FunctionId;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use ticklab_isa::{Tally, LANES};

/// A sum of tallies over many samples. Signed, for a correction may be "minus one".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum(pub [i64; LANES]);

impl Default for Sum {
    fn default() -> Self {
        Sum::ZERO
    }
}

impl Sum {
    pub const ZERO: Sum = Sum([0; LANES]);

    pub fn add(&mut self, tally: &Tally, times: u64) {
        for (sum, &count) in self.0.iter_mut().zip(&tally.0) {
            *sum += i64::from(count as i32) * times as i64;
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

/// What a node stands for.
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

/// What the processor does by itself.
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
    pub calls: u64,
    pub own: Sum,
}

#[derive(Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
    children: HashMap<(Option<NodeId>, Role), NodeId, BuildHasherDefault<Mixer>>,
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

    /// What each node and all below it did: children come after their parents.
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
