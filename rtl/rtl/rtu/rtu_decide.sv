// SPDX-License-Identifier: MIT
//
// Decides what a call does. This combinational table takes the call and the state of the unit, and
// returns either an error or the changes to make. The outputs request changes only while `apply_i`
// is high, and none if there is an error.

`include "assertions.svh"

module rtu_decide #(
  parameter int unsigned NumTasks = 64,
  parameter int unsigned NumSemaphores = 32,
  parameter int unsigned NumMutexes = 0,
  parameter int unsigned DeadlineWidth = 0,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned NodeWidth = 2,
  parameter int unsigned NumberWidth = 5,
  parameter int unsigned PriorityWidth = 6,
  parameter int unsigned CountWidth = 8,
  parameter int unsigned ArgumentWidth = 16,
  parameter bit          Pipelined = 1'b0  // the argument is stable for a cycle before `apply_i`
) (
  input logic clk_i,
  input logic rst_ni,

  // The call: see rtu_pkg.
  input logic                     apply_i,
  input logic [3:0]               op_i,
  input logic [ArgumentWidth-1:0] argument_i,
  input logic [NodeWidth-1:0]     node_i,

  // The state of the unit before the call.
  input logic                 current_valid_i,  // the caller's node runs a task
  input logic [IdWidth-1:0]   current_i,
  input logic                 free_i,           // a task identifier is free
  input logic [IdWidth-1:0]   free_id_i,
  input logic [NumTasks-1:0]  used_i,
  input logic                 waiter_i,         // a task waits for the semaphore of the argument
  input logic [IdWidth-1:0]   waiter_id_i,
  input logic [NodeWidth-1:0] waiter_node_i,
  input logic                 empty_i,          // the count of that semaphore is 0
  input logic                 full_i,           // the count of that semaphore is at its maximum
  // Only with mutexes. If the argument names a mutex, `waiter_i` is for the tasks that wait for it.
  input logic                 owned_i,          // the mutex of the argument has an owner
  input logic                 own_i,            // the caller is the owner of that mutex
  input logic                 owns_i,           // the caller (OpPriority: the task) owns a mutex

  output rtu_pkg::error_e error_o,

  // The changes. `take_out_o`: the task `task_o` leaves its queue. `put_in_o`: it enters the queue
  // {kind_o, number_o} or, if `same_queue_o`, the queue that it has left.
  output logic                   adopt_o,  // the task in the answer becomes the current task
  output logic                   take_out_o,
  output logic                   put_in_o,
  output logic [IdWidth-1:0]     task_o,
  output logic                   same_queue_o,
  output rtu_pkg::kind_e         kind_o,
  output logic [NumberWidth-1:0] number_o,
  output logic                   create_o,
  output logic                   exit_o,
  output logic                   set_priority_o,
  output logic                   decrement_o,
  output logic                   increment_o,
  output logic                   set_count_o,
  output logic                   delay_o,
  output logic                   set_period_o,
  output logic                   acquire_o,  // `owner_o` owns the mutex of the argument
  output logic                   release_o,
  output logic [IdWidth-1:0]     owner_o,
  output logic                   inherit_o,  // find the inherited priority of `task_o` again
  output logic                   restore_o,  // find that of the caller, after `task_o` has moved
  output logic                   set_base_o,
  output logic                   set_deadline_o,

  // The fields of the argument.
  output logic [PriorityWidth-1:0] priority_o,
  output logic [CountWidth-1:0]    count_o
);

  localparam bit HasMutexes = NumMutexes > 0;
  localparam bit HasDeadlines = DeadlineWidth > 0;

  logic [7:0] low, high;
  logic       is_semaphore, is_low_semaphore, is_low_task, is_priority, is_high_priority, is_count;
  logic       is_zero, is_mutex, is_deadline, locks, unlocks, sets_deadline;
  logic [8:0] checks, checked;

  assign low = argument_i[7:0];
  assign high = argument_i[15:8];
  assign checks[0] = argument_i < ArgumentWidth'(NumSemaphores);
  assign checks[1] = 9'(low) < 9'(NumSemaphores);
  assign checks[2] = 9'(low) < 9'(NumTasks) && used_i[low[IdWidth-1:0]];
  assign checks[3] = argument_i >> PriorityWidth == '0;
  assign checks[4] = high >> PriorityWidth == '0;
  assign checks[5] = 9'(high) < 9'(1 << CountWidth);
  assign checks[6] = argument_i == '0;
  assign checks[7] = HasMutexes && argument_i[ArgumentWidth-1:rtu_pkg::MutexBit] == 8'd1 &&
                     9'(low) < 9'(NumMutexes);
  assign checks[8] = HasDeadlines && argument_i >> DeadlineWidth == '0;

  if (Pipelined) begin : gen_checked
    logic [8:0] checks_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) checks_q <= '0;
      else checks_q <= checks;
    end
    assign checked = checks_q;
  end else begin : gen_checked
    assign checked = checks;
  end
  assign {is_deadline, is_mutex, is_zero, is_count, is_high_priority, is_priority, is_low_task,
          is_low_semaphore, is_semaphore} = checked;

  assign locks = HasMutexes && op_i == rtu_pkg::OpTake && is_mutex;
  assign unlocks = HasMutexes && op_i == rtu_pkg::OpGive && is_mutex;

  assign sets_deadline = HasDeadlines && op_i == rtu_pkg::OpDeadline;

  assign priority_o = PriorityWidth'(op_i == rtu_pkg::OpPriority ? high : low);
  assign count_o = high[CountWidth-1:0];

  always_comb begin
    error_o = rtu_pkg::ErrNone;
    case (op_i)
      rtu_pkg::OpNext, rtu_pkg::OpTick: begin
      end
      rtu_pkg::OpYield, rtu_pkg::OpExit: begin
        if (!current_valid_i) error_o = rtu_pkg::ErrNoTask;
      end
      rtu_pkg::OpTake: begin
        if (!is_semaphore) error_o = rtu_pkg::ErrArgument;
        else if (!current_valid_i) error_o = rtu_pkg::ErrNoTask;
      end
      rtu_pkg::OpGive, rtu_pkg::OpSignal: begin
        if (!is_semaphore) error_o = rtu_pkg::ErrArgument;
        else if (full_i) error_o = rtu_pkg::ErrFull;
      end
      rtu_pkg::OpDelay: begin
        if (is_zero) error_o = rtu_pkg::ErrArgument;
        else if (!current_valid_i) error_o = rtu_pkg::ErrNoTask;
      end
      rtu_pkg::OpCreate: begin
        if (!is_priority) error_o = rtu_pkg::ErrArgument;
        else if (!free_i) error_o = rtu_pkg::ErrFull;
      end
      rtu_pkg::OpPriority: begin
        if (!is_low_task || !is_high_priority) error_o = rtu_pkg::ErrArgument;
      end
      rtu_pkg::OpInit: begin
        if (!is_low_semaphore || !is_count) error_o = rtu_pkg::ErrArgument;
        else if (waiter_i) error_o = rtu_pkg::ErrBusy;
      end
      default: error_o = rtu_pkg::ErrOp;
    endcase
    // Outside the case above, so that a unit without mutexes synthesizes to the hardware that it
    // was before mutexes existed.
    if (locks || unlocks) begin
      error_o = rtu_pkg::ErrNone;
      if (!current_valid_i) error_o = rtu_pkg::ErrNoTask;
      else if (own_i == locks) error_o = rtu_pkg::ErrOwner;
    end
    if (HasMutexes && op_i == rtu_pkg::OpExit && current_valid_i && owns_i) begin
      error_o = rtu_pkg::ErrOwner;
    end
    if (sets_deadline) begin
      error_o = rtu_pkg::ErrNone;
      if (!is_deadline) error_o = rtu_pkg::ErrArgument;
      else if (!current_valid_i) error_o = rtu_pkg::ErrNoTask;
    end
  end

  always_comb begin
    adopt_o = 1'b0;
    take_out_o = 1'b0;
    put_in_o = 1'b0;
    task_o = current_i;
    same_queue_o = 1'b0;
    kind_o = rtu_pkg::KindReady;
    number_o = NumberWidth'(node_i);
    create_o = 1'b0;
    exit_o = 1'b0;
    set_priority_o = 1'b0;
    decrement_o = 1'b0;
    increment_o = 1'b0;
    set_count_o = 1'b0;
    delay_o = 1'b0;
    set_period_o = 1'b0;
    acquire_o = 1'b0;
    release_o = 1'b0;
    owner_o = current_i;
    inherit_o = 1'b0;
    restore_o = 1'b0;
    set_base_o = 1'b0;
    set_deadline_o = 1'b0;
    if (apply_i && error_o == rtu_pkg::ErrNone) begin
      adopt_o = op_i != rtu_pkg::OpSignal;
      case (op_i)
        rtu_pkg::OpYield: begin
          take_out_o = 1'b1;
          put_in_o = 1'b1;
        end
        rtu_pkg::OpTake: begin
          decrement_o = !empty_i;
          take_out_o = empty_i;
          put_in_o = empty_i;
          kind_o = rtu_pkg::KindWaiting;
          number_o = argument_i[NumberWidth-1:0];
        end
        rtu_pkg::OpGive, rtu_pkg::OpSignal: begin
          increment_o = !waiter_i;
          take_out_o = waiter_i;
          put_in_o = waiter_i;
          task_o = waiter_id_i;
          number_o = NumberWidth'(waiter_node_i);
        end
        rtu_pkg::OpDelay: begin
          delay_o = 1'b1;
          take_out_o = 1'b1;
          put_in_o = 1'b1;
          kind_o = rtu_pkg::KindDelayed;
          number_o = '0;
        end
        rtu_pkg::OpCreate: begin
          create_o = 1'b1;
          put_in_o = 1'b1;
          task_o = free_id_i;
        end
        rtu_pkg::OpExit: begin
          exit_o = 1'b1;
          take_out_o = 1'b1;
        end
        rtu_pkg::OpPriority: begin
          set_base_o = HasMutexes;
          inherit_o = HasMutexes && owns_i;
          set_priority_o = !inherit_o;
          take_out_o = !inherit_o;
          put_in_o = !inherit_o;
          task_o = low[IdWidth-1:0];
          same_queue_o = 1'b1;
        end
        rtu_pkg::OpInit: set_count_o = 1'b1;
        rtu_pkg::OpTick: set_period_o = 1'b1;
        default: begin
        end
      endcase
      if (locks) begin
        decrement_o = 1'b0;
        acquire_o = !owned_i;
        take_out_o = owned_i;
        put_in_o = owned_i;
        kind_o = rtu_pkg::KindLocking;
      end
      if (unlocks) begin
        increment_o = 1'b0;
        acquire_o = waiter_i;
        release_o = !waiter_i;
        owner_o = waiter_id_i;
        restore_o = waiter_i;
      end
      if (sets_deadline) begin
        set_deadline_o = 1'b1;
        take_out_o = 1'b1;
        put_in_o = 1'b1;
      end
    end
  end

  `RULE_IF(ErrorChangesNothing, apply_i && error_o != rtu_pkg::ErrNone,
           !(adopt_o || take_out_o || put_in_o || create_o || exit_o || set_priority_o ||
             decrement_o || increment_o || set_count_o || delay_o || set_period_o ||
             acquire_o || release_o || inherit_o || restore_o || set_base_o ||
             set_deadline_o))
  `RULE_IF(ChecksStay, apply_i, checks == checked)
  `RULE_IF(WaitersMeanEmpty, apply_i && waiter_i && error_o == rtu_pkg::ErrNone && !unlocks,
           empty_i)
  if (HasMutexes) begin : gen_mutex_rules
    `RULE_IF(WaitersMeanOwned, apply_i && waiter_i && unlocks, owned_i)
    `RULE_IF(OwnIsOwned, apply_i && own_i && is_mutex, owned_i)
  end

endmodule
