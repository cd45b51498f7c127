// SPDX-License-Identifier: MIT
//
// All queues of the RTU in one list, sorted by priority, oldest first among equals. Every entry has
// the tag of its queue, so that the head of a queue is the first entry with the tag. One list is
// enough, because a task is always in exactly one queue: with Depth = number of tasks the list can
// never overflow, and no queue has a length of its own.
//
// The list is a shift register: an insertion moves the entries after it down by one place in one
// cycle, a removal moves them up. If Deep, that takes two cycles: the slots that move are found in
// the first, and move in the second. The list does not know what a tag means and never searches for
// a head: rtu_lookup does. With deadlines, equals of a priority are in the order of their
// deadlines: rtu_deadlines.sv.

`include "assertions.svh"

module rtu_queue #(
  parameter int unsigned Depth = 64,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned PriorityWidth = 6,
  parameter int unsigned TagWidth = 7,
  parameter int unsigned DeadlineWidth = 0,  // 0: no deadlines
  parameter int unsigned TimeWidth = 17,
  parameter int unsigned TicksWidth = 16,
  parameter bit          Deep = 1'b0
) (
  input  logic clk_i,
  input  logic rst_ni,

  // The list changes at the end of a cycle with `apply_i`. If Deep, the operation is the same in
  // the cycle before, in which `apply_i` is low.
  input  logic apply_i,

  // At most one of the two in a cycle. The user inserts no identifier that is in the list, and
  // inserts none into a full list.
  input  logic                     insert_i,
  input  logic [IdWidth-1:0]       insert_id_i,
  input  logic [PriorityWidth-1:0] insert_priority_i,
  input  logic [TagWidth-1:0]      insert_tag_i,

  input  logic                remove_i,
  input  logic [IdWidth-1:0]  remove_id_i,
  output logic [TagWidth-1:0] removed_tag_o,  // in the cycle in which the list changes

  // Only with deadlines: see rtu_deadlines.
  input  logic                  tick_i,
  input  logic [TimeWidth-1:0]  now_i,
  input  logic                  set_ticks_i,
  input  logic [IdWidth-1:0]    set_id_i,
  input  logic [TicksWidth-1:0] ticks_i,
  input  logic                  wakes_i,
  input  logic                  sets_i,

  // Slot s is at [s * width +: width]; slot 0 is the most urgent.
  output logic [Depth-1:0]               valid_o,
  output logic [Depth*IdWidth-1:0]       id_o,
  output logic [Depth*PriorityWidth-1:0] priority_o,
  output logic [Depth*TagWidth-1:0]      tag_o
);

  logic [Depth-1:0]               valid_q, valid_d;
  logic [Depth*IdWidth-1:0]       id_q, id_d;
  logic [Depth*PriorityWidth-1:0] priority_q, priority_d;
  logic [Depth*TagWidth-1:0]      tag_q, tag_d;

  logic [Depth-1:0] goes_down;  // on an insertion: empty, or less urgent than the new one
  logic [Depth-1:0] later;      // an entry of its priority that comes after the new one
  logic [Depth-1:1] sorted;     // the deadline is not earlier than that of the slot above
  logic [Depth-1:0] goes_up;    // on a removal: the removed entry and those after it
  // As they are found. If Deep, the others follow one cycle later.
  logic [Depth-1:0]    found_down, found_up, near_up;
  logic [TagWidth-1:0] found_tag;

  // The mark of a removal goes so far in the first cycle of two, and the rest in the second.
  localparam int unsigned Near = 1 << ($clog2(Depth) / 2);

  if (DeadlineWidth > 0) begin : gen_deadlines
    rtu_deadlines #(
      .NumTasks(Depth),
      .IdWidth(IdWidth),
      .DeadlineWidth(DeadlineWidth)
    ) u_deadlines (
      .clk_i,
      .rst_ni,
      .tick_i,
      .now_i(now_i[DeadlineWidth:0]),
      .set_ticks_i,
      .set_id_i,
      .ticks_i(ticks_i[DeadlineWidth-1:0]),
      .remove_i(apply_i && remove_i),
      .id_i(remove_id_i),
      .wakes_i,
      .sets_i,
      .insert_i(apply_i && insert_i),
      .goes_down_i(goes_down),
      .goes_up_i(goes_up),
      .later_o(later),
      .sorted_o(sorted)
    );
  end else begin : gen_deadlines
    assign later = '0;
    assign sorted = '1;
  end

  always_comb begin
    found_down = '0;
    if (insert_i) begin
      for (int unsigned s = 0; s < Depth; s++) begin
        found_down[s] = !valid_q[s] ||
                        priority_q[s*PriorityWidth+:PriorityWidth] < insert_priority_i ||
                        (later[s] &&
                         priority_q[s*PriorityWidth+:PriorityWidth] == insert_priority_i);
      end
    end
  end

  // All slots after the removed entry get a mark: each round doubles the distance that the mark has
  // gone, so that the longest path grows with the logarithm of the length.
  always_comb begin
    found_up = '0;
    found_tag = '0;
    if (remove_i) begin
      for (int unsigned s = 0; s < Depth; s++) begin
        if (valid_q[s] && id_q[s*IdWidth+:IdWidth] == remove_id_i) begin
          found_up[s] = 1'b1;
          found_tag |= tag_q[s*TagWidth+:TagWidth];
        end
      end
      for (int unsigned distance = 1; distance < Near; distance = distance * 2) begin
        found_up |= found_up << distance;
      end
    end
  end

  if (Deep) begin : gen_found
    // Not reset: read only in the second cycle of an operation.
    always_ff @(posedge clk_i) begin
      goes_down <= found_down;
      near_up <= found_up;
      removed_tag_o <= found_tag;
    end
  end else begin : gen_found
    assign goes_down = found_down;
    assign near_up = found_up;
    assign removed_tag_o = found_tag;
  end

  always_comb begin
    goes_up = near_up;
    if (remove_i) begin
      for (int unsigned distance = Near; distance < Depth; distance = distance * 2) begin
        goes_up |= goes_up << distance;
      end
    end
  end

  // Each slot keeps its entry, or takes the new one, or that of the slot above (before it) or below
  // (after it).
  always_comb begin
    valid_d = valid_q;
    id_d = id_q;
    priority_d = priority_q;
    tag_d = tag_q;
    if (apply_i && (insert_i || remove_i)) begin
      for (int unsigned s = 0; s < Depth; s++) begin
        if (goes_down[s] && (s == 0 || !goes_down[s-1])) begin
          valid_d[s] = 1'b1;
          id_d[s*IdWidth+:IdWidth] = insert_id_i;
          priority_d[s*PriorityWidth+:PriorityWidth] = insert_priority_i;
          tag_d[s*TagWidth+:TagWidth] = insert_tag_i;
        end else if (goes_down[s]) begin
          valid_d[s] = valid_q[s-1];
          id_d[s*IdWidth+:IdWidth] = id_q[(s-1)*IdWidth+:IdWidth];
          priority_d[s*PriorityWidth+:PriorityWidth] =
              priority_q[(s-1)*PriorityWidth+:PriorityWidth];
          tag_d[s*TagWidth+:TagWidth] = tag_q[(s-1)*TagWidth+:TagWidth];
        end else if (goes_up[s] && s < Depth - 1) begin
          valid_d[s] = valid_q[s+1];
          id_d[s*IdWidth+:IdWidth] = id_q[(s+1)*IdWidth+:IdWidth];
          priority_d[s*PriorityWidth+:PriorityWidth] =
              priority_q[(s+1)*PriorityWidth+:PriorityWidth];
          tag_d[s*TagWidth+:TagWidth] = tag_q[(s+1)*TagWidth+:TagWidth];
        end else if (goes_up[s]) begin
          valid_d[s] = 1'b0;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      id_q <= '0;
      priority_q <= '0;
      tag_q <= '0;
    end else begin
      valid_q <= valid_d;
      id_q <= id_d;
      priority_q <= priority_d;
      tag_q <= tag_d;
    end
  end

  assign valid_o = valid_q;
  assign id_o = id_q;
  assign priority_o = priority_q;
  assign tag_o = tag_q;

  // The duties of the user.
  `RULE(OneOperation, !(insert_i && remove_i))
  `RULE_IF(RoomToInsert, insert_i, !valid_q[Depth-1])
  if (Deep) begin : gen_deep_rules
    `RULE_IF(RemovalStays, apply_i && remove_i,
             near_up == found_up && removed_tag_o == found_tag)
    // A tick in the first cycle may make an entry late, and thereby the equal of the new one: the
    // place that was found before the tick holds.
    `RULE_NEXT(InsertionStays, insert_i && !apply_i && !(DeadlineWidth > 0 && tick_i),
               goes_down == found_down)
  end

  // The duties of the list. formal/ proves that no entry is lost and that equals keep their order.
  for (genvar s = 1; s < Depth; s++) begin : gen_order
    `RULE_IF(Compact, valid_q[s], valid_q[s-1])
    `RULE_IF(Sorted, valid_q[s], priority_q[(s-1)*PriorityWidth+:PriorityWidth] >=
                                 priority_q[s*PriorityWidth+:PriorityWidth])
    `RULE_IF(SortedByDeadline, valid_q[s] && priority_q[(s-1)*PriorityWidth+:PriorityWidth] ==
                                             priority_q[s*PriorityWidth+:PriorityWidth], sorted[s])
  end

endmodule
