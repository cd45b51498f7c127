// SPDX-License-Identifier: MIT
//
// One node: an Ibex core with its memory, timer, console and way to the bus. The core is RV32IMC
// with PMP of 4 entries, a third pipeline stage, a branch target adder and a single-cycle
// multiplier: the `maxperf` configuration of its ibex_configs.yaml, with PMP.
//
// Measurements observe the core's retired instructions (RVFI).

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
  logic [3:0]  write_mask;

  ibex_top #(
    .PMPEnable(1'b1),
    .PMPGranularity(0),
    .PMPNumRegions(4),
    .MHPMCounterNum(0),
    .RV32M(ibex_pkg::RV32MSingleCycle),
    .RegFile(ibex_pkg::RegFileFPGA),
    .BranchTargetALU(1'b1),
    .WritebackStage(1'b1)
  ) u_core (
    .clk_i,
    .rst_ni,
    .test_en_i(1'b0),
    .ram_cfg_i('0),
    .hart_id_i(32'(hart_i)),
    .boot_addr_i(BootBase),
    .instr_req_o(fetch_req),
    .instr_gnt_i(fetch_req),
    .instr_rvalid_i(fetch_valid),
    .instr_addr_o(fetch_addr),
    .instr_rdata_i(fetch_data),
    .instr_rdata_intg_i('0),
    .instr_err_i(fetch_err),
    .data_req_o(data_req),
    .data_gnt_i(data_gnt),
    .data_rvalid_i(data_rvalid),
    .data_we_o(access.we),
    .data_be_o(access.be),
    .data_addr_o(access.addr),
    .data_wdata_o(access.wdata),
    .data_wdata_intg_o(),
    .data_rdata_i(data_rdata),
    .data_rdata_intg_i('0),
    .data_err_i(data_err),
    .irq_software_i(irq_software),
    .irq_timer_i(irq_timer),
    .irq_external_i(irq_external_i || irq_device),
    .irq_fast_i('0),
    .irq_nm_i(1'b0),
    .scramble_key_valid_i(1'b0),
    .scramble_key_i('0),
    .scramble_nonce_i('0),
    .scramble_req_o(),
    .debug_req_i(1'b0),
    .crash_dump_o(),
    .double_fault_seen_o(),
    .rvfi_valid(retired_o),
    .rvfi_order(),
    .rvfi_insn(retired_insn_o),
    .rvfi_trap(retired_trap_o),
    .rvfi_halt(),
    .rvfi_intr(retired_intr_o),
    .rvfi_mode(),
    .rvfi_ixl(),
    .rvfi_rs1_addr(),
    .rvfi_rs2_addr(),
    .rvfi_rs3_addr(),
    .rvfi_rs1_rdata(),
    .rvfi_rs2_rdata(),
    .rvfi_rs3_rdata(),
    .rvfi_rd_addr(),
    .rvfi_rd_wdata(),
    .rvfi_pc_rdata(retired_pc_o),
    .rvfi_pc_wdata(),
    .rvfi_mem_addr(),
    .rvfi_mem_rmask(),
    .rvfi_mem_wmask(write_mask),
    .rvfi_mem_rdata(),
    .rvfi_mem_wdata(),
    .rvfi_ext_pre_mip(),
    .rvfi_ext_post_mip(),
    .rvfi_ext_nmi(),
    .rvfi_ext_nmi_int(),
    .rvfi_ext_debug_req(),
    .rvfi_ext_debug_mode(),
    .rvfi_ext_rf_wr_suppress(),
    .rvfi_ext_mcycle(),
    .rvfi_ext_mhpmcounters(),
    .rvfi_ext_mhpmcountersh(),
    .rvfi_ext_ic_scr_key_valid(),
    .rvfi_ext_irq_valid(),
    .fetch_enable_i(ibex_pkg::IbexMuBiOn),
    .alert_minor_o(),
    .alert_major_internal_o(),
    .alert_major_bus_o(),
    .core_sleep_o(),
    .scan_rst_ni(1'b1)
  );

  // Ibex gives a read mask with every instruction that does not write. So the encoding identifies a
  // read: LB to LHU, or C.LW and C.LWSP.
  assign retired_read_o = (retired_insn_o[1:0] == 2'b11) ?
      retired_insn_o[6:0] == 7'h03 :
      retired_insn_o[15:13] == 3'b010 && !retired_insn_o[0];
  assign retired_write_o = write_mask != '0;

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
