// SPDX-License-Identifier: MIT
//! Decodes RV32IMC. Each compressed instruction is equivalent to a 32-bit one (unprivileged
//! specification, chapter 16). The decoder expands it first, so only one set of encodings is
//! decoded.

mod compressed;
pub(crate) mod encode;
mod wide;

use ticklab_isa::Instruction;

/// Returns whether a 32-bit instruction begins with this byte (1.5). RV32IMC has no longer ones.
#[must_use]
pub fn is_wide(first_byte: u8) -> bool {
    first_byte & 0b11 == 0b11
}

/// Decodes `code` at address `start`. If the second half of an instruction is missing, the block
/// ends before that instruction.
#[must_use]
pub fn decode_block(start: u32, code: &[u8]) -> Vec<Instruction> {
    let mut address = start;
    words(code)
        .map(|(word, size)| {
            let mut instruction = wide::decode(word, address);
            (instruction.address, instruction.size) = (address, size);
            address = instruction.end();
            instruction
        })
        .collect()
}

/// Returns the instructions of `code` as 32-bit encodings, with their sizes in bytes. An invalid
/// compressed instruction yields 0, which is no valid 32-bit instruction either.
pub(crate) fn words(code: &[u8]) -> impl Iterator<Item = (u32, u8)> + '_ {
    let mut rest = code;
    std::iter::from_fn(move || {
        let size = if is_wide(*rest.first()?) { 4 } else { 2 };
        let (bytes, remaining) = rest.split_at_checked(size)?;
        rest = remaining;
        let word = match *bytes {
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            [a, b] => compressed::expand(u16::from_le_bytes([a, b])).unwrap_or(0),
            _ => return None,
        };
        Some((word, size as u8))
    })
}
