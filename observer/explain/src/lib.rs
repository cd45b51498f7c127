// SPDX-License-Identifier: MIT
//! Why a span costs what it costs: replays a recording and attributes every lane of its tallies.
//!
//! The replay core says what each block added; here it is found out whose it was. Two passes: the
//! first yields the event log, in which samples are found as the laboratory finds them; the second
//! follows calls, exceptions, tasks and interrupt masks, and adds up what the plain samples did.
//! docs/explain-format.md has what goes in and out.
//!
//! Not here: categories, means, comparisons and pictures for people (lab/src/ticklab/explain).
#![forbid(unsafe_code)]

mod analysis;
mod answer;
mod arcs;
mod cells;
mod code;
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
