// SPDX-License-Identifier: MIT
//
// The owners of the mutexes. The tasks that wait for a mutex are in rtu_queue; a mutex for which
// tasks wait always has an owner.

`include "assertions.svh"

module rtu_mutexes #(
  parameter int unsigned NumMutexes = 8,
  parameter int unsigned NumTasks = 64,
  parameter int unsigned IdWidth = 6,
  parameter int unsigned NumberWidth = 3
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Operations on the mutex `number_i`, at most one in a cycle.
  input  logic [NumberWidth-1:0] number_i,
  input  logic                   acquire_i,  // task `owner_i` becomes the owner
  input  logic                   release_i,
  input  logic [IdWidth-1:0]     owner_i,
  output logic                   owned_o,

  // The mutexes that the task `task_i` owns, as a mask, and the lowest number among them.
  input  logic [IdWidth-1:0]     task_i,
  output logic [NumMutexes-1:0]  held_o,
  output logic [IdWidth-1:0]     lowest_o,

  // The owner of the mutex `wanted_i`.
  input  logic [NumberWidth-1:0] wanted_i,
  output logic [IdWidth-1:0]     owner_o,

  input  logic [NumTasks-1:0]    used_i  // for the rules
);

  logic [NumMutexes-1:0]         owned_q;
  logic [NumMutexes*IdWidth-1:0] owner_q;

  for (genvar m = 0; m < NumMutexes; m++) begin : gen_mutex
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        owned_q[m] <= 1'b0;
        owner_q[m*IdWidth+:IdWidth] <= '0;
      end else if ((acquire_i || release_i) && number_i == NumberWidth'(m)) begin
        owned_q[m] <= acquire_i;
        if (acquire_i) owner_q[m*IdWidth+:IdWidth] <= owner_i;
      end
    end
    assign held_o[m] = owned_q[m] && owner_q[m*IdWidth+:IdWidth] == task_i;
    `RULE_IF(OwnerIsUsed, owned_q[m], used_i[owner_q[m*IdWidth+:IdWidth]])
  end

  always_comb begin
    lowest_o = '0;
    owner_o = '0;
    owned_o = 1'b0;
    for (int unsigned m = 0; m < NumMutexes; m++) begin
      if (number_i == NumberWidth'(m)) owned_o = owned_q[m];
      if (wanted_i == NumberWidth'(m)) owner_o = owner_q[m*IdWidth+:IdWidth];
    end
    for (int unsigned m = NumMutexes; m > 0; m--) begin
      if (held_o[m-1]) lowest_o = IdWidth'(m - 1);
    end
  end

  `RULE(OneChange, !(acquire_i && release_i))
  `RULE_IF(AcquiresForUsed, acquire_i, used_i[owner_i])
  `RULE_IF(ReleasesOwned, release_i, owned_o)

endmodule
