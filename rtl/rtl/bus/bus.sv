// SPDX-License-Identifier: MIT
//
// The bus between the nodes and the shared targets. It carries one access at a time and delays each
// by `latency_i` cycles before the access reaches its target; the way back takes no time. So a
// read's data and a write's effect come after the same number of cycles on the bus.
//
// A target answers in the same cycle or later. A write also returns data to the node, because the
// RTU answers posted calls, which are writes.

`include "assertions.svh"

module bus
  import system_pkg::*;
#(
  parameter int unsigned NumNodes = 4
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [LatencyWidth-1:0] latency_i,  // cycles, constant while the system runs

  // The nodes. A request and its access stay unchanged until `done_o`.
  input  logic    [NumNodes-1:0] req_i,
  input  access_t [NumNodes-1:0] access_i,
  output logic    [NumNodes-1:0] done_o,
  output logic    [31:0]         rdata_o,

  // The targets: `req_o` is high until `ack_i`.
  output logic                 req_o,
  output logic [NodeWidth-1:0] node_o,
  output access_t              access_o,
  input  logic                 ack_i,
  input  logic [31:0]          rdata_i
);

  localparam int unsigned OwnerWidth = NumNodes > 1 ? $clog2(NumNodes) : 1;

  logic [OwnerWidth-1:0] owner;

  bus_turns #(
    .NumNodes(NumNodes),
    .OwnerWidth(OwnerWidth),
    .LatencyWidth(LatencyWidth)
  ) u_turns (
    .clk_i,
    .rst_ni,
    .latency_i,
    .req_i,
    .done_o,
    .req_o,
    .owner_o(owner),
    .ack_i
  );

  assign node_o = NodeWidth'(owner);
  assign access_o = access_i[owner];
  assign rdata_o = rdata_i;

  `RULE(LatencyInRange, latency_i <= LatencyWidth'(MaxLatency))
  `RULE_NEXT(AccessStays, req_o && !ack_i, access_o == $past(access_o))
  for (genvar n = 0; n < NumNodes; n++) begin : gen_node_rules
    `RULE_NEXT(HoldsAccess, req_i[n] && !done_o[n], access_i[n] == $past(access_i[n]))
  end

endmodule
