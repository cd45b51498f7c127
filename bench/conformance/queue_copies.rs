// SPDX-License-Identifier: MIT
//
// The async form of queue_copies.c.
use crate::bench::{finish, Queue as _};
use crate::kernel::Queue;

const WORDS: usize = 4;
const CAPACITY: u32 = 3;

static QUEUE: Queue<{ CAPACITY as usize }, WORDS> = Queue::new();

fn compose(seed: u32) -> [u32; WORDS] {
    core::array::from_fn(|i| {
        0x1020_3040_u32
            .wrapping_mul(i as u32 + 1)
            .wrapping_add(seed)
    })
}

fn prove_copies() {
    for seed in 0..CAPACITY {
        require!(
            QUEUE.try_send(compose(seed)),
            c"queue: refused below capacity"
        );
    }
    for seed in 0..CAPACITY {
        let message = QUEUE.try_receive();
        require!(message.is_some(), c"queue: a message is missing");
        require!(
            message == Some(compose(seed)),
            c"queue: a message differs from the one sent first"
        );
    }
}

async fn prover() {
    mark!("begin");
    prove_copies();
    prove_copies(); // wraps around the end of the buffer
    mark!("proved");
    finish()
}

tasks! { prover: 10 }
