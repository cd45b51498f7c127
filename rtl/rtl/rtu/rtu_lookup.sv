// SPDX-License-Identifier: MIT
//
// Finds the head of a queue: the first entry of the list that has its tag. Combinational, and idle
// while `search_i` is low: in hardware that keeps the comparators quiet, in simulation it skips
// them.

module rtu_lookup #(
  parameter int unsigned Depth = 64,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned TagWidth = 7
) (
  input  logic                      search_i,
  input  logic [TagWidth-1:0]       tag_i,
  input  logic [Depth-1:0]          valid_i,
  input  logic [Depth*IdWidth-1:0]  id_i,
  input  logic [Depth*TagWidth-1:0] tags_i,

  output logic               found_o,
  output logic [IdWidth-1:0] id_o
);

  always_comb begin
    found_o = 1'b0;
    id_o = '0;
    if (search_i) begin
      for (int unsigned s = 0; s < Depth; s++) begin
        if (!found_o && valid_i[s] && tags_i[s*TagWidth+:TagWidth] == tag_i) begin
          found_o = 1'b1;
          id_o = id_i[s*IdWidth+:IdWidth];
        end
      end
    end
  end

endmodule
