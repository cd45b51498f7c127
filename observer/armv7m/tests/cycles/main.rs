// SPDX-License-Identifier: MIT
//! The rules of the cycle model, each by a short program whose cycles are derived by hand beside
//! it.
//!
//! P is the refill behind a taken branch: 1 to 2 if the target is issued in decode, 2 to 3 if in
//! execute. "Two words" in a comment means a 32-bit instruction that lies across two words.

mod branches;
mod conditions;
mod documentation;
mod exceptions;
mod flash;
mod instructions;
mod memory_accesses;
mod profiles;
mod program;
