// SPDX-License-Identifier: MIT
//! The shadow call stack of one task or one active exception.
//!
//! A function that jumps to another (a tail call, or code that runs on into the next function) is
//! shown as its caller: what it asked for is part of what it costs. Such frames are left together,
//! because they share a return address.

use crate::depth::Depth;
use crate::functions::FunctionId;
use crate::tree::{NodeId, Role, Tree};
use ticklab_isa::{Flow, Instruction};

#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub function: FunctionId,
    pub node: NodeId,
    /// Where it returns to; none for the outermost.
    back: Option<u32>,
    /// Whether it was jumped to and returns together with the frame below.
    is_tail: bool,
    /// Of the stack when it was called.
    depth: i32,
}

#[derive(Clone, Debug)]
pub struct Stack {
    /// The node of the task or exception.
    pub root: NodeId,
    pub frames: Vec<Frame>,
    /// Services under way: at which depth, and which.
    pub services: Vec<(usize, FunctionId)>,
    pub depth: Depth,
}

/// How a step changed the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    None,
    /// So many frames were left.
    Left(usize),
    /// A function was called or jumped to.
    Entered(FunctionId),
}

/// Execution goes from the end of `from` to `to`, with no exception between.
pub struct Step<'a> {
    pub from: &'a Instruction,
    /// What is inlined around `from`.
    pub inlined: &'a [FunctionId],
    pub to: u32,
    pub function: FunctionId,
    /// Whether `to` is where `function` begins.
    pub is_start: bool,
    /// How many samples a call counts for.
    pub weight: u64,
}

impl Stack {
    pub fn new(root: NodeId) -> Stack {
        Stack {
            root,
            frames: Vec::new(),
            services: Vec::new(),
            depth: Depth::default(),
        }
    }

    pub fn leaf(&self) -> NodeId {
        self.frames.last().map_or(self.root, |frame| frame.node)
    }

    /// The running function.
    pub fn function(&self) -> Option<FunctionId> {
        self.frames.last().map(|frame| frame.function)
    }

    /// The function that called the running one.
    pub fn caller(&self) -> Option<FunctionId> {
        let below = self.frames.len().checked_sub(2)?;
        Some(self.frames[below].function)
    }

    #[inline]
    pub fn step(&mut self, step: &Step, tree: &mut Tree) -> Change {
        let from = step.from;
        match from.flow {
            Flow::Call { .. } | Flow::IndirectCall
                if step.to != from.end() || !from.conditional =>
            {
                self.call(step, tree)
            }
            Flow::Return | Flow::IndirectBranch => match self.returned(step.to) {
                0 => self.jump(step, tree),
                left => Change::Left(left),
            },
            _ => self.jump(step, tree),
        }
    }

    /// Calls `function`, whose node is known.
    pub fn enter(&mut self, function: FunctionId, node: NodeId, back: u32) {
        self.frames.push(Frame {
            function,
            node,
            back: Some(back),
            is_tail: false,
            depth: self.depth.now,
        });
    }

    fn call(&mut self, step: &Step, tree: &mut Tree) -> Change {
        let mut parent = self.leaf();
        for &inlined in step.inlined {
            parent = tree.child(Some(parent), Role::Inlined(inlined));
        }
        self.push(parent, step, Some(step.from.end()), false, tree);
        Change::Entered(step.function)
    }

    fn push(
        &mut self,
        parent: NodeId,
        step: &Step,
        back: Option<u32>,
        is_tail: bool,
        tree: &mut Tree,
    ) {
        let node = tree.child(Some(parent), Role::Function(step.function));
        tree.get(node).calls += step.weight;
        self.frames.push(Frame {
            function: step.function,
            node,
            back,
            is_tail,
            depth: self.depth.now,
        });
    }

    /// How many frames a return to `to` leaves.
    fn returned(&mut self, to: u32) -> usize {
        let Some(mut kept) = self.frames.iter().rposition(|frame| frame.back == Some(to)) else {
            return 0;
        };
        while self.frames[kept].is_tail && kept > 0 {
            kept -= 1;
        }
        let left = self.frames.len() - kept;
        self.depth.now = self.frames[kept].depth;
        self.frames.truncate(kept);
        left
    }

    /// Neither a call nor a return: within the function, or over to another.
    #[inline]
    fn jump(&mut self, step: &Step, tree: &mut Tree) -> Change {
        match self.frames.last() {
            Some(top) if top.function == step.function => Change::None,
            Some(top) => self.over(step, top.back, tree),
            None => self.over(step, None, tree),
        }
    }

    fn over(&mut self, step: &Step, back: Option<u32>, tree: &mut Tree) -> Change {
        let tails = self
            .frames
            .iter()
            .rev()
            .take_while(|frame| frame.is_tail)
            .count();
        let chain = self.frames.len().saturating_sub(tails + 1);
        let known = self.frames[chain..]
            .iter()
            .position(|f| f.function == step.function);
        if let Some(position) = known {
            let left = self.frames.len() - (chain + position + 1);
            self.frames.truncate(chain + position + 1);
            return Change::Left(left);
        }
        let (parent, is_tail) = (self.leaf(), !self.frames.is_empty());
        let calls = Step {
            weight: if step.is_start { step.weight } else { 0 },
            ..*step
        };
        self.push(parent, &calls, back, is_tail, tree);
        Change::Entered(step.function)
    }

    /// Behind an exception execution goes on at `to`: where it was, where it was about to go, or
    /// where a kernel sent it.
    pub fn resume(&mut self, step: &Step, tree: &mut Tree) -> Change {
        if self
            .frames
            .last()
            .is_some_and(|top| top.function == step.function)
        {
            return Change::None;
        }
        let left = self.returned(step.to);
        if left > 0 {
            return Change::Left(left);
        }
        if step.is_start && !self.frames.is_empty() {
            return self.jump(step, tree);
        }
        self.begin_again(step, tree)
    }

    fn begin_again(&mut self, step: &Step, tree: &mut Tree) -> Change {
        if let Some(top) = self
            .frames
            .iter()
            .rposition(|f| f.function == step.function)
        {
            let left = self.frames.len() - top - 1;
            self.frames.truncate(top + 1);
            return Change::Left(left);
        }
        if let Some(outermost) = self.frames.first() {
            self.depth.now = outermost.depth;
        }
        self.frames.clear();
        self.push(self.root, step, None, false, tree);
        Change::Entered(step.function)
    }
}
