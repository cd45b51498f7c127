// SPDX-License-Identifier: MIT
//
// The async form of queue_uncontended.c.
use crate::bench::Queue as _;
use crate::kernel::Queue;

static QUEUE: Queue<4, 1> = Queue::new();

async fn caller() {
    let mut sent: u32 = 1;
    loop {
        mark!("send.before");
        QUEUE.send([sent]).await;
        mark!("send.after");
        mark!("receive.before");
        let [received] = QUEUE.receive().await;
        mark!("receive.after");
        require!(
            received == sent,
            c"queue: a message is not the one sent first"
        );
        sent = sent.wrapping_add(1);
    }
}

tasks! { caller: 10 }
