// SPDX-License-Identifier: MIT
//
// Deadlines order the tasks of equal priority in the list of rtu_queue. This module keeps a key for
// each slot of the list, and says which slots a new entry precedes. By its key, a task is of one of
// three classes, which come in this order:
//  - late: the tick of the deadline has come; all late tasks are equal;
//  - timed: the tick of the deadline has not come yet; the earliest deadline comes first;
//  - without a deadline.
//
// The counter of ticks wraps around, but the comparison of two deadlines stays right: the tick of a
// deadline marks its task as late in the same cycle, whether the task is in a slot or is moving. So
// all timed deadlines are at most 2**DeadlineWidth - 1 ticks in the future, and the sign of a
// difference of DeadlineWidth + 1 bits compares two of them. A task that becomes late keeps its
// slot, because the timed tasks after it have later deadlines.
//
// A deadline is a number of ticks. It starts when a call sets it, and starts again whenever the
// task wakes from a delay.

`include "assertions.svh"

module rtu_deadlines #(
  parameter int unsigned NumTasks = 64,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned DeadlineWidth = 16,
  localparam int unsigned TimeWidth = DeadlineWidth + 1,
  localparam int unsigned KeyWidth = TimeWidth + 2
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic                 tick_i,
  input  logic [TimeWidth-1:0] now_i,

  // Sets a task's deadline in ticks; 0, as for a task that is created, means none.
  input  logic                     set_ticks_i,
  input  logic [IdWidth-1:0]       set_id_i,
  input  logic [DeadlineWidth-1:0] ticks_i,

  // The task `id_i` leaves the list at the end of the cycle. Its deadline starts if it leaves
  // because it wakes (`wakes_i`), or because of the call that sets its deadline to `ticks_i`
  // (`sets_i`).
  input  logic               remove_i,
  input  logic [IdWidth-1:0] id_i,
  input  logic               wakes_i,
  input  logic               sets_i,

  // How the slots of rtu_queue move. On `insert_i`, the task that left the list last enters it at
  // the end of the cycle.
  input  logic                insert_i,
  input  logic [NumTasks-1:0] goes_down_i,
  input  logic [NumTasks-1:0] goes_up_i,
  output logic [NumTasks-1:0] later_o,
  output logic [NumTasks-1:1] sorted_o  // for rules: key s does not precede key s - 1
);

  // The highest bits of a key are its class: {late, has a deadline}.
  localparam int unsigned Late = KeyWidth - 1, Has = KeyWidth - 2;
  localparam logic [1:0] Timed = 2'b01;

  (* ram_style = "distributed" *)
  logic [DeadlineWidth-1:0] ticks_q [NumTasks];
  logic [NumTasks*KeyWidth-1:0] keys_q, keys_d, aged;
  logic [KeyWidth-1:0]          key_q, key_d, aged_key, removed;
  logic [DeadlineWidth-1:0]     ticks;
  logic [TimeWidth-1:0]         next_now;

  // Not reset: read only for identifiers in use.
  always_ff @(posedge clk_i) begin
    if (set_ticks_i) ticks_q[set_id_i] <= ticks_i;
  end

  assign next_now = now_i + 1'b1;
  assign ticks = sets_i ? ticks_i : ticks_q[id_i];

  for (genvar s = 0; s < NumTasks; s++) begin : gen_slot
    logic [KeyWidth-1:0]  key;
    logic [TimeWidth-1:0] ahead;
    assign key = keys_q[s*KeyWidth+:KeyWidth];
    assign ahead = key_q[TimeWidth-1:0] - key[TimeWidth-1:0];
    assign later_o[s] = key[Late:Has] < key_q[Late:Has] ||
                        (key[Late:Has] == Timed && key_q[Late:Has] == Timed &&
                         ahead[TimeWidth-1]);
    always_comb begin
      aged[s*KeyWidth+:KeyWidth] = key;
      if (tick_i && key[Has] && key[TimeWidth-1:0] == next_now) aged[s*KeyWidth+Late] = 1'b1;
    end
  end

  // The keys move as the slots of the list do.
  always_comb begin
    removed = '0;
    keys_d = aged;
    for (int unsigned s = 0; s < NumTasks; s++) begin
      if (goes_up_i[s] && (s == 0 || !goes_up_i[s-1])) removed |= keys_q[s*KeyWidth+:KeyWidth];
      if (insert_i && goes_down_i[s]) begin
        keys_d[s*KeyWidth+:KeyWidth] = aged_key;
        if (s > 0 && goes_down_i[s-1]) begin
          keys_d[s*KeyWidth+:KeyWidth] = aged[(s-1)*KeyWidth+:KeyWidth];
        end
      end
      if (remove_i && goes_up_i[s] && s < NumTasks - 1) begin
        keys_d[s*KeyWidth+:KeyWidth] = aged[(s+1)*KeyWidth+:KeyWidth];
      end
    end
  end

  always_comb begin
    key_d = key_q;
    if (remove_i && (sets_i || wakes_i)) key_d = {1'b0, ticks != '0, now_i + TimeWidth'(ticks)};
    else if (remove_i) key_d = removed;
    else if (set_ticks_i) key_d = '0;
    aged_key = key_d;
    if (tick_i && key_d[Has] && key_d[TimeWidth-1:0] == next_now) aged_key[Late] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      keys_q <= '0;
      key_q <= '0;
    end else begin
      keys_q <= keys_d;
      key_q <= aged_key;
    end
  end

  // Every timed deadline is in the future and in range, so that the comparison above is right.
  logic [TimeWidth-1:0] key_left;
  assign key_left = key_q[TimeWidth-1:0] - now_i;
  `RULE_IF(MovingIsInRange, key_q[Late:Has] == Timed, key_left != '0 && !key_left[TimeWidth-1])
  `RULE_IF(MovingLateHadDeadline, key_q[Late], key_q[Has])
  for (genvar s = 0; s < NumTasks; s++) begin : gen_rules
    logic [TimeWidth-1:0] left;
    logic [KeyWidth-1:0]  rank;  // of the task in slot s among tasks of equal priority; 0 is first
    assign left = keys_q[s*KeyWidth+:TimeWidth] - now_i;
    assign rank = keys_q[s*KeyWidth+Late] ? '0 :
                  keys_q[s*KeyWidth+Has] ? KeyWidth'(left) : '1;
    if (s > 0) begin : gen_sorted
      assign sorted_o[s] = gen_rules[s-1].rank <= rank;
    end
    `RULE_IF(IsInRange, keys_q[s*KeyWidth+TimeWidth+:2] == Timed,
             left != '0 && !left[TimeWidth-1])
    `RULE_IF(LateHadDeadline, keys_q[s*KeyWidth+Late], keys_q[s*KeyWidth+Has])
  end
  `RULE(OneChange, !(insert_i && (remove_i || set_ticks_i)))
  `RULE_NEXT(TickMakesLate, tick_i && key_d[Has] && key_d[TimeWidth-1:0] == next_now,
             key_q[Late:Has] == 2'b11)

endmodule
