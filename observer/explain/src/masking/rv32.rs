// SPDX-License-Identifier: MIT
//! Maps the effect of an RV32 instruction on mstatus.MIE, the only mask of RV32.

use super::effect::{Effect, Mask};
use ticklab_rv32::{masking, Masking};

pub fn classify(bytes: &[u8]) -> Option<Effect> {
    masking(bytes).map(|masking| match masking {
        Masking::Masks => Effect::Mask(Mask::ALL_INTERRUPTS),
        Masking::Unmasks => Effect::Unmask(Mask::ALL_INTERRUPTS),
        Masking::Saves => Effect::Save(Mask::ALL_INTERRUPTS),
        Masking::Writes => Effect::Restore(Mask::ALL_INTERRUPTS),
    })
}
