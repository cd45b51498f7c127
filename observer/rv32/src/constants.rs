// SPDX-License-Identifier: MIT
//! Computes the values of registers that the code of a block derives from constants alone.
//!
//! The observer sees code, not register values. The observer needs two values, which compilers and
//! assemblers compute from constants directly before their use: the address of the trap vectors,
//! and the address of a store that ends the machine. They use LUI or AUIPC, ADDI, ORI and moves.

use crate::decode::encode::*;
use crate::decode::words;
use ticklab_isa::Register;

/// The number of mtvec (privileged specification, table 2.5).
const MTVEC: u32 = 0x305;
const CSRRW: u32 = 1;
const CSRRWI: u32 = 5;

/// The known register values before an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Constants([Option<u32>; 32]);

impl Constants {
    /// Returns the known values that `code` at address `start` writes to mtvec.
    #[must_use]
    pub fn trap_vectors(start: u32, code: &[u8]) -> Vec<u32> {
        let is_write = |word| opcode(word) == SYSTEM && field(word, 20, 12) == MTVEC;
        let value = |constants: &Constants, word| match function(word) {
            CSRRW => constants.get(rs1(word)),
            CSRRWI => Some(field(word, 15, 5)),
            _ => None,
        };
        Constants::before_each(start, code)
            .filter(|&(_, word)| is_write(word))
            .filter_map(|(constants, word)| value(&constants, word))
            .collect()
    }

    /// Returns the indices of the instructions of `code` that certainly store to `address`.
    #[must_use]
    pub fn stores(start: u32, code: &[u8], address: u32) -> Vec<usize> {
        let stores_there = |constants: &Constants, word| {
            let base = constants.get(rs1(word));
            opcode(word) == STORE
                && base.map(|base| base.wrapping_add(immediate_s(word))) == Some(address)
        };
        Constants::before_each(start, code)
            .enumerate()
            .filter(|(_, (constants, word))| stores_there(constants, *word))
            .map(|(index, _)| index)
            .collect()
    }

    /// Returns each instruction with the known register values before it.
    fn before_each(start: u32, code: &[u8]) -> impl Iterator<Item = (Constants, u32)> + '_ {
        let (mut constants, mut address) = (Constants([None; 32]), start);
        words(code).map(move |(word, size)| {
            let before = constants;
            constants.execute(word, address);
            address = address.wrapping_add(size.into());
            (before, word)
        })
    }

    fn get(&self, register: Register) -> Option<u32> {
        match register.0 {
            0 => Some(0),
            number => self.0[usize::from(number)],
        }
    }

    fn execute(&mut self, word: u32, address: u32) {
        let immediate = immediate_i(word);
        let (left, right) = (self.get(rs1(word)), self.get(rs2(word)));
        let value = match (opcode(word), function(word)) {
            (LUI, _) => Some(immediate_u(word)),
            (AUIPC, _) => Some(address.wrapping_add(immediate_u(word))),
            (OP_IMM, 0) => left.map(|left| left.wrapping_add(immediate)),
            (OP_IMM, 6) => left.map(|left| left | immediate),
            (OP, 0) if field(word, 25, 7) == 0 => left
                .zip(right)
                .map(|(left, right)| left.wrapping_add(right)),
            (STORE | BRANCH, _) => return,
            _ => None,
        };
        self.0[usize::from(rd(word).0)] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_the_vectors_that_an_assembler_loads() {
        // auipc t0, 0; addi t0, t0, 0x100; ori t0, t0, 1; csrw mtvec, t0
        let code = [0x0000_0297_u32, 0x1002_8293, 0x0012_E293, 0x3052_9073];
        let code: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(Constants::trap_vectors(0x8000_0010, &code), [0x8000_0111]);
        assert!(Constants::trap_vectors(0x8000_0010, &code[4..]).is_empty());
    }

    #[test]
    fn finds_a_store_to_a_constant_address() {
        // lui a5, 0x100; c.li a4, 5; c.sw a4, 0(a5); c.sw a4, 0(a3)
        let code = [0xB7, 0x07, 0x10, 0x00, 0x15, 0x47, 0x98, 0xC3, 0x98, 0xC2];
        assert_eq!(Constants::stores(0, &code, 0x0010_0000), [2]);
        assert!(Constants::stores(0, &code, 0x0010_0004).is_empty());
    }
}
