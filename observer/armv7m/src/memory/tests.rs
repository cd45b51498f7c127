// SPDX-License-Identifier: MIT
//! Checks that the test of a whole block and the test of each of its lines yield the same counts,
//! after any history.

use super::*;
use crate::decode::decode_block;
use crate::model::{Core, Model};
use ticklab_isa::Instruction;
use ticklab_isa::{Cache, Profile};

const BYTES: u32 = 1024;
const NOP: [u8; 2] = [0x00, 0xBF];

/// Returns a model with few cache rows, so that blocks hit, hit in part and evict one another.
fn model(prefetch: bool) -> Model {
    let cache = Cache {
        rows: 4,
        lines_per_row: 4,
    };
    let flash = Flash {
        origin: 0,
        bytes: BYTES,
        wait_states: 4,
        line_bytes: 8,
        prefetch,
        instruction_cache: cache,
        data_cache: cache,
    };
    let profile = Profile {
        title: "small caches".to_owned(),
        flash: Some(flash),
        devices: None,
    };
    Model::new(Core::CortexM4, &profile).expect("the profile is valid")
}

/// Generates pseudo-random numbers, the same in every run (G. Marsaglia, "Xorshift RNGs", Journal
/// of Statistical Software 8(14), 2003).
struct Random(u32);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % bound
    }

    /// Returns up to 24 instructions at one of two origins. The caches hold the code at one origin,
    /// but not the code at both.
    fn block(&mut self) -> Vec<Instruction> {
        let origin = if self.below(8) == 0 { BYTES / 2 } else { 0 };
        let address = origin + 2 * self.below(48);
        let instructions = 1 + self.below(24) as usize;
        decode_block(address, &NOP.repeat(instructions))
    }

    fn arrival(&mut self) -> Arrival {
        match self.below(8) {
            0 => Arrival::Exception,
            1..=3 => Arrival::Sequential,
            _ => Arrival::Branch,
        }
    }
}

/// Executes a random sequence of blocks and returns how many of them were hits as a whole.
fn walk(prefetch: bool) -> u32 {
    let model = model(prefetch);
    let (mut blocks, mut lines) = (model.memory().unwrap(), model.memory().unwrap());
    let mut random = Random(0x5EED);
    let mut hits = 0;
    for step in 0..20_000 {
        let block = random.block();
        let (fetches, arrival) = (model.fetches(&block), random.arrival());
        let (mut counted, mut expected) = (Tally::ZERO, Tally::ZERO);
        blocks.fetch(&fetches, block.len(), arrival, &mut counted);
        lines.fetch_lines(&fetches.lines, block.len(), arrival, &mut expected);
        assert_eq!(counted, expected, "step {step}, prefetch {prefetch}");
        hits += u32::from(counted == Tally::ZERO);
    }
    hits
}

#[test]
fn the_block_test_and_the_line_test_count_the_same() {
    for prefetch in [true, false] {
        let hits = walk(prefetch);
        assert!((2_000..18_000).contains(&hits), "{hits} hits");
    }
}
