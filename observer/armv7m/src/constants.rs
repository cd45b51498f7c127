// SPDX-License-Identifier: MIT
//! Finds stores of a block that write a known constant, because the block itself moves the constant
//! into the stored register.
//!
//! The observer sees code, but no register values, and must know which exceptions software pends.
//! Software does so by storing a constant to a register of the processor (DDI 0403E, B3.2.4), which
//! compilers load directly before the store.

use crate::stack;
use ticklab_image::Image;
use ticklab_isa::{Class, Instruction};

/// The register values that are known before an instruction.
#[derive(Default)]
struct Constants([Option<u32>; 16]);

/// Returns (address, value) for each store of one register whose value the block's code determines.
pub fn stores(block: &[Instruction], code: &[u8], image: &Image) -> Vec<(u32, u32)> {
    let (mut constants, mut rest) = (Constants::default(), code);
    let mut found = Vec::new();
    for instruction in block {
        let (bytes, after) = rest.split_at(usize::from(instruction.size));
        let source = stored(instruction, bytes).and_then(|register| constants.0[register]);
        found.extend(source.map(|value| (instruction.address, value)));
        constants.execute(instruction, bytes, image);
        rest = after;
    }
    found
}

/// Returns the number of the register that a store writes to memory.
fn stored(instruction: &Instruction, bytes: &[u8]) -> Option<usize> {
    if !matches!(instruction.class, Class::Store | Class::StoreIndexed) {
        return None;
    }
    let register = match *bytes {
        [_, high] if high >> 4 == 9 => high & 7, // STR with SP as base (A7.7.161, T2)
        [low, _] => low & 7,
        [_, _, _, high] => high >> 4,
        _ => return None,
    };
    Some(register.into())
}

impl Constants {
    fn execute(&mut self, instruction: &Instruction, bytes: &[u8], image: &Image) {
        let value = match instruction.conditional {
            true => None,
            false => self.result(instruction, bytes, image),
        };
        for number in (0..16).filter(|number| instruction.results.0 >> number & 1 != 0) {
            self.0[number] = value.filter(|_| instruction.results.count() == 1);
        }
    }

    /// Returns the result of a move of an immediate, a literal or a register, and of ORR of an
    /// immediate.
    fn result(&self, instruction: &Instruction, bytes: &[u8], image: &Image) -> Option<u32> {
        if let (Class::Load, Some(address)) = (instruction.class, instruction.literal) {
            return image.word(address).filter(|_| is_word_load(bytes));
        }
        let (first, second) = halves(bytes);
        let register = |number: u16| self.0[usize::from(number & 0xF)];
        let expanded = stack::expanded(first, second) as u32;
        let plain = (first << 12 | stack::plain(first, second) as u16).into();
        match bytes.len() {
            2 if first & 0xF800 == 0x2000 => Some((first & 0xFF).into()),
            2 if first & 0xFF00 == 0x4600 => register(first >> 3),
            4 if first & 0xFBEF == 0xF04F => Some(expanded),
            4 if first & 0xFBEF == 0xF06F => Some(!expanded),
            4 if first & 0xFBE0 == 0xF040 => Some(register(first)? | expanded),
            4 if first & 0xFBF0 == 0xF240 => Some(plain),
            4 if first & 0xFBF0 == 0xF2C0 => Some(register(second >> 8)? & 0xFFFF | plain << 16),
            _ => None,
        }
    }
}

/// LDR of a word from a literal (A7.7.44).
fn is_word_load(bytes: &[u8]) -> bool {
    let first = halves(bytes).0;
    match bytes.len() {
        2 => first & 0xF800 == 0x4800,
        _ => first & 0xFF7F == 0xF85F,
    }
}

fn halves(bytes: &[u8]) -> (u16, u16) {
    let half = |at: usize| {
        bytes
            .get(at..at + 2)
            .map_or(0, |half| u16::from_le_bytes([half[0], half[1]]))
    };
    (half(0), half(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode_block;

    /// Returns the values that the stores of this code write.
    fn values(code: &[u16]) -> Vec<u32> {
        let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
        let image = Image::default();
        let found = stores(&decode_block(0, &bytes), &bytes, &image);
        found.into_iter().map(|(_, value)| value).collect()
    }

    const STR_R2_R3: u16 = 0x601A;

    #[test]
    fn a_store_of_a_moved_constant_has_its_value() {
        for (moves, value) in [
            (&[0xF04F, 0x5280][..], 0x1000_0000), // MOV.W R2, #0x10000000
            (&[0x2204], 4),                       // MOVS R2, #4
            (&[0xF06F, 0x0200], 0xFFFF_FFFF),     // MVN R2, #0
            (&[0xF241, 0x2234, 0xF2C5, 0x6278], 0x5678_1234), // MOVW, MOVT R2
            (&[0xF04F, 0x5180, 0x460A], 0x1000_0000), // MOV R2, R1
            (&[0x2204, 0xF042, 0x5280], 0x1000_0004), // ORR R2, R2, #0x10000000
        ] {
            let code: Vec<u16> = moves.iter().copied().chain([STR_R2_R3]).collect();
            assert_eq!(values(&code), [value], "{code:x?}");
        }
        // STR.W R2, [R3, #0xD04]; STR R2, [SP, #4].
        assert_eq!(values(&[0x2204, 0xF8C3, 0x2D04]), [4]);
        assert_eq!(values(&[0x2204, 0x9201]), [4]);
    }

    #[test]
    fn what_the_block_does_not_determine_is_unknown() {
        for code in [
            &[STR_R2_R3][..],
            &[0x2204, 0x681A, STR_R2_R3],         // LDR R2, [R3]
            &[0x2204, 0x3201, STR_R2_R3],         // ADDS R2, #1
            &[0x2204, 0xBF08, 0x2205, STR_R2_R3], // IT EQ; MOVEQ R2, #5
            &[0xF2C5, 0x6278, STR_R2_R3],         // MOVT alone
            &[0x2204, 0xC304],                    // STMIA R3!, {R2}
        ] {
            assert_eq!(values(code), [], "{code:x?}");
        }
    }
}
