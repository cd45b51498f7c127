// SPDX-License-Identifier: MIT
//
// Proof of bus_turns by induction, for each latency and any behaviour of the nodes and the target
// that their ports allow:
//  - an access reaches the target exactly `latency` + 1 cycles after it gets the bus;
//  - the bus serves one node at a time, and is never idle while a node requests it;
//  - a node waits for at most one access of each other node, so that its access is done in a
//    bounded time, if the target answers within AckMost cycles.

`include "assertions.svh"

module bus_turns_proof #(
  parameter int unsigned NumNodes = 4,
  parameter int unsigned LatencyWidth = 2,
  parameter int unsigned AckMost = 2
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [NumNodes-1:0] req_i,
  input logic                ack_i
);

  localparam int unsigned CountWidth = 6;
  typedef enum logic [1:0] {
    Idle,
    Travel,
    Access
  } state_e;

  (* anyconst *) logic [LatencyWidth-1:0] latency;
  logic [NumNodes-1:0] done;
  logic                req;
  logic [1:0]          owner;

  bus_turns #(
    .NumNodes(NumNodes),
    .OwnerWidth(2),
    .LatencyWidth(LatencyWidth)
  ) u_turns (
    .clk_i,
    .rst_ni,
    .latency_i(latency),
    .req_i,
    .done_o(done),
    .req_o(req),
    .owner_o(owner),
    .ack_i
  );

  (* hierconn *) wire [1:0] \u_turns.state_q ;
  (* hierconn *) wire [LatencyWidth-1:0] \u_turns.left_q ;
  (* hierconn *) wire [1:0] \u_turns.u_arbiter.last_q ;
  logic [1:0]              state, last;
  logic [LatencyWidth-1:0] left;
  assign state = \u_turns.state_q ;
  assign left = \u_turns.left_q ;
  assign last = \u_turns.u_arbiter.last_q ;

  // Assumptions: one reset at the start, nodes that keep their requests, and a target that answers
  // within AckMost cycles.
  logic started_q = 1'b0;
  logic [NumNodes-1:0]   kept_q = '0;
  logic [CountWidth-1:0] acking_q = '0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    kept_q <= rst_ni ? req_i & ~done : '0;
    acking_q <= rst_ni && req && !ack_i ? acking_q + 1'b1 : '0;
  end
  always_comb begin
    assume (rst_ni == started_q);
    assume ((kept_q & ~req_i) == '0);
    assume (!req || ack_i || acking_q < CountWidth'(AckMost - 1));
  end

  // The number of cycles since the present access got the bus; it is at most `longest`.
  logic [CountWidth-1:0] longest, since_q;
  assign longest = CountWidth'(latency) + CountWidth'(1 + AckMost);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) since_q <= '0;
    else since_q <= (state == Idle && req_i == '0) || done != '0 ? '0 : since_q + 1'b1;
  end

  `RULE(StateExists, state <= Access)
  `RULE_IF(IdleIsNew, state == Idle, since_q == '0 && acking_q == '0)
  `RULE_IF(Travels, state == Travel, left != '0 && left <= latency && acking_q == '0 &&
                                     since_q + CountWidth'(left) == CountWidth'(latency) + 1'b1)
  `RULE_IF(Arrives, state == Access, since_q == CountWidth'(latency) + 1'b1 + acking_q &&
                                     acking_q < CountWidth'(AckMost))
  `RULE(InTime, req == (since_q > CountWidth'(latency)))
  `RULE_IF(LastOwns, state != Idle, last == owner && req_i[owner])

  // One arbitrary node: the cycles since its request, and the accesses of other nodes that have
  // ended since then.
  (* anyconst *) logic [1:0] node;
  logic [CountWidth-1:0] waited_q, passed_q;
  logic                  served;
  logic [1:0]            ahead;
  assign served = state != Idle && owner == node;
  assign ahead = node - last - 2'd1;  // number of nodes that come before this node
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waited_q <= '0;
      passed_q <= '0;
    end else if (!req_i[node] || done[node]) begin
      waited_q <= '0;
      passed_q <= '0;
    end else begin
      waited_q <= waited_q + 1'b1;
      if (done != '0) passed_q <= passed_q + 1'b1;
    end
  end

  `RULE(NewIsZero, (kept_q & (NumNodes'(1) << node)) != '0 || (waited_q == '0 && passed_q == '0))
  `RULE(PassesFew, 32'(passed_q) < NumNodes)
  `RULE_IF(TurnComes, !served,
           32'(passed_q) + 32'(ahead) + (state != Idle ? 32'd1 : 32'd0) < NumNodes)
  `RULE(WaitsForTurns, 32'(waited_q) <= 32'(passed_q) * 32'(longest) + 32'(since_q))
  `RULE(Bounded, 32'(waited_q) < NumNodes * 32'(longest))
  // The bound is reached.
  `REACHED(WaitsLongest, 32'(waited_q) == NumNodes * 32'(longest) - 1 && done[node])
  `REACHED(LongestLatency, latency == '1 && done[node])

endmodule
