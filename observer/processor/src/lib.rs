// SPDX-License-Identifier: MIT
//! Defines what the replay core and the analysis need from a processor.
//!
//! An instruction set is one crate that implements [`InstructionSet`], and [`CycleModel`] for the
//! cores that have a model. The crate `ticklab-registry` lists the instruction sets. All other code
//! of the observer is the same for every processor.
#![forbid(unsafe_code)]

mod context;
mod core;
mod exceptions;
mod handlers;
mod instruction_set;
mod masks;
mod model;
mod state;

pub use crate::core::Core;
pub use context::{Context, Moves};
pub use exceptions::{Active, ExceptionChange, ExceptionStack, Jump, Transition};
pub use handlers::Handlers;
pub use instruction_set::{InstructionSet, Preceding};
pub use masks::{Mask, MaskEffect};
pub use model::{Counting, CycleModel, ExceptionEvent};
pub use state::{CodeState, Fetched};
