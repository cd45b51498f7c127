// SPDX-License-Identifier: MIT
//! Explains the cost of a span: follows a run of a guest and attributes its cost to functions,
//! tasks and exceptions.
//!
//! The replay core reports the tally of each block; this crate finds the function, task or
//! exception to which the tally belongs. An explanation needs two runs of the same image under the
//! same plan, which execute the same instructions. The first run yields the event log, in which
//! samples are found as the laboratory finds them. In the second run, a target reports each event
//! to the core and then to this crate: the analysis follows calls, exceptions, tasks and interrupt
//! masks, and adds up the tallies of the samples that count. docs/reference/explain-format.md
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
mod explainer;
mod flame;
mod follow;
mod functions;
mod latency;
mod listing;
mod masking;
mod outputs;
mod repeat;
pub mod request;
mod samples;
mod stacks;
mod subject;
mod symbols;
mod tasks;
mod timeline;
mod timer;
mod tree;
mod windows;

pub use analysis::Analysis;
pub use answer::answer;
pub use explainer::Explainer;
pub use flame::{collapsed, flame_graph};
pub use latency::Change;
pub use outputs::Outputs;
pub use request::{Events, Request, Span};
pub use subject::Subject;
pub use symbols::Symbols;
pub use timeline::Timeline;
