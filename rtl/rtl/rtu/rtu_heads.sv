// SPDX-License-Identifier: MIT
//
// For each node: the head of its ready queue, its current task (the task that the last answer
// named), and its interrupt line, which follows from both (rtu.sv, the interrupt rule).

`include "assertions.svh"

module rtu_heads #(
  parameter int unsigned NumNodes = 4,
  parameter int unsigned NumTasks = 64,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned NodeWidth = 2,
  parameter int unsigned NumberWidth = 5,
  parameter int unsigned Stages = 0,
  localparam int unsigned TagWidth = rtu_pkg::KindWidth + NumberWidth
) (
  input  logic clk_i,
  input  logic rst_ni,

  // The heads are searched for while `search_i` is high, and stored at the end of a cycle with
  // `apply_i`. If Stages is not 0, the result of the search comes one cycle later.
  input  logic search_i,
  input  logic apply_i,
  input  logic adopt_i,  // with `apply_i`: the head of node `node_i` becomes its current task
  input  logic [NodeWidth-1:0] node_i,

  input  logic [NumTasks-1:0]          valid_i,
  input  logic [NumTasks*IdWidth-1:0]  id_i,
  input  logic [NumTasks*TagWidth-1:0] tags_i,

  // Node n is at [n * width +: width].
  output logic [NumNodes-1:0]         head_valid_o,  // heads: right in the cycle with `apply_i`
  output logic [NumNodes*IdWidth-1:0] head_o,
  output logic [NumNodes-1:0]         current_valid_o,
  output logic [NumNodes*IdWidth-1:0] current_o,
  output logic [NumNodes-1:0]         irq_o
);

  logic [NumNodes-1:0]         head_valid_q, current_valid_q, found_valid;
  logic [NumNodes*IdWidth-1:0] head_q, current_q, found;

  for (genvar n = 0; n < NumNodes; n++) begin : gen_head
    rtu_lookup #(
      .Depth(NumTasks),
      .IdWidth(IdWidth),
      .TagWidth(TagWidth),
      .Deep(Stages > 1)
    ) u_head (
      .clk_i,
      .search_i,
      .tag_i({rtu_pkg::KindReady, NumberWidth'(n)}),
      .valid_i,
      .id_i,
      .tags_i,
      .found_o(found_valid[n]),
      .id_o(found[n*IdWidth+:IdWidth])
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        head_valid_q[n] <= 1'b0;
        head_q[n*IdWidth+:IdWidth] <= '0;
        current_valid_q[n] <= 1'b0;
        current_q[n*IdWidth+:IdWidth] <= '0;
      end else if (apply_i) begin
        head_valid_q[n] <= head_valid_o[n];
        head_q[n*IdWidth+:IdWidth] <= head_o[n*IdWidth+:IdWidth];
        if (adopt_i && node_i == NodeWidth'(n)) begin
          current_valid_q[n] <= head_valid_o[n];
          current_q[n*IdWidth+:IdWidth] <= head_o[n*IdWidth+:IdWidth];
        end
      end
    end

    assign irq_o[n] = head_valid_q[n] &&
        !(current_valid_q[n] && current_q[n*IdWidth+:IdWidth] == head_q[n*IdWidth+:IdWidth]);
  end

  if (Stages > 0) begin : gen_heads
    logic [NumNodes-1:0]         valid_q;
    logic [NumNodes*IdWidth-1:0] id_q;
    always_ff @(posedge clk_i) begin
      valid_q <= found_valid;
      id_q <= found;
    end
    assign head_valid_o = valid_q;
    assign head_o = id_q;
    `RULE_IF(HeadsStay, apply_i, head_valid_o == found_valid && head_o == found)
  end else begin : gen_heads
    assign head_valid_o = found_valid;
    assign head_o = found;
  end

  assign current_valid_o = current_valid_q;
  assign current_o = current_q;

  `RULE_IF(AdoptsHeads, adopt_i, apply_i)
  for (genvar n = 0; n < NumNodes; n++) begin : gen_node_rules
    `RULE_NEXT(CurrentIsTheNodes, !(adopt_i && node_i == NodeWidth'(n)),
               current_q[n*IdWidth+:IdWidth] == $past(current_q[n*IdWidth+:IdWidth]) &&
               current_valid_q[n] == $past(current_valid_q[n]))
  end

endmodule
