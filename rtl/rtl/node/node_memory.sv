// SPDX-License-Identifier: MIT
//
// The local memory of a node, with a port for instructions and a port for data. Both ports answer
// in the next cycle. The core's boot code can be fetched through the instruction port only.

`include "assertions.svh"

module node_memory
  import system_pkg::*;
  import core_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  logic        fetch_req_i,
  input  logic [31:0] fetch_addr_i,
  output logic        fetch_valid_o,
  output logic [31:0] fetch_data_o,
  output logic        fetch_err_o,  // the address is neither in memory nor in the boot code

  input  logic        data_req_i,
  input  access_t     data_access_i,
  output logic [31:0] data_rdata_o
);

  localparam int unsigned Words = MemoryBytes / 4;
  localparam int unsigned WordWidth = $clog2(Words);

  localparam int unsigned BootWidth = $clog2(BootWords);

  logic [31:0]          memory [Words];  // loaded by the simulation before reset ends
  logic [WordWidth-1:0] fetch_word, data_word;
  logic [31:0]          fetch_q, data_q, boot_q;
  logic                 is_memory, is_boot, was_boot_q;

  assign fetch_word = fetch_addr_i[2+:WordWidth];
  assign data_word = data_access_i.addr[2+:WordWidth];
  assign is_memory = in_range(fetch_addr_i, MemoryBase, MemoryBytes);
  assign is_boot = in_range(fetch_addr_i, BootStart, 4 * BootWords);

  always_ff @(posedge clk_i) begin
    if (fetch_req_i) begin
      fetch_q <= memory[fetch_word];
      boot_q <= BootCode[fetch_addr_i[2+:BootWidth]];
    end
  end

  always_ff @(posedge clk_i) begin
    if (data_req_i) begin
      if (data_access_i.we) begin
        for (int unsigned b = 0; b < 4; b++) begin
          if (data_access_i.be[b]) memory[data_word][8*b+:8] <= data_access_i.wdata[8*b+:8];
        end
      end else begin
        data_q <= memory[data_word];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetch_valid_o <= 1'b0;
      fetch_err_o <= 1'b0;
      was_boot_q <= 1'b0;
    end else begin
      fetch_valid_o <= fetch_req_i;
      fetch_err_o <= fetch_req_i && !is_memory && !is_boot;
      was_boot_q <= is_boot;
    end
  end

  assign fetch_data_o = was_boot_q ? boot_q : fetch_q;
  assign data_rdata_o = data_q;

  `RULE_IF(DataInMemory, data_req_i, target_of(data_access_i.addr) == TargetMemory)
  `RULE_NEXT(FetchIsAnswered, fetch_req_i, fetch_valid_o)
  `RULE_NEXT(FetchNowhereFails,
             fetch_req_i && !in_range(fetch_addr_i, MemoryBase, MemoryBytes) &&
             !in_range(fetch_addr_i, BootStart, 4 * BootWords), fetch_err_o)
  `RULE_NEXT(FetchFromMemory, fetch_req_i && is_memory, !fetch_err_o)
  `RULE_NEXT(FetchFromBootCode, fetch_req_i && is_boot, !fetch_err_o)

endmodule
