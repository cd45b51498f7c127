// SPDX-License-Identifier: MIT
//
// The interrupt controller of one node: the part of the PLIC of QEMU's `virt` machine that a node
// needs (RISC-V Platform-Level Interrupt Controller Specification 1.0.0). It has one source, the
// console, and one target, the core's machine mode. A claim lowers the interrupt line, which stays
// low until software completes the interrupt. The priority is 0 (never interrupts) or 1; there is
// no threshold.

`include "assertions.svh"

module node_interrupts
  import system_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  logic        req_i,
  input  logic        we_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,  // the register at `addr_i`, in the same cycle

  input  logic source_i,  // a level
  output logic irq_o
);

  logic priority_q, enable_q, claimed_q;
  logic is_claim;

  assign is_claim = addr_i == InterruptClaim;
  assign irq_o = source_i && priority_q && enable_q && !claimed_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      priority_q <= 1'b0;
      enable_q <= 1'b0;
      claimed_q <= 1'b0;
    end else if (req_i && we_i) begin
      if (addr_i == InterruptPriority) priority_q <= wdata_i[0];
      if (addr_i == InterruptEnable) enable_q <= wdata_i[ConsoleSource];
      if (is_claim && wdata_i == 32'(ConsoleSource)) claimed_q <= 1'b0;
    end else if (req_i && is_claim && irq_o) begin
      claimed_q <= 1'b1;
    end
  end

  always_comb begin
    rdata_o = '0;
    if (addr_i == InterruptPriority) rdata_o = 32'(priority_q);
    if (addr_i == InterruptEnable) rdata_o = 32'(enable_q) << ConsoleSource;
    if (is_claim && irq_o) rdata_o = 32'(ConsoleSource);
  end

  `RULE_NEXT(ClaimedOnce, req_i && !we_i && is_claim && irq_o, !irq_o)

endmodule
