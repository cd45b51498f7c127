// SPDX-License-Identifier: MIT
//! Computes the depth of stacks from the effect of each executed instruction on SP.
//!
//! Needs no register values. The depth of a stack is 0 where its task begins or its handler is
//! entered, and the code shows every push, pop and addition of a constant. Other changes of SP (a
//! move from a register, an addition that an IT block may skip) are ignored until the function
//! returns, when SP has its value from before the call (AAPCS32, 6.2.1). The frame that the
//! processor stacks at an exception is not included; it must be added to any depth.
//!
//! If a kernel executes a task's call on another stack than the task's own, both are counted as one
//! stack. The result is then an upper bound.

use crate::tree::NodeId;

/// The depth of a stack, in bytes below its start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Depth {
    pub now: i32,
    pub deepest: i32,
    /// The innermost function at the deepest point.
    pub node: Option<NodeId>,
}

impl Depth {
    #[inline]
    pub fn grow(&mut self, bytes: i32, node: NodeId) {
        self.now += bytes;
        if self.now > self.deepest {
            (self.deepest, self.node) = (self.now, Some(node));
        }
    }

    pub fn merge(&mut self, other: &Depth) {
        if other.deepest > self.deepest || self.node.is_none() {
            (self.deepest, self.node) = (other.deepest, other.node);
        }
    }
}
