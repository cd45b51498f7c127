// SPDX-License-Identifier: MIT
//
// The definitions of the real-time unit (RTU), a task scheduler in hardware: its calls, its errors
// and the queues in which a task can be. rtl/README.md describes the layout of a call and of an
// answer.
//
// The RTU's sources use only constructs that yosys 0.23 reads, so that the proof and the simulation
// use the same code: no `import`, no `return`, no packed array of more than one dimension, no array
// of structures.

package rtu_pkg;

  // The sizes of the unit in the multi-core system. A proof uses smaller ones.
  localparam int unsigned NumNodes = 4;
  localparam int unsigned NumTasks = 64;
  localparam int unsigned NumSemaphores = 32;
  localparam int unsigned NumMutexes = 8;  // the system passes it; rtu.sv's own default is 0

  localparam int unsigned PriorityWidth = 6;  // 0 … 63, the larger the more urgent
  localparam int unsigned CountWidth = 8;     // of a semaphore
  localparam int unsigned ArgumentWidth = 16;

  // Time wraps around at 2**TimeWidth ticks. It has one bit more than a delay, so that the sign of
  // (now - wake-up time) tells whether a task is due.
  localparam int unsigned TimeWidth = ArgumentWidth + 1;

  // A tick is `period` × TickUnit clock cycles; period 0 stops the clock of the unit.
  localparam int unsigned TickUnit = 64;

  typedef enum logic [3:0] {
    OpNext     = 4'd0,  // the task that runs next on the caller's node
    OpYield    = 4'd1,  // the caller's task moves after all tasks of equal priority
    OpTake     = 4'd2,  // argument: semaphore, or MutexBit and a mutex, which the call locks
    OpGive     = 4'd3,  // argument: semaphore, or MutexBit and a mutex, which the call unlocks
    OpSignal   = 4'd4,  // as OpGive, but a switch of tasks is requested by an interrupt only
    OpDelay    = 4'd5,  // argument: ticks, at least 1
    OpCreate   = 4'd6,  // argument: priority; the task belongs to the caller's node
    OpExit     = 4'd7,  // the caller's task ends
    OpPriority = 4'd8,  // argument: priority << 8 | task
    OpInit     = 4'd9,  // argument: count << 8 | semaphore; ErrBusy if tasks wait for it
    OpTick     = 4'd10, // argument: period
    OpDeadline = 4'd11  // only with deadlines; argument: ticks, or 0 for none
  } op_e;

  // The bit of an argument that names a mutex. A unit without mutexes refuses such an argument.
  localparam int unsigned MutexBit = 8;

  // A call that is answered with an error changes nothing.
  typedef enum logic [2:0] {
    ErrNone     = 3'd0,
    ErrOp       = 3'd1,  // no such call
    ErrArgument = 3'd2,  // no such task, semaphore or priority; a delay of 0 ticks
    ErrFull     = 3'd3,  // every task exists; the semaphore is at its maximum
    ErrBusy     = 3'd4,  // tasks wait for the semaphore
    ErrNoTask   = 3'd5,  // the caller's node runs no task
    ErrOwner    = 3'd6   // lock: the task already owns the mutex; unlock: the task does not own it;
                         // exit: the task owns a mutex
  } error_e;

  // The queue of a task is a kind and a number: the number of the node (ready), of the semaphore
  // (waiting) or of the mutex (locking).
  localparam int unsigned KindWidth = 2;
  typedef enum logic [KindWidth-1:0] {
    KindReady   = 2'd0,
    KindWaiting = 2'd1,
    KindDelayed = 2'd2,
    KindLocking = 2'd3  // waits for a mutex
  } kind_e;

  // The states of the unit (rtu_steps.sv).
  typedef enum logic [2:0] {
    Idle,    // waits for a call; unless pipelined, a task that is due leaves its queue here
    Decide,  // the call changes the tables; unless pipelined, a task leaves its queue here
    Insert,  // the task enters its new queue
    Settle,  // finds the heads of the ready queues; answers the call, unless pipelined
    Remove,  // only if pipelined or with mutexes: a task leaves its queue in a state of its own
    Answer,  // only if pipelined: answers the call
    Hold,    // only with mutexes, for priority inheritance: finds the mutexes that a task owns
    Weigh    // only with mutexes: finds the priority that the task inherits through them
  } state_e;

endpackage
