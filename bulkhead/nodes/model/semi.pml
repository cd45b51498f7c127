/* SPDX-License-Identifier: MIT */
/*
 * A semaphore of the semi-distributed scheduler (semi/semaphores.c): one or two threads of node 1
 * take, node 0 gives. The state is in memory that both nodes reach, under a lock cell. A wake-up
 * is a bit in node 1's doorbell. The bit may arrive at any time after node 0 has posted it; node 0
 * does not wait for that.
 *
 * The model asserts: a thread is woken only while it is not ready, so that it is never twice in
 * the ready queue; in the end as many takes as gives have completed, and all threads, which take
 * for ever, wait. Each macro removes one part of the protocol.
 */
#define THREADS 2
#define GIVES 4

bool cell;              /* the lock cell */
byte count;
bool waits[THREADS];    /* the thread is in the semaphore's queue */
bool posted[THREADS];   /* the bit is on the way to the doorbell */
bool bits[THREADS];     /* the bit is set in the doorbell */

bool both;              /* both threads take, or only thread 0 */
bool ready[THREADS];    /* node 1's ready queue */
byte takes, gives;      /* number of completed takes and gives */

inline lock() {
#ifdef WITHOUT_LOCK
    skip
#else
    atomic { !cell -> cell = true }
#endif
}

inline unlock() {
    cell = false
}

/* The doorbell: bits accumulate. */
inline ring(thread) {
#ifdef RING_REPLACES
    bits[0] = false; bits[1] = false;
#endif
    bits[thread] = true
}

inline wake_rung() {
    atomic {
        thread = 0;
        do
        :: thread < THREADS ->
            if
            :: bits[thread] ->
               bits[thread] = false; assert(!ready[thread]); ready[thread] = true; takes++
            :: else
            fi;
            thread++
        :: else -> break
        od
    }
}

proctype giver() {
    byte i, seen;
    for (i : 1 .. GIVES) {
        lock();
        if
        :: waits[0] -> waits[0] = false; posted[0] = true
        :: waits[1] -> waits[1] = false; posted[1] = true
        :: else -> seen = count; count = seen + 1
        fi;
        gives++;
        unlock()
    }
}

proctype bus() {
end:
    do
    :: atomic { posted[0] -> posted[0] = false; ring(0) }
    :: atomic { posted[1] -> posted[1] = false; ring(1) }
    od
}

/* Node 1 runs one thread at a time. During a call its interrupts are masked. */
proctype node() {
    byte self, thread, seen;
end:
    do
    :: bits[0] || bits[1] -> wake_rung()
    :: ready[0] || ready[1] ->
        if
        :: ready[0] -> self = 0
        :: ready[1] -> self = 1
        fi;
        lock();
        seen = count;
        if
        :: seen > 0 -> count = seen - 1; takes++; unlock()
        :: else ->
#ifdef WAITS_AFTER_UNLOCK
            unlock();
            waits[self] = true;
#else
            waits[self] = true;
            unlock();
#endif
#ifdef LOOKS_DURING_CALL
            wake_rung();
#endif
            ready[self] = false;
end_idle:   do
            :: ready[0] || ready[1] -> break
            :: !ready[0] && !ready[1] && (bits[0] || bits[1]) -> wake_rung()
            od
        fi
    od
}

/* The state when no process can go on. */
proctype quiet() {
    timeout ->
    assert(gives == GIVES && takes == GIVES && count == 0);
    assert(waits[0] && (waits[1] || !both))
}

init {
    atomic {
        ready[0] = true;
        if
        :: both = true; ready[1] = true
        :: skip
        fi;
        run giver();
        run bus();
        run node();
        run quiet()
    }
}
