// SPDX-License-Identifier: MIT
//
// Chooses the node that uses the bus next: round robin, so that a node waits for at most one access
// of each other node. The code uses only constructs that yosys 0.23 reads, because formal/ proves
// it.

`include "assertions.svh"

module bus_arbiter #(
  parameter int unsigned NumNodes = 4,
  parameter int unsigned NodeWidth = 2
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [NumNodes-1:0]  req_i,
  input  logic                 take_i,  // gives the bus to the winner; needs a request
  output logic [NodeWidth-1:0] winner_o
);

  logic [NodeWidth-1:0] last_q;

  // Search the requests from the node after the last winner, then from node 0 up to the last
  // winner.
  logic found;
  always_comb begin
    found = 1'b0;
    winner_o = '0;
    for (int unsigned n = 0; n < 2 * NumNodes; n++) begin
      if (!found && req_i[n%NumNodes] && (n >= NumNodes || n > 32'(last_q))) begin
        found = 1'b1;
        winner_o = NodeWidth'(n % NumNodes);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_q <= '0;
    end else if (take_i) begin
      last_q <= winner_o;
    end
  end

  `RULE_IF(TakesRequested, take_i, req_i != '0)
  `RULE_IF(WinnerAsked, take_i, req_i[winner_o])
  `RULE_IF(LastOnlyIfAlone, take_i && winner_o == last_q,
           (req_i & ~(NumNodes'(1) << last_q)) == '0)

endmodule
