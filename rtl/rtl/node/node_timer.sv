// SPDX-License-Identifier: MIT
//
// The core-local interruptor of one node, with the registers at the addresses of the SiFive CLINT
// of QEMU's `virt` machine: `msip` at 4 × hart, `mtimecmp` at 0x4000 + 8 × hart, `mtime` at 0xBFF8.
// `mtime` counts clock cycles and cannot be written. The registers of other harts read as 0.

`include "assertions.svh"

module node_timer
  import system_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [NodeWidth-1:0] hart_i,

  input  logic        req_i,
  input  logic        we_i,
  input  logic [15:0] offset_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,  // the register at `offset_i`, in the same cycle

  output logic irq_software_o,
  output logic irq_timer_o
);

  localparam logic [15:0] SoftwareOffset = 16'h0000;
  localparam logic [15:0] CompareOffset = 16'h4000;
  localparam logic [15:0] TimeOffset = 16'hBFF8;

  logic [63:0] time_q, compare_q, compare_d;
  logic        software_q, timer_q;
  logic        is_software, is_compare_low, is_compare_high;

  assign is_software = offset_i == SoftwareOffset + (16'(hart_i) << 2);
  assign is_compare_low = offset_i == CompareOffset + (16'(hart_i) << 3);
  assign is_compare_high = offset_i == CompareOffset + (16'(hart_i) << 3) + 16'd4;

  always_comb begin
    compare_d = compare_q;
    if (req_i && we_i && is_compare_low) compare_d[31:0] = wdata_i;
    if (req_i && we_i && is_compare_high) compare_d[63:32] = wdata_i;
  end

  // The interrupt line changes one cycle after `mtime` reaches `mtimecmp`. A store to `mtimecmp`
  // changes the line at the end of the store's first cycle, which is before the store is granted,
  // so the core takes the interrupt before the next instruction.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q <= '0;
      compare_q <= '1;
      software_q <= 1'b0;
      timer_q <= 1'b0;
    end else begin
      time_q <= time_q + 1'b1;
      compare_q <= compare_d;
      timer_q <= time_q >= compare_d;
      if (req_i && we_i && is_software) software_q <= wdata_i[0];
    end
  end

  always_comb begin
    rdata_o = '0;
    if (is_software) rdata_o = 32'(software_q);
    if (is_compare_low) rdata_o = compare_q[31:0];
    if (is_compare_high) rdata_o = compare_q[63:32];
    if (offset_i == TimeOffset) rdata_o = time_q[31:0];
    if (offset_i == TimeOffset + 16'd4) rdata_o = time_q[63:32];
  end

  assign irq_software_o = software_q;
  assign irq_timer_o = timer_q;

  `RULE_NEXT(InterruptsWhenDue, time_q >= compare_d, irq_timer_o)
  `RULE_NEXT(SilentBefore, time_q < compare_d, !irq_timer_o)
  `RULE_NEXT(SilentBeforeInHighWord, time_q < compare_d && time_q[31:0] >= compare_d[31:0],
             !irq_timer_o)
  `RULE_NEXT(CountsCycles, rst_ni, time_q == $past(time_q) + 64'd1)

endmodule
