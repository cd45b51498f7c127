// SPDX-License-Identifier: MIT
//
// The async form of message_processing.c.
use crate::bench::{fail, Queue as _, Shared};
use crate::kernel::Queue;

const WORDS: usize = 4;
const CAPACITY: u32 = 10;
const FIRST_WORD: u32 = 0x1111_2222;
const VERIFY_ROUNDS: u32 = 8;

static COUNTER: Shared = Shared::new(0);
static QUEUE: Queue<{ CAPACITY as usize }, WORDS> = Queue::new();

fn compose(seed: u32) -> [u32; WORDS] {
    core::array::from_fn(|i| FIRST_WORD.wrapping_mul(i as u32 + 1).wrapping_add(seed))
}

fn verify_received(seed: u32) {
    let message = QUEUE.try_receive();
    require!(message.is_some(), c"a sent message was not there");
    require!(
        message == Some(compose(seed)),
        c"message word lost: a received word is not the one sent first"
    );
}

fn send(seed: u32) {
    require!(
        QUEUE.try_send(compose(seed)),
        c"a queue with room refused a message"
    );
}

fn verify_full_and_empty() {
    for seed in 0..CAPACITY {
        send(seed);
    }
    require!(!QUEUE.try_send([0; WORDS]), c"a full queue took a message");
    for seed in 0..CAPACITY {
        verify_received(seed);
    }
    require!(
        QUEUE.try_receive().is_none(),
        c"an empty queue gave a message"
    );
}

fn verify() {
    for round in 0..VERIFY_ROUNDS {
        send(round);
        verify_received(round);
    }
    verify_full_and_empty();
}

async fn thread_0() {
    verify();
    let mut sent = core::hint::black_box(compose(0)); // whose words the compiler does not know
    let mut received = [0; WORDS];
    loop {
        QUEUE.try_send(sent);
        if let Some(message) = QUEUE.try_receive() {
            received = message;
        }
        if received[WORDS - 1] != sent[WORDS - 1] {
            break;
        }
        sent[WORDS - 1] = sent[WORDS - 1].wrapping_add(1);
        mark!("iteration.0");
        COUNTER.count();
    }
    fail(c"message word lost: the last word received is not the one sent")
}

tasks! { thread_0: 10 }
