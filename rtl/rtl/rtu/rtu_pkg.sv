// SPDX-License-Identifier: MIT
//
// The definitions of the real-time unit (RTU): its calls, its errors and the queues in which a task
// can be. The register map with the layout of a call and of an answer is in rtl/README.md; this
// file and rtu.sv define it.
//
// The RTU's sources use only constructs that yosys 0.23 reads, so that the proof and the simulation
// use the same code: no `import`, no `return`, no packed array of more than one dimension, no array
// of structures.

package rtu_pkg;

  // Sizes of the unit in the system. A proof chooses smaller ones.
  localparam int unsigned NumNodes = 4;
  localparam int unsigned NumTasks = 64;
  localparam int unsigned NumSemaphores = 32;
  localparam int unsigned NumMutexes = 8;  // of the system; the unit alone has none

  localparam int unsigned PriorityWidth = 6;  // 0 … 63, the larger the more urgent
  localparam int unsigned CountWidth = 8;     // of a semaphore
  localparam int unsigned ArgumentWidth = 16;

  // A delay plus one bit, so that tasks that are due and tasks that are not can be distinguished
  // modulo 2**TimeWidth.
  localparam int unsigned TimeWidth = ArgumentWidth + 1;

  // A tick is `period` × TickUnit clock cycles; period 0 stops the clock of the unit.
  localparam int unsigned TickUnit = 64;

  typedef enum logic [3:0] {
    OpNext     = 4'd0,  // the task that runs next on the caller's node
    OpYield    = 4'd1,  // the caller's task goes after its equals
    OpTake     = 4'd2,  // argument: semaphore, or MutexBit and a mutex, which the call locks
    OpGive     = 4'd3,  // argument: semaphore, or MutexBit and a mutex, which the call unlocks
    OpSignal   = 4'd4,  // as OpGive, but the caller goes on until an interrupt
    OpDelay    = 4'd5,  // argument: ticks, at least 1
    OpCreate   = 4'd6,  // argument: priority; the task belongs to the caller's node
    OpExit     = 4'd7,  // the caller's task ends
    OpPriority = 4'd8,  // argument: priority << 8 | task
    OpInit     = 4'd9,  // argument: count << 8 | semaphore; a semaphore with waiters refuses
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
    ErrOwner    = 3'd6   // the task owns the mutex that it locks, or a mutex when it ends; it does
                         // not own the mutex that it unlocks
  } error_e;

  // The queue of a task: a kind, and the number of the node, of the semaphore or of the
  // mutex.
  localparam int unsigned KindWidth = 2;
  typedef enum logic [KindWidth-1:0] {
    KindReady   = 2'd0,
    KindWaiting = 2'd1,
    KindDelayed = 2'd2,
    KindLocking = 2'd3  // waits for a mutex
  } kind_e;

  // The steps of the unit.
  typedef enum logic [2:0] {
    Idle,    // a call may come; a task that is due leaves its queue
    Decide,  // a call changes tables and takes a task out of its queue
    Insert,  // a task enters its queue
    Settle,  // the heads of the ready queues are known again; a call is answered
    Remove,  // only if pipelined or with mutexes: a task leaves its queue in a step of its own
    Answer,  // only if pipelined: a call is answered, not in Settle
    Hold,    // only with mutexes: a walk finds those that a task owns
    Weigh    // … and the priority that the task inherits by them
  } state_e;

endpackage
