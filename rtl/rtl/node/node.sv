// SPDX-License-Identifier: MIT
//
// One node: a core with its memory, timer, console and port to the bus. Each folder of ../core has
// one core: the module `core`, and the package `core_pkg` with the core's boot code and the timing
// of its device stores.
//
// The `retired_*` outputs report each retired instruction, for measurements.

module node
  import system_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [NodeWidth-1:0] hart_i,
  input  logic [NodeWidth:0]   num_nodes_i,

  output logic        hosted_req_o,
  output access_t     hosted_access_o,
  input  logic        hosted_gnt_i,
  input  logic [31:0] hosted_rdata_i,

  output logic        bus_req_o,
  output access_t     bus_access_o,
  input  logic        bus_done_i,
  input  logic [31:0] bus_rdata_i,

  input  logic                 ring_i,
  input  logic                 ring_is_word_i,
  input  logic [NodeWidth-1:0] ring_from_i,
  input  logic [31:0]          ring_data_i,

  input  logic irq_external_i,

  output logic        console_valid_o,
  output logic [31:0] console_o,
  output logic        finished_o,
  output logic [31:0] finish_o,

  output logic        retired_o,
  output logic [31:0] retired_pc_o,
  output logic [31:0] retired_insn_o,
  output logic        retired_trap_o,   // the instruction raised an exception instead
  output logic        retired_intr_o,   // the instruction is the first of a handler
  output logic        retired_read_o,
  output logic        retired_write_o
);

  logic        fetch_req, fetch_valid, fetch_err;
  logic [31:0] fetch_addr, fetch_data;
  logic        data_req, data_gnt, data_rvalid, data_err, memory_req;
  logic [31:0] data_rdata, memory_rdata;
  access_t     access;
  logic        irq_software, irq_timer, irq_device;

  core u_core (
    .clk_i,
    .rst_ni,
    .hart_i(32'(hart_i)),
    .boot_addr_i(BootStart),
    .fetch_req_o(fetch_req),
    .fetch_addr_o(fetch_addr),
    .fetch_valid_i(fetch_valid),
    .fetch_data_i(fetch_data),
    .fetch_err_i(fetch_err),
    .data_req_o(data_req),
    .data_access_o(access),
    .data_gnt_i(data_gnt),
    .data_rvalid_i(data_rvalid),
    .data_rdata_i(data_rdata),
    .data_err_i(data_err),
    .irq_software_i(irq_software),
    .irq_timer_i(irq_timer),
    .irq_external_i(irq_external_i || irq_device),
    .retired_o,
    .retired_pc_o,
    .retired_insn_o,
    .retired_trap_o,
    .retired_intr_o
  );

  // Decode loads (LB, LH, LW, LBU, LHU, C.LW, C.LWSP) and stores (SB, SH, SW, C.SW, C.SWSP).
  logic is_compressed;
  assign is_compressed = retired_insn_o[1:0] != 2'b11;
  assign retired_read_o = is_compressed ? retired_insn_o[15:13] == 3'b010 && !retired_insn_o[0]
                                        : retired_insn_o[6:0] == 7'h03;
  assign retired_write_o = is_compressed ? retired_insn_o[15:13] == 3'b110 && !retired_insn_o[0]
                                         : retired_insn_o[6:0] == 7'h23;

  node_memory u_memory (
    .clk_i,
    .rst_ni,
    .fetch_req_i(fetch_req),
    .fetch_addr_i(fetch_addr),
    .fetch_valid_o(fetch_valid),
    .fetch_data_o(fetch_data),
    .fetch_err_o(fetch_err),
    .data_req_i(memory_req),
    .data_access_i(access),
    .data_rdata_o(memory_rdata)
  );

  node_data u_data (
    .clk_i,
    .rst_ni,
    .hart_i,
    .num_nodes_i,
    .req_i(data_req),
    .gnt_o(data_gnt),
    .access_i(access),
    .rvalid_o(data_rvalid),
    .rdata_o(data_rdata),
    .err_o(data_err),
    .memory_req_o(memory_req),
    .memory_rdata_i(memory_rdata),
    .hosted_req_o,
    .hosted_gnt_i,
    .hosted_rdata_i,
    .bus_req_o,
    .bus_access_o,
    .bus_done_i,
    .bus_rdata_i,
    .ring_i,
    .ring_is_word_i,
    .ring_from_i,
    .ring_data_i,
    .irq_software_o(irq_software),
    .irq_timer_o(irq_timer),
    .irq_device_o(irq_device),
    .console_valid_o,
    .console_o,
    .finished_o,
    .finish_o
  );

  assign hosted_access_o = access;

endmodule
