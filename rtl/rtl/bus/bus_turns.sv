// SPDX-License-Identifier: MIT
//
// The control of a bus: decides which node has the bus, counts the cycles of latency, and reports
// when the access is done. Addresses and data do not pass through this module (see bus.sv). The
// code uses only constructs that yosys 0.23 reads, because formal/ proves it.

`include "assertions.svh"

module bus_turns #(
  parameter int unsigned NumNodes = 4,
  parameter int unsigned OwnerWidth = 2,
  parameter int unsigned LatencyWidth = 9
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [LatencyWidth-1:0] latency_i,  // cycles, constant while the system runs

  input  logic [NumNodes-1:0] req_i,  // the bit of a node stays high until its bit of `done_o`
  output logic [NumNodes-1:0] done_o,

  // To the target: from `req_o` until `ack_i`, the target has the access of node `owner_o`.
  output logic                  req_o,
  output logic [OwnerWidth-1:0] owner_o,
  input  logic                  ack_i
);

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
    case (state_q)
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
  assign owner_o = owner_q;
  assign done_o = NumNodes'(req_o && ack_i) << owner_q;

  `RULE_IF(OwnerStillAsks, state_q != Idle, req_i[owner_q])
  `RULE_IF(OneIsDone, done_o != '0, req_o && ack_i && done_o == NumNodes'(1) << owner_q)
  `RULE_NEXT(TargetHoldsBus, req_o && !ack_i, req_o && owner_q == $past(owner_q))
  for (genvar n = 0; n < NumNodes; n++) begin : gen_node_rules
    `RULE_NEXT(HoldsRequest, req_i[n] && !done_o[n], req_i[n])
  end

endmodule
