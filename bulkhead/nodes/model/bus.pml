/* SPDX-License-Identifier: MIT */
/*
 * A queue of the communication bus (common/bus.c): two senders and a receiver, each on its own
 * node, and two places for messages. A take waits until the count of the semaphore is not 0, as in
 * the schedulers. Reading a list and writing it are two steps, as on the bus.
 *
 * The model asserts: a sender that has taken `space` finds a free place, and a receiver that has
 * taken `messages` finds a message; a place is free, has a waiting message, or is held by one
 * thread; each message is received once, and no more urgent message waits when it is received.
 * Each macro removes one part of the protocol.
 */
#define PLACES 2
#define EACH 2 /* number of messages of each sender; sender n sends with priority n */

bool cell;                     /* the lock cell */
byte space = PLACES, messages; /* semaphores */
byte free = 3, waits;          /* bit n stands for place n */
byte holder[PLACES];           /* ghost variable: the thread that holds the place; 0: none */
byte urgency[PLACES], content[PLACES];
byte received[2 * EACH];       /* ghost variable: how often each message was received */

inline take(semaphore) { atomic { semaphore > 0 -> semaphore-- } }
inline give(semaphore) { semaphore++ }

inline lock() {
#ifdef WITHOUT_LOCK
    skip
#else
    atomic { !cell -> cell = true }
#endif
}

inline unlock() { cell = false }

inline claim(node) {
    lock();
    seen = free;
    assert(seen != 0);
    if
    :: seen & 1 -> place = 0
    :: else -> place = 1
    fi;
    free = seen & ~(1 << place);
    unlock();
    atomic { assert(holder[place] == 0); holder[place] = node }
}

inline post() {
    lock();
    seen = waits;
    holder[place] = 0;
    waits = seen | (1 << place);
    unlock()
}

proctype sender(byte number) {
    byte i, seen, place;
    for (i : 0 .. EACH - 1) {
        take(space);
        claim(1 + number);
        content[place] = number * EACH + i;
        urgency[place] = number;
#ifdef GIVES_BEFORE_POSTING
        give(messages);
        post()
#else
        post();
        give(messages)
#endif
    }
}

/* Takes the most urgent message that waits. */
inline accept() {
    lock();
    seen = waits;
    assert(seen != 0);
    if
    :: seen == 3 && urgency[1] > urgency[0] -> place = 1
#ifdef FIRST_PLACE_FIRST
    :: seen == 3 && urgency[1] <= urgency[0] -> place = 1
#else
    :: seen == 3 && urgency[1] <= urgency[0] -> place = 0
#endif
    :: seen == 1 -> place = 0
    :: seen == 2 -> place = 1
    fi;
    atomic {
        assert(holder[place] == 0);
        assert(urgency[place] >= urgency[1 - place] || !(waits & (1 << (1 - place))));
        holder[place] = 3
    };
    waits = seen & ~(1 << place);
    unlock()
}

inline release() {
    lock();
    seen = free;
    holder[place] = 0;
    free = seen | (1 << place);
    unlock()
}

proctype receiver() {
    byte i, seen, place;
    for (i : 1 .. 2 * EACH) {
        take(messages);
        accept();
#ifdef GIVES_BEFORE_RELEASING
        give(space);
        received[content[place]]++;
        release()
#else
        received[content[place]]++;
        release();
        give(space)
#endif
    }
}

/* The state when no process can go on. */
proctype quiet() {
    byte i;
    timeout ->
    for (i : 0 .. 2 * EACH - 1) {
        assert(received[i] == 1)
    }
    assert(free == 3 && waits == 0 && space == PLACES && messages == 0)
}

init {
    atomic {
        run sender(0);
        run sender(1);
        run receiver();
        run quiet()
    }
}
