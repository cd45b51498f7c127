// SPDX-License-Identifier: MIT
//! Decodes Armv7-A instructions, both A32 and T32, and recognises exceptions, masks and tasks.
//!
//! [`decode_arm`] and [`decode_thumb`] turn code into instructions. [`Armv7A`] is the interface for
//! the replay core. Cores of this profile are counted; none has a cycle model.
//!
//! A32 is decoded here because no maintained crate decodes VFP and NEON of Armv7-A, which kernels
//! use to save tasks. T32 is decoded by `ticklab-armv7m`, apart from the instructions that the M
//! profile lacks. Section numbers in this crate are those of the Armv7-A Architecture Reference
//! Manual (DDI 0406C).
#![forbid(unsafe_code)]

mod decode;
mod exceptions;
mod instruction_set;
mod masks;
mod register;
mod stack;

pub use decode::{decode_arm, decode_thumb};
pub use instruction_set::{Armv7A, ARM, SETS, THUMB};
