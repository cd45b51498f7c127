/* SPDX-License-Identifier: MIT */
/*
 * The central scheduler's protocol (central/words.h) between the master and one other node: one
 * word in each direction, which replaces the word before it. The node's threads are 0 and 1; 1 is
 * the more urgent. The master may wake them at any time; the node's calls may block their caller.
 *
 * The model asserts: the master serves the call of the thread that called; a node continues after
 * a call only with the answer to that call; the master names the most urgent ready thread to the
 * node; in the end every call is served and no word is unread. Each macro removes one part of the
 * protocol.
 */
#define NONE 2
#define CALLS 3
#define WAKES 3

/* The words in the doorbells, and whether they are unread. */
bool asked, told;
byte ask_sequence, ask_caller;
bool ask_blocks;
byte told_sequence, told_thread;

/* The state of the master. */
bool ready[2];
byte decided = NONE, last_sequence;

/* Ghost variables, only for assertions. */
byte caller, calls_made, calls_served;

inline most_urgent(result) {
    if
    :: ready[1] -> result = 1
    :: !ready[1] && ready[0] -> result = 0
    :: else -> result = NONE
    fi
}

inline tell() {
    atomic {
#ifdef WITHOUT_WHOLE_STATE
        told_sequence = (answering -> last_sequence : 0);
#else
        told_sequence = last_sequence;
#endif
        told_thread = decided;
        told = true
    }
}

/* As serve() in master.c: selects the first ready thread, whichever thread made the call. */
inline decide() {
    if
    :: ask_blocks -> ready[from] = false
    :: else
    fi;
#ifdef WITHOUT_DECISION_IN_FLIGHT
    if
    :: ask_blocks -> most_urgent(decided)
    :: else -> decided = from
    fi
#else
    most_urgent(decided)
#endif
}

proctype master() {
    byte from, best, wakes = WAKES;
    bool answering;
end:
    do
    :: asked ->
        atomic {
            asked = false;
#ifdef WITHOUT_CALLER
            from = decided;
#else
            from = ask_caller;
#endif
            last_sequence = ask_sequence
        };
        assert(from == caller);
        assert(ready[from]);
        decide();
        most_urgent(best);
        assert(decided == best);
        calls_served++;
        answering = true;
        tell();
        answering = false
    :: wakes > 0 && (!ready[0] || !ready[1]) ->
        wakes--;
        if
        :: !ready[0] -> ready[0] = true
        :: !ready[1] -> ready[1] = true
        fi;
        most_urgent(best);
        if
        :: best != decided -> decided = best; tell()
        :: else
        fi
    od
}

/* Reads the word and removes it from the doorbell, in one step. */
inline read_word(sequence, thread) {
#ifdef READS_BEFORE_TAKING
    sequence = told_sequence; thread = told_thread;
    told = false
#else
    atomic { sequence = told_sequence; thread = told_thread; told = false }
#endif
}

proctype node() {
    byte current = NONE, sequence = 0, got, thread;
end:
    do
    :: told -> read_word(got, thread); current = thread
    :: calls_made < CALLS && current != NONE ->
        atomic {
            caller = current;
            calls_made++;
            sequence = (sequence + 1) % 4;
            ask_sequence = sequence;
            ask_caller = current;
            if
            :: ask_blocks = true
            :: ask_blocks = false
            fi;
            asked = true
        };
        do
        :: told ->
            read_word(got, thread);
#ifdef WITHOUT_SEQUENCE
            break
#else
            if
            :: got == sequence -> break
            :: else
            fi
#endif
        od;
        assert(calls_served == calls_made);
        current = thread
    od
}

/* The state when no process can go on. */
proctype quiet() {
    byte best;
    timeout ->
    most_urgent(best);
    assert(!asked && !told);
    assert(calls_served == calls_made)
}

init {
    atomic {
        ready[0] = true;
        decided = 0;
        told_thread = 0;
        told = true;
        run master();
        run node();
        run quiet()
    }
}
