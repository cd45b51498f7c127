// SPDX-License-Identifier: MIT
//
// The async form of queue.c.
use crate::bench::{finish, Queue as _, Shared};
use crate::kernel::Queue;

const CAPACITY: u32 = 3;
const FIRST: u32 = 0x1020_3040;

static QUEUE: Queue<{ CAPACITY as usize }, 1> = Queue::new();
static SERVED: Queue<{ CAPACITY as usize }, 1> = Queue::new();
static RECEIVED: Shared = Shared::new(0);

fn send(to: &Queue<{ CAPACITY as usize }, 1>, number: u32) {
    require!(
        to.try_send([FIRST + number]),
        c"queue: refused below capacity"
    );
}

fn require_message(message: [u32; 1], number: u32) {
    require!(
        message == [FIRST + number],
        c"queue: a message differs from the one sent first"
    );
}

fn prove_fifo() {
    for number in 0..CAPACITY {
        send(&QUEUE, number);
    }
    require!(
        !QUEUE.try_send([0]),
        c"queue: a send to a full queue succeeded"
    );
    for number in 0..CAPACITY {
        let message = QUEUE.try_receive();
        require!(message.is_some(), c"queue: a message is missing");
        require_message(message.unwrap_or_default(), number);
    }
    require!(
        QUEUE.try_receive().is_none(),
        c"queue: a receive from an empty queue succeeded"
    );
}

async fn receiver() {
    loop {
        require_message(SERVED.receive().await, RECEIVED.get());
        RECEIVED.count();
    }
}

async fn prover() {
    mark!("begin");
    prove_fifo();
    prove_fifo(); // wraps around the end of the buffer
    for number in 0..2 * CAPACITY {
        send(&SERVED, number);
        require!(
            RECEIVED.get() == number + 1,
            c"queue: a higher receiver did not pre-empt the sender"
        );
    }
    mark!("proved");
    finish()
}

tasks! { receiver: 5, prover: 10 }
