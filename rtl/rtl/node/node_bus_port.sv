// SPDX-License-Identifier: MIT
//
// A node's port to the bus: a queue of accesses, which are done one after the other. The queue is
// the write buffer: the core continues once its write is in the queue. A read waits for the writes
// before it, so that a node's bus accesses take effect in program order.
//
// This module also keeps the RTU's answer to the last posted call, until the next answer comes.

`include "assertions.svh"

module node_bus_port
  import system_pkg::*;
#(
  parameter int unsigned Depth = 4  // accesses
) (
  input  logic clk_i,
  input  logic rst_ni,

  // From the core: an access enters the queue when `req_i` and `ready_o` are high.
  input  logic    req_i,
  input  access_t access_i,
  output logic    ready_o,

  output logic        read_done_o,
  output logic [31:0] read_data_o,

  // The answer to the last posted call; not valid while `answer_pending_o` is high.
  output logic        answer_pending_o,
  output logic [31:0] answer_o,

  // To the bus.
  output logic        bus_req_o,
  output access_t     bus_access_o,
  input  logic        bus_done_i,
  input  logic [31:0] bus_rdata_i
);

  localparam int unsigned CountWidth = $clog2(Depth + 1);

  access_t [Depth-1:0]   queue_q, queue_d;  // the oldest is [0]
  logic [CountWidth-1:0] count_q, count_d, place;
  logic [CountWidth-1:0] calls_q;           // posted calls in the queue
  logic [31:0]           answer_q;
  logic                  push, call_in, call_out;

  assign ready_o = count_q != CountWidth'(Depth);
  assign push = req_i && ready_o;
  assign place = count_q - CountWidth'(bus_done_i);

  always_comb begin
    queue_d = queue_q;
    count_d = count_q;
    if (bus_done_i) begin
      queue_d = queue_q >> $bits(access_t);
      count_d = count_d - 1'b1;
    end
    if (push) begin
      queue_d[place] = access_i;
      count_d = count_d + 1'b1;
    end
  end

  assign call_in = push && access_i.we && target_of(access_i.addr) == TargetRtu;
  assign call_out = bus_done_i && bus_access_o.we && target_of(bus_access_o.addr) == TargetRtu;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      queue_q <= '0;
      count_q <= '0;
      calls_q <= '0;
      answer_q <= '0;
    end else begin
      queue_q <= queue_d;
      count_q <= count_d;
      calls_q <= calls_q + CountWidth'(call_in) - CountWidth'(call_out);
      if (call_out) answer_q <= bus_rdata_i;
    end
  end

  assign bus_req_o = count_q != '0;
  assign bus_access_o = queue_q[0];
  assign read_done_o = bus_done_i && !bus_access_o.we;
  assign read_data_o = bus_rdata_i;
  assign answer_pending_o = calls_q != '0;
  assign answer_o = answer_q;

  `RULE_IF(DoneIsAsked, bus_done_i, bus_req_o)
  `REACHED(Filled, req_i && !ready_o)
  `REACHED(PassesThroughOne, push && bus_done_i && count_q == CountWidth'(1))
  `RULE(CountInRange, count_q <= CountWidth'(Depth) && calls_q <= count_q)
  `RULE_NEXT(AnswerStays, !call_out, answer_q == $past(answer_q))

endmodule
