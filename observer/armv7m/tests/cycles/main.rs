// SPDX-License-Identifier: MIT
//! Tests each rule of the cycle model by short programs. A comment at each program derives its
//! cycles by hand.
//!
//! P is the refill after a taken branch: 1 to 2 cycles if the target is issued in decode, 2 to 3 if
//! it is issued in execute.

mod branches;
mod conditions;
mod documentation;
mod exceptions;
mod flash;
mod instructions;
mod memory_accesses;
mod profiles;
mod program;
