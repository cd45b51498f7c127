// SPDX-License-Identifier: MIT
//! Tracks which calls are in progress in one task or one active exception.
//!
//! If a function jumps to another function (a tail call, or code that continues into the next
//! function), the other function is shown as called by the first, so the cost of the second is part
//! of the cost of the first. Both frames are left together, because they have the same return
//! address.

use crate::depth::Depth;
use crate::functions::FunctionId;
use crate::tree::{NodeId, Role, Tree};
use ticklab_isa::{Flow, Instruction};

#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub function: FunctionId,
    pub node: NodeId,
    /// The return address; `None` for the outermost frame.
    back: Option<u32>,
    /// Whether a jump and not a call entered the function, so that the function returns together
    /// with the frame below.
    is_tail: bool,
    /// The depth of the stack, in bytes, when the function was called.
    depth: i32,
}

#[derive(Clone, Debug)]
pub struct Stack {
    /// The node of the task or exception in the call tree.
    pub root: NodeId,
    pub frames: Vec<Frame>,
    /// The kernel services in progress: how many frames there were at the call of the service, and
    /// its function.
    pub services: Vec<(usize, FunctionId)>,
    pub depth: Depth,
}

/// The effect of a transfer of control on the call stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackChange {
    None,
    /// The number of calls that the transfer ended.
    Left(usize),
    /// A function was called or jumped to.
    Entered(FunctionId),
}

/// A transfer of control from the end of `from` to `to`, without an exception between them.
pub struct Transfer<'a> {
    pub from: &'a Instruction,
    /// The functions inlined at `from`.
    pub inlined: &'a [FunctionId],
    pub to: u32,
    pub function: FunctionId,
    /// Whether `to` is the first instruction of `function`.
    pub is_start: bool,
    /// How often a call counts in the sums.
    pub weight: i64,
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

    /// Returns the running function.
    pub fn function(&self) -> Option<FunctionId> {
        self.frames.last().map(|frame| frame.function)
    }

    /// Returns the function that called the running function.
    pub fn caller(&self) -> Option<FunctionId> {
        let below = self.frames.len().checked_sub(2)?;
        Some(self.frames[below].function)
    }

    #[inline]
    pub fn transfer(&mut self, transfer: &Transfer, tree: &mut Tree) -> StackChange {
        let from = transfer.from;
        match from.flow {
            Flow::Call { .. } | Flow::IndirectCall
                if transfer.to != from.end() || !from.conditional =>
            {
                self.call(transfer, tree)
            }
            Flow::Return | Flow::IndirectBranch => match self.leave(transfer.to) {
                0 => self
                    .unwind(transfer)
                    .unwrap_or_else(|| self.jump(transfer, tree)),
                left => StackChange::Left(left),
            },
            _ => self.jump(transfer, tree),
        }
    }

    /// Enters a call of `function`, whose node is already known.
    pub fn enter(&mut self, function: FunctionId, node: NodeId, back: u32) {
        self.frames.push(Frame {
            function,
            node,
            back: Some(back),
            is_tail: false,
            depth: self.depth.now,
        });
    }

    fn call(&mut self, transfer: &Transfer, tree: &mut Tree) -> StackChange {
        let mut parent = self.leaf();
        for &inlined in transfer.inlined {
            parent = tree.child(Some(parent), Role::Inlined(inlined));
        }
        self.push(parent, transfer, Some(transfer.from.end()), false, tree);
        StackChange::Entered(transfer.function)
    }

    fn push(
        &mut self,
        parent: NodeId,
        transfer: &Transfer,
        back: Option<u32>,
        is_tail: bool,
        tree: &mut Tree,
    ) {
        let node = tree.child(Some(parent), Role::Function(transfer.function));
        tree.get(node).calls += transfer.weight;
        self.frames.push(Frame {
            function: transfer.function,
            node,
            back,
            is_tail,
            depth: self.depth.now,
        });
    }

    /// Leaves the frames that a return to `to` ends, and returns their number.
    fn leave(&mut self, to: u32) -> usize {
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

    /// Leaves the frames above the function into which a computed jump leads, as `longjmp` does.
    /// Returns `None` if that function has no frame.
    fn unwind(&mut self, transfer: &Transfer) -> Option<StackChange> {
        let is_own = |frame: &Frame| frame.function == transfer.function;
        let top = self.frames.iter().rposition(is_own)?;
        let above = self.frames.get(top + 1).filter(|_| !transfer.is_start)?;
        self.depth.now = above.depth;
        let left = self.frames.len() - top - 1;
        self.frames.truncate(top + 1);
        Some(StackChange::Left(left))
    }

    /// Handles a transfer that is neither a call nor a return: within the function, or to another
    /// function.
    #[inline]
    fn jump(&mut self, transfer: &Transfer, tree: &mut Tree) -> StackChange {
        match self.frames.last() {
            Some(top) if top.function == transfer.function => StackChange::None,
            Some(top) => self.tail_call(transfer, top.back, tree),
            None => self.tail_call(transfer, None, tree),
        }
    }

    fn tail_call(
        &mut self,
        transfer: &Transfer,
        back: Option<u32>,
        tree: &mut Tree,
    ) -> StackChange {
        let tails = self
            .frames
            .iter()
            .rev()
            .take_while(|frame| frame.is_tail)
            .count();
        let chain = self.frames.len().saturating_sub(tails + 1);
        let known = self.frames[chain..]
            .iter()
            .position(|f| f.function == transfer.function);
        if let Some(position) = known {
            let left = self.frames.len() - (chain + position + 1);
            self.frames.truncate(chain + position + 1);
            return StackChange::Left(left);
        }
        let (parent, is_tail) = (self.leaf(), !self.frames.is_empty());
        let entry = Transfer {
            weight: if transfer.is_start {
                transfer.weight
            } else {
                0
            },
            ..*transfer
        };
        self.push(parent, &entry, back, is_tail, tree);
        StackChange::Entered(transfer.function)
    }

    /// Continues at `to` after an exception. This is the interrupted position, the target of a
    /// transfer that was about to execute, or an address to which a kernel redirected the
    /// execution.
    pub fn resume(&mut self, transfer: &Transfer, tree: &mut Tree) -> StackChange {
        if self
            .frames
            .last()
            .is_some_and(|top| top.function == transfer.function)
        {
            return StackChange::None;
        }
        let left = self.leave(transfer.to);
        if left > 0 {
            return StackChange::Left(left);
        }
        if transfer.is_start && !self.frames.is_empty() {
            return self.jump(transfer, tree);
        }
        self.restart(transfer, tree)
    }

    fn restart(&mut self, transfer: &Transfer, tree: &mut Tree) -> StackChange {
        if let Some(top) = self
            .frames
            .iter()
            .rposition(|f| f.function == transfer.function)
        {
            let left = self.frames.len() - top - 1;
            self.frames.truncate(top + 1);
            return StackChange::Left(left);
        }
        if let Some(outermost) = self.frames.first() {
            self.depth.now = outermost.depth;
        }
        self.frames.clear();
        self.push(self.root, transfer, None, false, tree);
        StackChange::Entered(transfer.function)
    }
}
