// SPDX-License-Identifier: MIT
//
// The core of a node, Ibex: RV32IMC with PMP of 4 entries, a third pipeline stage, a branch target
// adder and a single-cycle multiplier. This is the `maxperf` configuration of Ibex's
// ibex_configs.yaml, with PMP. The other folders of core/ have a module `core` of another core.

module core
  import system_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [31:0] hart_i,
  input  logic [31:0] boot_addr_i,  // of the first instruction

  // Each fetch is granted at once and answered in the next cycle.
  output logic        fetch_req_o,
  output logic [31:0] fetch_addr_o,
  input  logic        fetch_valid_i,
  input  logic [31:0] fetch_data_i,
  input  logic        fetch_err_i,

  output logic        data_req_o,
  output access_t     data_access_o,
  input  logic        data_gnt_i,
  input  logic        data_rvalid_i,
  input  logic [31:0] data_rdata_i,
  input  logic        data_err_i,

  input  logic irq_software_i,
  input  logic irq_timer_i,
  input  logic irq_external_i,

  // The instruction that retires; `retired_insn_o` is its encoding in memory.
  output logic        retired_o,
  output logic [31:0] retired_pc_o,
  output logic [31:0] retired_insn_o,
  output logic        retired_trap_o,  // the instruction raised an exception instead
  output logic        retired_intr_o   // the instruction is the first of a handler
);

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
    .hart_id_i(hart_i),
    .boot_addr_i(boot_addr_i - 32'h80),
    .instr_req_o(fetch_req_o),
    .instr_gnt_i(fetch_req_o),
    .instr_rvalid_i(fetch_valid_i),
    .instr_addr_o(fetch_addr_o),
    .instr_rdata_i(fetch_data_i),
    .instr_rdata_intg_i('0),
    .instr_err_i(fetch_err_i),
    .data_req_o,
    .data_gnt_i,
    .data_rvalid_i,
    .data_we_o(data_access_o.we),
    .data_be_o(data_access_o.be),
    .data_addr_o(data_access_o.addr),
    .data_wdata_o(data_access_o.wdata),
    .data_wdata_intg_o(),
    .data_rdata_i,
    .data_rdata_intg_i('0),
    .data_err_i,
    .irq_software_i,
    .irq_timer_i,
    .irq_external_i,
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
    .rvfi_mem_wmask(),
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

endmodule
