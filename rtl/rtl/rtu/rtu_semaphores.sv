// SPDX-License-Identifier: MIT
//
// The counts of the semaphores. The tasks that wait for a semaphore are in rtu_queue; the count of
// a semaphore for which tasks wait is always 0.

`include "assertions.svh"

module rtu_semaphores #(
  parameter int unsigned NumSemaphores = 32,
  parameter int unsigned NumberWidth = 5,
  parameter int unsigned CountWidth = 8,
  parameter bit          Deep = 1'b0
) (
  input  logic clk_i,
  input  logic rst_ni,

  // If Deep, the selected count is read into a register: `number_i` must be stable from the cycle
  // before `empty_o` and `full_o` are used or an operation changes the count.
  input  logic [NumberWidth-1:0] number_i,
  output logic                   empty_o,
  output logic                   full_o,

  // Operations on the semaphore `number_i`, at most one in a cycle.
  input  logic                  decrement_i,
  input  logic                  increment_i,
  input  logic                  set_i,
  input  logic [CountWidth-1:0] count_i
);

  logic [CountWidth-1:0] count_q [NumSemaphores];
  logic [CountWidth-1:0] count, count_d;
  logic                  changes;

  if (Deep) begin : gen_read
    logic [CountWidth-1:0] read_q;
    always_ff @(posedge clk_i) read_q <= count_q[number_i];  // not reset: follows the number
    assign count = read_q;
    `RULE_IF(ReadStays, decrement_i || increment_i, count == count_q[number_i])
  end else begin : gen_read
    assign count = count_q[number_i];
  end
  assign empty_o = count == '0;
  assign full_o = count == '1;

  assign changes = decrement_i || increment_i || set_i;
  always_comb begin
    count_d = count;
    if (decrement_i) count_d = count - 1'b1;
    if (increment_i) count_d = count + 1'b1;
    if (set_i) count_d = count_i;
  end

  for (genvar s = 0; s < NumSemaphores; s++) begin : gen_count
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        count_q[s] <= '0;
      end else if (changes && number_i == NumberWidth'(s)) begin
        count_q[s] <= count_d;
      end
    end
  end

  `RULE(OneChange, 2'(decrement_i) + 2'(increment_i) + 2'(set_i) <= 2'd1)
  `RULE_IF(NeverBelowZero, decrement_i, !empty_o)
  `RULE_IF(NeverAboveMaximum, increment_i, !full_o)

endmodule
