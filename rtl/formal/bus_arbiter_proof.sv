// SPDX-License-Identifier: MIT
//
// Proof of bus_arbiter by induction: a node that keeps its request waits for at most one access of
// each of the other NumNodes - 1 nodes.

`include "assertions.svh"

module bus_arbiter_proof #(
  parameter int unsigned NumNodes = 4
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [NumNodes-1:0] req_i,
  input logic                take_i
);

  logic [1:0] winner;

  bus_arbiter #(
    .NumNodes(NumNodes),
    .NodeWidth(2)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .req_i,
    .take_i,
    .winner_o(winner)
  );

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb begin
    assume (rst_ni == started_q);
    assume (!take_i || req_i != '0);
  end

  // One arbitrary node, and the number of accesses of other nodes since its request.
  (* anyconst *) logic [1:0] node;
  (* hierconn *) wire [1:0] \u_arbiter.last_q ;
  logic [2:0] passed_q;
  logic [1:0] ahead;
  assign ahead = node - \u_arbiter.last_q - 2'd1;  // number of nodes that come before this node

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      passed_q <= '0;
    end else if (!req_i[node] || (take_i && winner == node)) begin
      passed_q <= '0;
    end else if (take_i) begin
      passed_q <= passed_q + 1'b1;
    end
  end

  `RULE(Bounded, 32'(passed_q) + 32'(ahead) < NumNodes)
  // The bound is reached: this node waits for all others.
  `REACHED(WaitsForAllOthers, req_i[node] && 32'(passed_q) == NumNodes - 1)
  `REACHED(LastIsServed, take_i && winner == node && 32'(passed_q) == NumNodes - 1)

endmodule
