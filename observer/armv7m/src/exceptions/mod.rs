// SPDX-License-Identifier: MIT
//! Recognises exceptions: the vector table, the jumps that may return from a handler, and the
//! transitions between blocks.

pub mod jump;
pub mod transitions;
pub mod vectors;
