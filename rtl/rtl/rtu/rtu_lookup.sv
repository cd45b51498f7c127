// SPDX-License-Identifier: MIT
//
// Finds the head of a queue: the first entry of the list that has its tag. Combinational, and idle
// while `search_i` is low: in hardware that keeps the comparators quiet, in simulation it skips
// them. If Deep, the result follows one cycle later, and the list must not change in between.
//
// A tree of choices between two entries finds the first one, so that the longest path grows with
// the logarithm of the length.

module rtu_lookup #(
  parameter int unsigned Depth = 64,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned TagWidth = 7,
  parameter bit          Deep = 1'b0
) (
  input  logic                      clk_i,
  input  logic                      search_i,
  input  logic [TagWidth-1:0]       tag_i,
  input  logic [Depth-1:0]          valid_i,
  input  logic [Depth*IdWidth-1:0]  id_i,
  input  logic [Depth*TagWidth-1:0] tags_i,

  output logic               found_o,
  output logic [IdWidth-1:0] id_o
);

  // The tree: after r rounds, entry s stands for the 2**r entries from s on. If Deep, so many early
  // rounds are in the first cycle.
  localparam int unsigned Rounds = $clog2(Depth);
  localparam int unsigned Early = (Rounds - 1) / 2;

  // The first match among the entries for which s stands: whether there is one, and its identifier.
  // `near` is after the early rounds, `early` the same if need be one cycle later, `first` at last.
  logic [Depth-1:0]         near, early, first;
  logic [Depth*IdWidth-1:0] near_id, early_id, first_id;

  always_comb begin
    near = '0;
    near_id = '0;
    if (search_i) begin
      for (int unsigned s = 0; s < Depth; s++) begin
        if (valid_i[s] && tags_i[s*TagWidth+:TagWidth] == tag_i) begin
          near[s] = 1'b1;
          near_id[s*IdWidth+:IdWidth] = id_i[s*IdWidth+:IdWidth];
        end
      end
      for (int unsigned half = 1; half < 2 ** Early; half = half * 2) begin
        for (int unsigned s = 0; s + half < Depth; s = s + 2 * half) begin
          if (!near[s]) near_id[s*IdWidth+:IdWidth] = near_id[(s+half)*IdWidth+:IdWidth];
          near[s] = near[s] || near[s+half];
        end
      end
    end
  end

  if (Deep) begin : gen_early
    logic [Depth-1:0]         early_q;
    logic [Depth*IdWidth-1:0] early_id_q;
    // Not reset: read only after a search.
    always_ff @(posedge clk_i) begin
      early_q <= near;
      early_id_q <= near_id;
    end
    assign early = early_q;
    assign early_id = early_id_q;
  end else begin : gen_early
    assign early = near;
    assign early_id = near_id;
  end

  always_comb begin
    first = '0;
    first_id = '0;
    if (search_i) begin
      first = early;
      first_id = early_id;
      for (int unsigned half = 2 ** Early; half < Depth; half = half * 2) begin
        for (int unsigned s = 0; s + half < Depth; s = s + 2 * half) begin
          if (!first[s]) first_id[s*IdWidth+:IdWidth] = first_id[(s+half)*IdWidth+:IdWidth];
          first[s] = first[s] || first[s+half];
        end
      end
    end
  end

  assign found_o = first[0];
  assign id_o = first_id[0+:IdWidth];

endmodule
