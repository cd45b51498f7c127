// SPDX-License-Identifier: MIT
//
// Proof of rtu_queue by induction, for all insertions and removals that the rules allow: the list
// stays compact, sorted and without duplicates; it loses no entry and adds none by itself; equals
// keep the order in which they came. With deadlines (DeadlineWidth 2), entries of one priority are
// in the order of their deadlines, however the time wraps around.
//
// The rules are stated for two arbitrary identifiers, x and y, which the solver chooses, so that
// they hold for all pairs.

`include "assertions.svh"

module rtu_queue_proof #(
  parameter int unsigned Depth = 8,
  parameter int unsigned IdWidth = 3,
  parameter int unsigned PriorityWidth = 2,
  parameter int unsigned TagWidth = 2,
  parameter int unsigned DeadlineWidth = 0,
  parameter bit          Deep = 1'b0
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic                     insert_i,
  input logic [IdWidth-1:0]       insert_id_i,
  input logic [PriorityWidth-1:0] insert_priority_i,
  input logic [TagWidth-1:0]      insert_tag_i,
  input logic                     remove_i,
  input logic [IdWidth-1:0]       remove_id_i,

  // Only with deadlines.
  input logic               tick_i,
  input logic               set_ticks_i,
  input logic [IdWidth-1:0] set_id_i,
  input logic [1:0]         ticks_i,
  input logic               wakes_i,
  input logic               sets_i
);

  localparam int unsigned PlaceWidth = $clog2(Depth) + 1;

  logic [2:0]                     now_q = '0;  // wraps around
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
    .DeadlineWidth(DeadlineWidth),
    .TimeWidth(3),
    .TicksWidth(2),
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
    .tick_i,
    .now_i(now_q),
    .set_ticks_i,
    .set_id_i,
    .ticks_i,
    .wakes_i,
    .sets_i,
    .valid_o(valid),
    .id_o(id),
    .priority_o(prio),
    .tag_o(tag)
  );

  // Only with deadlines: the keys of the slots and of the entry that moves.
  (* hierconn *) wire [Depth*5-1:0] \u_queue.gen_deadlines.u_deadlines.keys_q ;
  (* hierconn *) wire [4:0] \u_queue.gen_deadlines.u_deadlines.key_q ;

  // Reset once, at the start.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_ff @(posedge clk_i) now_q <= now_q + 3'(tick_i);
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

  // Assumptions about the inputs; rtu_proof.sv proves that rtu.sv fulfils them.
  logic duplicate;
  always_comb begin
    duplicate = 1'b0;
    for (int unsigned s = 0; s < Depth; s++) begin
      if (valid[s] && id[s*IdWidth+:IdWidth] == insert_id_i) duplicate = 1'b1;
    end
  end
  always_comb begin
    assume (!(insert_i && (remove_i || set_ticks_i)));
    assume (!(insert_i && (duplicate || valid[Depth-1])));
  end

  // Whether x and y are in the list, and their positions.
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

  // The values of these signals in the cycle before.
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
  if (DeadlineWidth == 0) begin : gen_priorities
    `RULE_IF(FirstInFirstOut, y_inserted && x_priority == inserted_priority_q, x_place < y_place)
  end else begin : gen_deadlines
    // The rank of a key, computed from the current time: 0 if late, the ticks that are left, or the
    // largest number if there is no deadline. The unit itself compares keys only with each other.
    logic [4*Depth-1:0] ranks;
    logic [2:0] new_left;
    logic [3:0] x_rank, y_rank, new_rank, was_x_rank_q, was_new_rank_q;
    assign new_left = \u_queue.gen_deadlines.u_deadlines.key_q [2:0] - now_q;
    assign x_rank = 4'(ranks >> (4 * x_place));
    assign y_rank = 4'(ranks >> (4 * y_place));
    assign new_rank = ! \u_queue.gen_deadlines.u_deadlines.key_q [3] ? 4'd8 :
                      \u_queue.gen_deadlines.u_deadlines.key_q [4] ? 4'd0 : 4'(new_left);
    always_ff @(posedge clk_i) begin
      was_x_rank_q <= x_rank;
      was_new_rank_q <= new_rank;
    end
    logic is_equal;
    assign is_equal = y_inserted && x_priority == inserted_priority_q;
    `RULE_IF(EarliestDeadlineFirst, is_equal && was_new_rank_q < was_x_rank_q, y_place < x_place)
    `RULE_IF(NotEarlierIsAfter, is_equal && was_new_rank_q >= was_x_rank_q, x_place < y_place)
    for (genvar s = 0; s < Depth; s++) begin : gen_slot
      logic [4:0] key;
      logic [2:0] left;
      assign key = \u_queue.gen_deadlines.u_deadlines.keys_q [5*s+:5];
      assign left = key[2:0] - now_q;
      assign ranks[4*s+:4] = !key[3] ? 4'd8 : key[4] ? 4'd0 : 4'(left);
    end
    `REACHED(OvertakesTimed, is_equal && was_new_rank_q == 4'd1 && was_x_rank_q == 4'd3)
    `REACHED(TwoAreLate, x_in && y_in && x != y && x_rank == '0 && y_rank == '0)
    `REACHED(EqualDeadlines, is_equal && was_new_rank_q == 4'd2 && was_x_rank_q == 4'd2)
  end
  `RULE_IF(UrgentStaysAhead, y_inserted && x_priority > inserted_priority_q, x_place < y_place)
  `RULE_IF(UrgentFirst, y_inserted && x_priority < inserted_priority_q, y_place < x_place)

  // The list can become full, and can lose its last entry again.
  `REACHED(Full, valid[Depth-1])
  `REACHED(EmptiesFromFull, was_running_q && removed_q && valid[Depth-2] && !valid[Depth-1])

endmodule
