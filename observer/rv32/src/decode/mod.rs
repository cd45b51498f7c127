// SPDX-License-Identifier: MIT
//! The decoder. Each compressed instruction is short for a 32-bit one (unprivileged specification,
//! chapter 16), so that it is expanded first and only one set of encodings has a meaning.

mod compressed;
pub(crate) mod encode;
mod wide;

use ticklab_isa::Instruction;

/// Whether a 32-bit instruction begins with this byte (1.5). Longer ones do not exist here.
#[must_use]
pub fn is_wide(first_byte: u8) -> bool {
    first_byte & 0b11 == 0b11
}

/// Decodes `code`, which lies at `start`. An instruction whose second half is missing ends the
/// block before it.
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

/// The instructions of `code` as 32-bit encodings, and their sizes in bytes. What no compressed
/// instruction stands for is 0, which no 32-bit instruction is either.
pub(crate) fn words(code: &[u8]) -> impl Iterator<Item = (u32, u8)> + '_ {
    let mut rest = code;
    std::iter::from_fn(move || {
        let size = if is_wide(*rest.first()?) { 4 } else { 2 };
        let (bytes, behind) = rest.split_at_checked(size)?;
        rest = behind;
        let word = match *bytes {
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            [a, b] => compressed::expand(u16::from_le_bytes([a, b])).unwrap_or(0),
            _ => return None,
        };
        Some((word, size as u8))
    })
}
