// SPDX-License-Identifier: MIT
//
// The task table: the identifiers in use, and each task's priority and node. The state of a task
// (ready, waiting, …) is only in rtu_queue, as the tag of its entry.
//
// If HasBase, a task also has a base priority: its priority while it inherits none.

`include "assertions.svh"

module rtu_tasks #(
  parameter int unsigned NumTasks = 64,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned NodeWidth = 2,
  parameter int unsigned PriorityWidth = 6,
  parameter bit          HasBase = 1'b0,
  parameter bit          Deep = 1'b0
) (
  input  logic clk_i,
  input  logic rst_ni,

  // The lowest free identifier, and whether there is one. If Deep, the identifier is registered,
  // one cycle after the table; `create_i` comes no earlier than it is right again.
  output logic               free_o,
  output logic [IdWidth-1:0] free_id_o,

  input  logic                     create_i,  // takes `free_id_o` into use; only if `free_o`
  input  logic [NodeWidth-1:0]     create_node_i,
  input  logic                     exit_i,
  input  logic [IdWidth-1:0]       exit_id_i,
  input  logic                     set_priority_i,
  input  logic [IdWidth-1:0]       set_id_i,
  input  logic [PriorityWidth-1:0] priority_i,  // for `create_i` and `set_priority_i`
  input  logic                     set_base_i,  // sets the base priority of task `base_id_i`
  input  logic [IdWidth-1:0]       base_id_i,
  input  logic [PriorityWidth-1:0] base_i,      // for `set_base_i` and `create_i`

  input  logic [IdWidth-1:0]       priority_id_i,
  output logic [PriorityWidth-1:0] priority_o,
  output logic [PriorityWidth-1:0] base_o,
  input  logic [IdWidth-1:0]       node_id_i,
  output logic [NodeWidth-1:0]     node_o,
  output logic [NumTasks-1:0]      used_o
);

  logic [NumTasks-1:0]      used_q, used_d, found_lowest, lowest;
  logic [PriorityWidth-1:0] priority_q [NumTasks];
  logic [NodeWidth-1:0]     node_q [NumTasks];

  // Finds the lowest zero of `used_q`: adding 1 sets exactly this bit, because the carry stops
  // there.
  assign found_lowest = ~used_q & (used_q + 1'b1);
  if (Deep) begin : gen_lowest
    logic [NumTasks-1:0] lowest_q;
    always_ff @(posedge clk_i) lowest_q <= found_lowest;  // not reset: follows the table
    assign lowest = lowest_q;
    `RULE_IF(LowestStays, create_i, lowest == found_lowest)
  end else begin : gen_lowest
    assign lowest = found_lowest;
  end
  assign free_o = used_q != '1;
  always_comb begin
    free_id_o = '0;
    for (int unsigned t = 0; t < NumTasks; t++) begin
      if (lowest[t]) free_id_o |= IdWidth'(t);
    end
  end

  // Uses shifts, because yosys builds a subtractor for an assignment to a bit with a variable
  // index.
  assign used_d = (create_i ? used_q | lowest : used_q) & ~(NumTasks'(exit_i) << exit_id_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
    end else begin
      used_q <= used_d;
    end
  end

  // Not reset: read only for identifiers in use.
  always_ff @(posedge clk_i) begin
    if (create_i) begin
      priority_q[free_id_o] <= priority_i;
      node_q[free_id_o] <= create_node_i;
    end else if (set_priority_i) begin
      priority_q[set_id_i] <= priority_i;
    end
  end

  if (HasBase) begin : gen_base
    logic [PriorityWidth-1:0] base_q [NumTasks];
    // Not reset: read only for identifiers in use.
    always_ff @(posedge clk_i) begin
      if (create_i) base_q[free_id_o] <= base_i;
      else if (set_base_i) base_q[base_id_i] <= base_i;
    end
    assign base_o = base_q[priority_id_i];
    `RULE_IF(ChangesUsedBase, set_base_i, used_q[base_id_i])
  end else begin : gen_base
    assign base_o = '0;
  end

  assign priority_o = priority_q[priority_id_i];
  assign node_o = node_q[node_id_i];
  assign used_o = used_q;

  `RULE(OneChange, 2'(create_i) + 2'(exit_i) + 2'(set_priority_i) <= 2'd1)
  `RULE_IF(CreatesFree, create_i, free_o)
  `RULE_IF(ExitsUsed, exit_i, used_q[exit_id_i])
  `RULE_IF(ChangesUsed, set_priority_i, used_q[set_id_i])

endmodule
