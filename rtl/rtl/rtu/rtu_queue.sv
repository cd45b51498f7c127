// SPDX-License-Identifier: MIT
//
// All queues of the RTU in one list, sorted by priority, oldest first among equals. Every entry carries the tag of the
// queue it is in, so that the head of a queue is the first entry with its tag. One list, because a task is always in
// exactly one queue: with Depth = number of tasks it can never overflow, and no queue has a length of its own.
//
// A shift register: an insertion moves the entries behind it down by one place in one cycle, a removal moves them up.
// It does not know what a tag means and never looks for a head: that is rtu_lookup.

`include "assertions.svh"

module rtu_queue #(
  parameter int unsigned Depth = 64,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned PriorityWidth = 6,
  parameter int unsigned TagWidth = 7
) (
  input  logic clk_i,
  input  logic rst_ni,

  // One of the two in a cycle. The user inserts no identifier that is in the list, and none into a full list.
  input  logic                     insert_i,
  input  logic [IdWidth-1:0]       insert_id_i,
  input  logic [PriorityWidth-1:0] insert_priority_i,
  input  logic [TagWidth-1:0]      insert_tag_i,

  input  logic                remove_i,
  input  logic [IdWidth-1:0]  remove_id_i,
  output logic [TagWidth-1:0] removed_tag_o,  // in the cycle of the removal

  // Slot s is at [s * width +: width]; slot 0 is the most urgent.
  output logic [Depth-1:0]               valid_o,
  output logic [Depth*IdWidth-1:0]       id_o,
  output logic [Depth*PriorityWidth-1:0] priority_o,
  output logic [Depth*TagWidth-1:0]      tag_o
);

  localparam int unsigned EntryWidth = IdWidth + PriorityWidth + TagWidth;

  logic [Depth-1:0]      valid_q;
  logic [EntryWidth-1:0] entry_q [Depth];

  logic [Depth-1:0] goes_down;  // on an insertion: empty, or less urgent than what comes
  logic [Depth-1:0] goes_up;    // on a removal: at or behind what goes

  always_comb begin
    goes_down = '0;
    if (insert_i) begin
      for (int unsigned s = 0; s < Depth; s++) begin
        goes_down[s] = !valid_q[s] || priority_o[s*PriorityWidth+:PriorityWidth] < insert_priority_i;
      end
    end
  end

  always_comb begin
    goes_up = '0;
    removed_tag_o = '0;
    if (remove_i) begin
      for (int unsigned s = 0; s < Depth; s++) begin
        if (valid_q[s] && id_o[s*IdWidth+:IdWidth] == remove_id_i) begin
          goes_up[s] = 1'b1;
          removed_tag_o = tag_o[s*TagWidth+:TagWidth];
        end else if (s > 0) begin
          goes_up[s] = goes_up[s-1];
        end
      end
    end
  end

  for (genvar s = 0; s < Depth; s++) begin : gen_slot
    logic                  valid_above, valid_below, is_place;
    logic [EntryWidth-1:0] above, below;

    if (s == 0) begin : gen_first
      assign valid_above = 1'b0;
      assign above = '0;
      assign is_place = goes_down[s];
    end else begin : gen_other
      assign valid_above = valid_q[s-1];
      assign above = entry_q[s-1];
      assign is_place = goes_down[s] && !goes_down[s-1];
    end

    if (s == Depth - 1) begin : gen_last
      assign valid_below = 1'b0;
      assign below = '0;
    end else begin : gen_inner
      assign valid_below = valid_q[s+1];
      assign below = entry_q[s+1];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q[s] <= 1'b0;
        entry_q[s] <= '0;
      end else if (is_place) begin
        valid_q[s] <= 1'b1;
        entry_q[s] <= {insert_tag_i, insert_priority_i, insert_id_i};
      end else if (goes_down[s]) begin
        valid_q[s] <= valid_above;
        entry_q[s] <= above;
      end else if (goes_up[s]) begin
        valid_q[s] <= valid_below;
        entry_q[s] <= below;
      end
    end

    assign {tag_o[s*TagWidth+:TagWidth], priority_o[s*PriorityWidth+:PriorityWidth],
            id_o[s*IdWidth+:IdWidth]} = entry_q[s];
  end

  assign valid_o = valid_q;

  // What the user owes.
  `RULE(OneOperation, !(insert_i && remove_i))
  `RULE(RoomToInsert, !insert_i || !valid_q[Depth-1])

  // What the list owes. That nothing is lost and equals keep their order is proved in formal/.
  for (genvar s = 1; s < Depth; s++) begin : gen_order
    `RULE(Compact, valid_q[s-1] || !valid_q[s])
    `RULE(Sorted, !valid_q[s] || priority_o[(s-1)*PriorityWidth+:PriorityWidth] >=
                                   priority_o[s*PriorityWidth+:PriorityWidth])
  end

endmodule
