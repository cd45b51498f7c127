// SPDX-License-Identifier: MIT
//
// The bus between the nodes and the shared targets: one access at a time, each with the set
// latency. The latency is that of the whole way, there and back: a read's data and a posted write's
// effect come at the same time after the access has got the bus.
//
// A target answers in the same cycle or later. The answer to a write is handed back, too, because
// the RTU answers posted calls.

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

  typedef enum logic [1:0] {
    Idle,
    Travel,
    Access
  } state_e;

  state_e                  state_q, state_d;
  logic [OwnerWidth-1:0]   winner, owner_q;
  logic [LatencyWidth-1:0] left_q;
  logic                    take;

  bus_arbiter #(
    .NumNodes(NumNodes),
    .NodeWidth(OwnerWidth)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .req_i,
    .take_i(take),
    .winner_o(winner)
  );

  assign take = state_q == Idle && req_i != '0;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    if (take) state_d = latency_i == '0 ? Access : Travel;
      Travel:  if (left_q == LatencyWidth'(1)) state_d = Access;
      Access:  if (ack_i) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      owner_q <= '0;
      left_q <= '0;
    end else begin
      state_q <= state_d;
      if (take) begin
        owner_q <= winner;
        left_q <= latency_i;
      end else begin
        left_q <= left_q - 1'b1;
      end
    end
  end

  assign req_o = state_q == Access;
  assign node_o = NodeWidth'(owner_q);
  assign access_o = access_i[owner_q];
  assign rdata_o = rdata_i;
  assign done_o = NumNodes'(req_o && ack_i) << owner_q;

  `RULE(LatencyInRange, latency_i <= LatencyWidth'(MaxLatency))
  `RULE_IF(OwnerStillAsks, state_q != Idle, req_i[owner_q])
  `RULE_IF(OneIsDone, done_o != '0, req_o && ack_i && done_o == NumNodes'(1) << owner_q)
  `RULE_NEXT(TargetHoldsBus, req_o && !ack_i, req_o && access_o == $past(access_o))
  for (genvar n = 0; n < NumNodes; n++) begin : gen_node_rules
    `RULE_NEXT(HoldsRequest, req_i[n] && !done_o[n], req_i[n] && access_i[n] == $past(access_i[n]))
  end

endmodule
