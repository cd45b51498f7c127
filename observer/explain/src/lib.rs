// SPDX-License-Identifier: MIT
//! Explains the cost of a span: replays a recording and attributes every lane of its tallies.
//!
//! The replay core reports the tally of each block; this crate finds the function, task or
//! exception that the tally belongs to. There are two passes. The first yields the event log, in
//! which samples are found as the lab finds them. The second follows calls, exceptions, tasks and
//! interrupt masks, and adds up the tallies of the plain samples. docs/reference/explain-format.md
//! describes input and output.
//!
//! Categories, means, comparisons and views are not here (lab/src/ticklab/explain).
#![forbid(unsafe_code)]

mod analysis;
mod answer;
mod arcs;
mod block_counts;
mod code;
mod debug_info;
mod depth;
mod flame;
mod follow;
mod functions;
mod listing;
mod masking;
mod repeat;
mod request;
mod samples;
mod stacks;
mod symbols;
mod tasks;
mod timeline;
mod tree;
mod windows;

pub use analysis::{Analysis, Subject};
pub use answer::answer;
pub use flame::{collapsed, flame_graph};
pub use request::Span;
pub use timeline::Timeline;
