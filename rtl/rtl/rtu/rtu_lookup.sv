// SPDX-License-Identifier: MIT
//
// Finds the head of a queue: the first entry of the list (rtu_queue) with the tag of the queue. The
// search is combinational. While `search_i` is low it is off, which saves switching in hardware and
// time in simulation. If Deep, the result comes one cycle later, and the list must not change in
// between.
//
// The search is a binary tree that selects the first of two matches at each node, so that the
// longest path grows with the logarithm of the length of the list.

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

  // The levels of the tree. After r levels, element s (a multiple of 2**r) has the first match of
  // the 2**r entries from s on. `Early` is the number of levels in the first cycle, if Deep.
  localparam int unsigned Rounds = $clog2(Depth);
  localparam int unsigned Early = (Rounds - 1) / 2;

  // In element s: whether its entries have a match, and the identifier of the first one. `near` is
  // the result of the early levels, `early` is `near` (if Deep: one cycle later), and `first` is
  // the result of all levels.
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
