// SPDX-License-Identifier: MIT
//
// The state machine of the RTU: the order of the states in which the unit carries out a call or
// wakes a task. A walk (rtu_walk.sv) adds states before Settle. The parameter `Stages` selects one
// of three forms; each divides the longest paths by more registers, for a higher clock rate:
//  - 0, plain: a call is answered after 2 cycles, or 3 if it moves a task.
//  - 1, pipelined: the tables are searched in the cycle before Decide, a task leaves its queue in a
//    state of its own, and the heads of the queues are known one cycle before the answer. A call
//    takes 3 cycles, 4 if it creates or ends a task, 5 if it moves a task, and up to 4 more if it
//    comes during a wake-up.
//  - 2, deep: each state takes two cycles. In the first, all slots of the list are compared; in the
//    second, the list changes or one slot is chosen. A call takes 5, 7 or 9 cycles, and up to 7
//    more during a wake-up. The search for tasks that are due takes twice as long.

`include "assertions.svh"

module rtu_steps #(
  parameter bit          HasMutexes = 1'b0,
  parameter int unsigned Stages = 0
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic req_i,
  input  logic ack_i,
  input  logic wake_i,          // in Idle: a task is due, and there is no call
  input  logic take_out_i,      // in Decide: the call takes a task out of its queue
  input  logic put_in_i,        // in Decide: the call puts a task into a queue
  input  logic put_moved_in_i,  // in Remove: the task that leaves its queue enters a queue next
  input  logic calling_i,       // a call is in progress, not a wake-up
  input  logic inherit_i,       // in Decide: a walk starts at once
  input  logic walks_on_i,      // in Insert: a walk starts, or continues with another task
  input  logic changes_i,       // in Weigh: the task's priority changes

  output rtu_pkg::state_e state_o,
  output logic            step_o,  // the last cycle of a state
  output logic            last_o   // the state in which a call is answered
);

  localparam bit Pipelined = Stages > 0;
  localparam bit Deep = Stages > 1;
  localparam rtu_pkg::state_e Last = Pipelined ? rtu_pkg::Answer : rtu_pkg::Settle;

  rtu_pkg::state_e state_q, state_d;
  logic            second_q;  // only if Deep: this is the second cycle of the state
  logic            has_two;   // only if Deep: the state takes two cycles

  assign has_two = Deep && state_q != rtu_pkg::Idle && state_q != rtu_pkg::Answer;
  assign step_o = !has_two || second_q;
  assign state_o = state_q;
  assign last_o = state_q == Last;

  always_comb begin
    state_d = state_q;
    case (state_q)
      rtu_pkg::Idle: begin
        if (req_i) state_d = rtu_pkg::Decide;
        else if (wake_i) state_d = Pipelined ? rtu_pkg::Remove : rtu_pkg::Insert;
      end
      rtu_pkg::Decide: begin
        state_d = put_in_i ? rtu_pkg::Insert : rtu_pkg::Settle;
        if (Pipelined && take_out_i) state_d = rtu_pkg::Remove;
      end
      rtu_pkg::Insert: state_d = rtu_pkg::Settle;
      rtu_pkg::Remove: state_d = put_moved_in_i ? rtu_pkg::Insert : rtu_pkg::Settle;
      rtu_pkg::Settle: state_d = Pipelined ? rtu_pkg::Answer : rtu_pkg::Idle;
      default:         state_d = rtu_pkg::Idle;
    endcase
    // Outside the case above, so that a unit without mutexes synthesizes to the hardware that it
    // was before mutexes existed.
    if (HasMutexes) begin
      if (inherit_i || (state_q == rtu_pkg::Insert && walks_on_i)) state_d = rtu_pkg::Hold;
      if (state_q == rtu_pkg::Hold) state_d = rtu_pkg::Weigh;
      if (state_q == rtu_pkg::Weigh) state_d = changes_i ? rtu_pkg::Remove : rtu_pkg::Settle;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= rtu_pkg::Idle;
      second_q <= 1'b0;
    end else begin
      second_q <= has_two && !second_q;
      if (step_o) state_q <= state_d;
    end
  end

  `RULE_NEXT(DecidesAtOnce, state_q == rtu_pkg::Idle && req_i, state_q == rtu_pkg::Decide)
  if (Pipelined) begin : gen_pipelined_rules
    `RULE_NEXT(RemovesNext, state_q == rtu_pkg::Decide && take_out_i, state_q == rtu_pkg::Remove)
    `RULE_NEXT(InsertsNext, state_q == rtu_pkg::Decide && !take_out_i && put_in_i,
               state_q == rtu_pkg::Insert)
    `RULE_NEXT(InsertsRemoved, state_q == rtu_pkg::Remove && step_o && put_moved_in_i,
               state_q == rtu_pkg::Insert)
    `RULE_NEXT(SettlesNext, step_o && ((state_q == rtu_pkg::Insert && !walks_on_i) ||
                                       (state_q == rtu_pkg::Remove && !put_moved_in_i)),
               state_q == rtu_pkg::Settle)
    `RULE_NEXT(AnswersNext, step_o && state_q == rtu_pkg::Settle && calling_i, ack_i)
  end
  if (Deep) begin : gen_deep_rules
    `RULE_NEXT(TakesTwoCycles, has_two && !step_o,
               step_o && state_q != rtu_pkg::Idle && state_q != rtu_pkg::Answer)
  end
  if (!Pipelined) begin : gen_rules
    `RULE_NEXT(AnswersInTwo, state_q == rtu_pkg::Decide && !put_in_i && !inherit_i, ack_i)
    `RULE_NEXT(AnswersInThree, state_q == rtu_pkg::Insert && calling_i && !walks_on_i, ack_i)
  end
  if (HasMutexes) begin : gen_walk_rules
    `RULE_NEXT(WalksNext, step_o && state_q == rtu_pkg::Insert && walks_on_i,
               state_q == rtu_pkg::Hold)
    `RULE_NEXT(WeighsNext, step_o && state_q == rtu_pkg::Hold, state_q == rtu_pkg::Weigh)
    `RULE_NEXT(MovesChanged, step_o && state_q == rtu_pkg::Weigh && changes_i,
               state_q == rtu_pkg::Remove)
    `RULE_NEXT(EndsUnchanged, step_o && state_q == rtu_pkg::Weigh && !changes_i,
               state_q == rtu_pkg::Settle)
  end

endmodule
