// SPDX-License-Identifier: MIT
//
// Time: counts ticks, and finds the delayed tasks whose wake-up time has come (that are due). After
// each tick, this module tests every task once, one task in a cycle, in the order of the task
// identifiers, starting after the last task that it tested. A tick that comes earlier makes it test
// NumTasks further tasks from there on, so that no task is left out however fast the ticks are.
//
// Tasks that are due at the same tick are reported one at a time, in the order of the tests;
// `due_o` stays high until `take_i`. The wake-up times are in a memory instead of registers,
// because only one is read and one written in a cycle.

`include "assertions.svh"

module rtu_delays #(
  parameter int unsigned NumTasks = 64,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned TicksWidth = 16,
  parameter int unsigned TimeWidth = 17,  // more than TicksWidth
  parameter int unsigned TickUnit = 64,   // clock cycles of one unit of the period
  parameter bit          Deep = 1'b0      // a task is tested in two cycles
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic                  set_period_i,
  input  logic [TicksWidth-1:0] period_i,  // units; 0 stops the tick

  // Delays the task `delay_id_i` until `ticks_i` more ticks, at least 1, have come.
  input  logic                  delay_i,
  input  logic [IdWidth-1:0]    delay_id_i,
  input  logic [TicksWidth-1:0] ticks_i,

  output logic               due_o,
  output logic [IdWidth-1:0] due_id_o,
  input  logic               take_i,

  output logic [NumTasks-1:0] delayed_o,

  output logic                 tick_o,  // a tick comes at the end of the cycle
  output logic [TimeWidth-1:0] now_o    // the number of ticks that have come
);

  localparam int unsigned UnitWidth = $clog2(TickUnit);

  // The tick: `elapsed` counts units up to `period`.
  logic [UnitWidth-1:0]  cycle_q;
  logic [TicksWidth-1:0] elapsed_q, period_q;
  logic                  unit, tick;

  assign unit = cycle_q == UnitWidth'(TickUnit - 1);
  assign tick = unit && period_q != '0 && elapsed_q == period_q - 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      elapsed_q <= '0;
      period_q <= '0;
    end else if (set_period_i) begin
      cycle_q <= '0;
      elapsed_q <= '0;
      period_q <= period_i;
    end else begin
      cycle_q <= unit ? '0 : cycle_q + 1'b1;
      if (tick) begin
        elapsed_q <= '0;
      end else if (unit) begin
        elapsed_q <= elapsed_q + 1'b1;
      end
    end
  end

  // The order of the tests: `place_q` is the task that is tested now, `left_q` the number of tasks
  // that were not tested since the last tick.
  logic [TimeWidth-1:0] now_q;
  (* ram_style = "distributed" *)
  logic [TimeWidth-1:0] wake_q [NumTasks];
  logic [NumTasks-1:0]  delayed_q, delayed_d;
  logic [IdWidth-1:0]   place_q;
  logic [IdWidth:0]     left_q;
  logic [TimeWidth-1:0] overdue;
  logic                 looking, step, found_due, tested, is_due;

  assign looking = left_q != '0;
  assign overdue = now_q - wake_q[place_q];
  assign found_due = delayed_q[place_q] && !overdue[TimeWidth-1];
  assign due_o = looking && tested && is_due;
  assign due_id_o = place_q;
  assign step = looking && tested && (!due_o || take_i);

  if (Deep) begin : gen_tested
    logic tested_q, is_due_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        tested_q <= 1'b0;
        is_due_q <= 1'b0;
      end else begin
        tested_q <= looking && !step && !tick;  // test again after a tick: it can make the task due
        is_due_q <= found_due;
      end
    end
    assign tested = tested_q;
    assign is_due = is_due_q;
    `RULE_IF(TestStays, tested_q && is_due_q, found_due)
  end else begin : gen_tested
    assign tested = 1'b1;
    assign is_due = found_due;
  end

  // Uses shifts, because yosys builds a subtractor for an assignment to a bit with a variable
  // index.
  assign delayed_d = (delayed_q & ~(NumTasks'(take_i) << place_q)) |
                     (NumTasks'(delay_i) << delay_id_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q <= '0;
      delayed_q <= '0;
      place_q <= '0;
      left_q <= '0;
    end else begin
      delayed_q <= delayed_d;
      if (tick) now_q <= now_q + 1'b1;
      if (step) place_q <= place_q == IdWidth'(NumTasks - 1) ? '0 : place_q + 1'b1;
      if (tick) begin
        left_q <= (IdWidth + 1)'(NumTasks);
      end else if (step) begin
        left_q <= left_q - 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (delay_i) wake_q[delay_id_i] <= now_q + TimeWidth'(ticks_i);
  end

  assign delayed_o = delayed_q;
  assign tick_o = tick;
  assign now_o = now_q;

  `RULE(PlaceIsTask, (IdWidth + 1)'(place_q) < (IdWidth + 1)'(NumTasks))
  `RULE_IF(TakesDue, take_i, due_o)
  `RULE_IF(DelaysAwake, delay_i, !delayed_q[delay_id_i])
  `RULE_IF(DelaysForLater, delay_i, ticks_i != '0)
  `RULE_NEXT(RotationWaits, !step, place_q == $past(place_q))
  `RULE_NEXT(RotationGoesOn, step,
             place_q == ($past(place_q) == IdWidth'(NumTasks - 1) ? '0 : $past(place_q) + 1'b1))
  `RULE_NEXT(StaysDue, due_o && !take_i && !tick, due_o)

endmodule
