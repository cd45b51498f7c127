// SPDX-License-Identifier: MIT
//
// Proof of rtu_queue by induction, for all insertions and removals that the rules allow: the list
// stays compact, sorted and without duplicates; it loses no entry and adds none by itself; equals
// keep the order in which they came.
//
// The rules are stated for two arbitrary identifiers, x and y, which the solver chooses: a rule
// that holds for any two holds for all.

`include "assertions.svh"

module rtu_queue_proof #(
  parameter int unsigned Depth = 8,
  parameter int unsigned IdWidth = 3,
  parameter int unsigned PriorityWidth = 2,
  parameter int unsigned TagWidth = 2,
  parameter bit          Deep = 1'b0
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic                     insert_i,
  input logic [IdWidth-1:0]       insert_id_i,
  input logic [PriorityWidth-1:0] insert_priority_i,
  input logic [TagWidth-1:0]      insert_tag_i,
  input logic                     remove_i,
  input logic [IdWidth-1:0]       remove_id_i
);

  localparam int unsigned PlaceWidth = $clog2(Depth) + 1;

  logic                           apply;
  logic [TagWidth-1:0]            removed_tag;
  logic [Depth-1:0]               valid;
  logic [Depth*IdWidth-1:0]       id;
  logic [Depth*PriorityWidth-1:0] prio;
  logic [Depth*TagWidth-1:0]      tag;

  rtu_queue #(
    .Depth(Depth),
    .IdWidth(IdWidth),
    .PriorityWidth(PriorityWidth),
    .TagWidth(TagWidth),
    .Deep(Deep)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .apply_i(apply),
    .insert_i,
    .insert_id_i,
    .insert_priority_i,
    .insert_tag_i,
    .remove_i,
    .remove_id_i,
    .removed_tag_o(removed_tag),
    .valid_o(valid),
    .id_o(id),
    .priority_o(prio),
    .tag_o(tag)
  );

  // Reset once, at the start.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // If Deep, an operation takes two cycles, in which it stays the same.
  localparam int unsigned OperationWidth = 2 + 2 * IdWidth + PriorityWidth + TagWidth;
  logic                      second_q = 1'b0;
  logic [OperationWidth-1:0] operation, operation_q;
  assign operation = {insert_i, insert_id_i, insert_priority_i, insert_tag_i,
                      remove_i, remove_id_i};
  assign apply = !Deep || second_q;
  always_ff @(posedge clk_i) begin
    second_q <= Deep && rst_ni && (insert_i || remove_i) && !second_q;
    operation_q <= operation;
  end
  always_comb assume (!second_q || operation == operation_q);

  // The duties of the user. The proof of rtu.sv shows that it fulfils them.
  logic duplicate;
  always_comb begin
    duplicate = 1'b0;
    for (int unsigned s = 0; s < Depth; s++) begin
      if (valid[s] && id[s*IdWidth+:IdWidth] == insert_id_i) duplicate = 1'b1;
    end
  end
  always_comb begin
    assume (!(insert_i && remove_i));
    assume (!(insert_i && (duplicate || valid[Depth-1])));
  end

  // The positions of x and y, and the known facts about them.
  (* anyconst *) logic [IdWidth-1:0] x, y;
  logic                     x_in, x_twice, y_in;
  logic [PlaceWidth-1:0]    x_place, y_place;
  logic [PriorityWidth-1:0] x_priority;
  logic [TagWidth-1:0]      x_tag;
  always_comb begin
    x_in = 1'b0;
    x_twice = 1'b0;
    y_in = 1'b0;
    x_place = '0;
    y_place = '0;
    x_priority = '0;
    x_tag = '0;
    for (int unsigned s = 0; s < Depth; s++) begin
      if (valid[s] && id[s*IdWidth+:IdWidth] == x) begin
        x_twice = x_in;
        x_in = 1'b1;
        x_place = PlaceWidth'(s);
        x_priority = prio[s*PriorityWidth+:PriorityWidth];
        x_tag = tag[s*TagWidth+:TagWidth];
      end
      if (valid[s] && id[s*IdWidth+:IdWidth] == y) begin
        y_in = 1'b1;
        y_place = PlaceWidth'(s);
      end
    end
  end

  // The facts that held before the last edge.
  logic                     was_running_q, was_x_in_q, was_y_in_q, was_ordered_q;
  logic                     inserted_q, removed_q;
  logic [IdWidth-1:0]       inserted_id_q, removed_id_q;
  logic [PriorityWidth-1:0] inserted_priority_q, was_x_priority_q;
  logic [TagWidth-1:0]      inserted_tag_q, was_x_tag_q, removed_tag_q;
  initial was_running_q = 1'b0;
  always_ff @(posedge clk_i) begin
    was_running_q <= rst_ni;
    was_x_in_q <= x_in;
    was_y_in_q <= y_in;
    was_ordered_q <= x_place < y_place;
    was_x_priority_q <= x_priority;
    was_x_tag_q <= x_tag;
    inserted_q <= insert_i && apply;
    removed_q <= remove_i && apply;
    inserted_id_q <= insert_id_i;
    removed_id_q <= remove_id_i;
    inserted_priority_q <= insert_priority_i;
    inserted_tag_q <= insert_tag_i;
    removed_tag_q <= removed_tag;
  end

  logic x_inserted, x_removed;
  assign x_inserted = inserted_q && inserted_id_q == x;
  assign x_removed = removed_q && removed_id_q == x;

  logic was_both_in, y_inserted;
  assign was_both_in = was_running_q && was_x_in_q && was_y_in_q && x_in && y_in && x != y;
  assign y_inserted = was_running_q && inserted_q && inserted_id_q == y && was_x_in_q && x != y;

  `RULE(Unique, !x_twice)
  `RULE(NothingLostOrInvented,
        !was_running_q || x_in == ((was_x_in_q && !x_removed) || x_inserted))
  `RULE_IF(Inserted, was_running_q && x_inserted,
           x_priority == inserted_priority_q && x_tag == inserted_tag_q)
  `RULE_IF(Kept, was_running_q && was_x_in_q && x_in,
           x_priority == was_x_priority_q && x_tag == was_x_tag_q)
  `RULE_IF(RemovedTag, was_running_q && was_x_in_q && x_removed, removed_tag_q == was_x_tag_q)
  `RULE_IF(OrderKept, was_both_in && (inserted_q || removed_q),
           (x_place < y_place) == was_ordered_q)
  `RULE_IF(StaysWithoutOperation, was_both_in && !inserted_q && !removed_q,
           (x_place < y_place) == was_ordered_q)
  `RULE_IF(FirstInFirstOut, y_inserted && x_priority == inserted_priority_q, x_place < y_place)
  `RULE_IF(UrgentStaysAhead, y_inserted && x_priority > inserted_priority_q, x_place < y_place)
  `RULE_IF(UrgentFirst, y_inserted && x_priority < inserted_priority_q, y_place < x_place)

  // The list becomes full, and gives up its last entry.
  `REACHED(Full, valid[Depth-1])
  `REACHED(EmptiesFromFull, was_running_q && removed_q && valid[Depth-2] && !valid[Depth-1])

endmodule
