// SPDX-License-Identifier: MIT
//
// Proof of rtu_delays by induction, for every sequence of periods, delays and wake-ups:
//  - a tick comes exactly `period` × TickUnit cycles after the last tick, or after the call that
//    set the period, and none comes while the period is 0;
//  - a task sleeps for exactly the ticks that it asked for, and is reported before the module has
//    tested every other task more than once.
//
// The second rule is stated for one arbitrary task x, which the solver chooses.
//
// The proof makes one assumption: a task that is due is woken before 2**(TimeWidth - 1) more ticks
// come. rtu_proof.sv proves why: the unit wakes a due task after at most one call.

`include "assertions.svh"

module rtu_delays_proof #(
  parameter int unsigned NumTasks = 3,
  parameter int unsigned TickUnit = 2,
  parameter bit          Deep = 1'b0
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       set_period_i,
  input logic [2:0] period_i,
  input logic       delay_i,
  input logic [1:0] delay_id_i,
  input logic [2:0] ticks_i,
  input logic       take_i
);

  localparam int unsigned IdWidth = 2;
  localparam int unsigned TicksWidth = 3;
  localparam int unsigned TimeWidth = TicksWidth + 1;
  localparam int unsigned SinceWidth = 8;
  localparam logic signed [TimeWidth:0] LeftLimit = 5'sd8;  // 2**(TimeWidth - 1)

  logic                due;
  logic [IdWidth-1:0]  due_id;
  logic [NumTasks-1:0] delayed;

  rtu_delays #(
    .NumTasks(NumTasks),
    .IdWidth(IdWidth),
    .TicksWidth(TicksWidth),
    .TimeWidth(TimeWidth),
    .TickUnit(TickUnit),
    .Deep(Deep)
  ) u_delays (
    .clk_i,
    .rst_ni,
    .set_period_i,
    .period_i,
    .delay_i,
    .delay_id_i,
    .ticks_i,
    .due_o(due),
    .due_id_o(due_id),
    .take_i,
    .delayed_o(delayed)
  );

  (* hierconn *) wire \u_delays.tick ;
  (* hierconn *) wire \u_delays.tested ;
  (* hierconn *) wire \u_delays.cycle_q ;
  (* hierconn *) wire [TicksWidth-1:0] \u_delays.elapsed_q ;
  (* hierconn *) wire [TicksWidth-1:0] \u_delays.period_q ;
  (* hierconn *) wire [TimeWidth-1:0] \u_delays.now_q ;
  (* hierconn *) wire [TimeWidth-1:0] \u_delays.wake_q[0] ;
  (* hierconn *) wire [TimeWidth-1:0] \u_delays.wake_q[1] ;
  (* hierconn *) wire [TimeWidth-1:0] \u_delays.wake_q[2] ;
  (* hierconn *) wire [IdWidth-1:0] \u_delays.place_q ;
  (* hierconn *) wire [IdWidth:0] \u_delays.left_q ;

  logic               tick;
  logic [IdWidth:0]   unseen;
  logic [TimeWidth-1:0] now;
  assign tick = \u_delays.tick ;
  assign unseen = \u_delays.left_q ;  // tasks that the rotation has not tested since the tick
  assign now = \u_delays.now_q ;

  // Assumptions: one reset at the start, and inputs as rtu_delays requires them.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb begin
    assume (rst_ni == started_q);
    assume (!take_i || due);
    assume (!delay_i || (delay_id_i < 2'(NumTasks) && !delayed[delay_id_i] && ticks_i != '0));
  end

  // --- The tick. `since` counts the cycles since the last tick or the setting of the period.
  logic [TicksWidth-1:0] period_q;
  logic [SinceWidth-1:0] since_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      period_q <= '0;
      since_q <= '0;
    end else if (set_period_i) begin
      period_q <= period_i;
      since_q <= '0;
    end else if (period_q != '0) begin
      since_q <= since_q == SinceWidth'(period_q) * SinceWidth'(TickUnit) - 1'b1 ? '0
                                                                            : since_q + 1'b1;
    end
  end

  logic expected;
  assign expected = period_q != '0 &&
                    since_q == SinceWidth'(period_q) * SinceWidth'(TickUnit) - 1'b1;

  `RULE_IF(TicksWhenExpected, expected, tick)
  `RULE_IF(NoOtherTick, !expected, !tick)
  `RULE(PeriodIsAsSet, period_q == \u_delays.period_q [TicksWidth-1:0])
  `RULE_IF(CountsUnits, period_q != '0,
           since_q == SinceWidth'( \u_delays.elapsed_q ) * SinceWidth'(TickUnit) +
                      SinceWidth'( \u_delays.cycle_q ) &&
           since_q < SinceWidth'(period_q) * SinceWidth'(TickUnit))
  `REACHED(LongestPeriod, tick && period_q == '1)

  // --- One task. `left` is the number of ticks that it still sleeps: negative once it is due.
  (* anyconst *) logic [IdWidth-1:0] x;
  always_comb assume (x < IdWidth'(NumTasks));

  logic signed [TimeWidth:0] left_q;
  logic                      x_sleeps, x_due;
  logic [TimeWidth-1:0]      x_wake;
  logic [IdWidth-1:0]        distance;
  assign x_sleeps = delayed[x];
  assign x_due = x_sleeps && left_q <= 0;
  assign x_wake = x == 2'd0 ? \u_delays.wake_q[0] :
                  x == 2'd1 ? \u_delays.wake_q[1] : \u_delays.wake_q[2] ;
  // The number of tasks that rtu_delays tests before it tests task x.
  assign distance = x >= \u_delays.place_q ? x - \u_delays.place_q :
                                             x + IdWidth'(NumTasks) - \u_delays.place_q ;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
    end else if (delay_i && delay_id_i == x) begin
      // A tick in the cycle of the call counts as the first tick of the delay.
      left_q <= (TimeWidth + 1)'(ticks_i) - (TimeWidth + 1)'(tick);
    end else if (tick && x_sleeps) begin
      left_q <= left_q - 1'b1;
    end
  end
  always_comb assume (!(x_sleeps && tick && left_q <= -LeftLimit + 5'sd1));

  `RULE_IF(CountsTicks, x_sleeps, left_q[TimeWidth-1:0] == x_wake - now &&
                                  left_q < LeftLimit && left_q > -LeftLimit)
  `RULE_IF(NotEarly, due && due_id == x, x_due)
  `RULE_IF(FoundInTime, x_due, (IdWidth + 1)'(distance) < unseen)
  `RULE_IF(FoundWhenReached, x_due && distance == '0 && \u_delays.tested == 1'b1,
           due && due_id == x)
  `RULE_NEXT(SleepsUntilTaken, x_sleeps && !(take_i && due_id == x), x_sleeps)
  `RULE_NEXT(TakenIsAwake, take_i && due_id == x && !(delay_i && delay_id_i == x), !x_sleeps)
  `REACHED(SleepsLongest, delay_i && delay_id_i == x && ticks_i == '1)
  `REACHED(LastInRotation, x_due && (IdWidth + 1)'(distance) == (IdWidth + 1)'(NumTasks - 1))
  `REACHED(LastInTable, take_i && due_id == 2'(NumTasks - 1))

endmodule
