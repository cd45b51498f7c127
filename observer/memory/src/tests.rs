// SPDX-License-Identifier: MIT
//! Tests the fast check of a whole block against the check of each of its lines: after any history,
//! both must give the same counts.

use super::*;
use ticklab_isa::{Cache, Class, Instruction};

const BYTES: u32 = 1024;

const LANES: StallLanes = StallLanes {
    cycles: 0,
    miss: 1,
    possible_miss: 2,
    hidden_stall: 3,
    literal_miss: 4,
};

/// Returns a memory with so few cache rows that blocks hit, hit in part, or evict one another.
fn flash(prefetch: bool) -> Flash {
    let cache = Cache {
        rows: 4,
        lines_per_row: 4,
    };
    Flash {
        origin: 0,
        bytes: BYTES,
        wait_states: 4,
        line_bytes: 8,
        prefetch,
        instruction_cache: cache,
        data_cache: cache,
    }
}

/// Returns an instruction of 16 bits.
fn nop(address: u32) -> Instruction {
    Instruction {
        address,
        size: 2,
        ..Instruction::new(Class::Hint)
    }
}

/// Returns the reads of a block whose instructions take one cycle each.
fn fetches(flash: &Flash, block: &[Instruction]) -> Fetches {
    let begin = |cycle| Begin {
        soonest: cycle,
        latest: cycle,
    };
    let begins: Vec<_> = (0..=block.len() as u32).map(begin).collect();
    Fetches::new(flash, block, &begins)
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
        let instructions = 1 + self.below(24);
        (0..instructions)
            .map(|index| nop(address + 2 * index))
            .collect()
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
    let flash = flash(prefetch);
    let mut blocks = MemorySystem::new(&flash, LANES);
    let mut lines = blocks.clone();
    let mut random = Random(0x5EED);
    let mut hits = 0;
    for step in 0..20_000 {
        let block = random.block();
        let (fetches, arrival) = (fetches(&flash, &block), random.arrival());
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
