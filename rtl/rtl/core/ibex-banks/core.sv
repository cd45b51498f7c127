// SPDX-License-Identifier: MIT
//
// Ibex as in ../ibex, but with several banks of registers, so that a task switch stores and loads
// no registers. It uses the unmodified `ibex_core` of the package, which expects its register file
// as a separate module, and connects register_banks.sv there.
//
// A store to the word at BankAddress selects the bank, from the next instruction on. The address
// needs no base register: `sw zero, -4(zero)` selects bank 0. So a handler can leave the bank of
// the interrupted task before it has saved any register. Memory protection keeps tasks from this
// address, as from each device. A reset selects bank 0.

`include "assertions.svh"

module core
  import ibex_pkg::*;
  import system_pkg::access_t;
#(
  parameter int unsigned NumBanks = 8
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [31:0] hart_i,
  input  logic [31:0] boot_addr_i,

  // The same ports as those of ../ibex/core.sv.
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

  output logic        retired_o,
  output logic [31:0] retired_pc_o,
  output logic [31:0] retired_insn_o,
  output logic        retired_trap_o,
  output logic        retired_intr_o
);

  localparam logic [31:0] BankAddress = 32'hFFFF_FFFC;
  localparam int unsigned BankWidth = NumBanks > 1 ? $clog2(NumBanks) : 1;

  // The clock stops while the core sleeps, as in `ibex_top`.
  logic       clk, irq_pending, busy_q;
  ibex_mubi_t busy;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= busy != IbexMuBiOff;
  end

  prim_clock_gating u_clock_gate (
    .clk_i,
    .en_i(busy_q || irq_pending),
    .test_en_i(1'b0),
    .clk_o(clk)
  );

  // The register that selects the bank.
  logic [BankWidth-1:0] bank_q, bank_read_q;
  logic                 core_req, is_bank, bank_access, is_part, bank_valid_q, bank_err_q;

  assign is_bank = data_access_o.addr == BankAddress;
  assign bank_access = core_req && is_bank;
  assign is_part = data_access_o.be != 4'hF;  // less than the word: an error, as from a device
  assign data_req_o = core_req && !is_bank;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bank_q <= '0;
      bank_read_q <= '0;
      bank_valid_q <= 1'b0;
      bank_err_q <= 1'b0;
    end else begin
      bank_valid_q <= bank_access;
      bank_err_q <= is_part;
      bank_read_q <= bank_q;
      if (bank_access && data_access_o.we && !is_part) begin
        bank_q <= data_access_o.wdata[BankWidth-1:0];
      end
    end
  end

  logic [4:0]  raddr_a, raddr_b, waddr;
  logic [31:0] rdata_a, rdata_b, wdata;
  logic        we;

  register_banks #(
    .NumBanks(NumBanks)
  ) u_registers (
    .clk_i(clk),
    .rst_ni,
    .bank_i(bank_q),
    .raddr_a_i(raddr_a),
    .rdata_a_o(rdata_a),
    .raddr_b_i(raddr_b),
    .rdata_b_o(rdata_b),
    .we_i(we),
    .waddr_i(waddr),
    .wdata_i(wdata)
  );

  // Without an instruction cache, its memories are never accessed.
  logic [IC_TAG_SIZE-1:0]  no_tags [IC_NUM_WAYS];
  logic [IC_LINE_SIZE-1:0] no_lines [IC_NUM_WAYS];
  for (genvar w = 0; w < IC_NUM_WAYS; w++) begin : gen_no_cache
    assign no_tags[w] = '0;
    assign no_lines[w] = '0;
  end

  ibex_core #(
    .PMPEnable(1'b1),
    .PMPGranularity(0),
    .PMPNumRegions(4),
    .MHPMCounterNum(0),
    .RV32M(RV32MSingleCycle),
    .BranchTargetALU(1'b1),
    .WritebackStage(1'b1)
  ) u_core (
    .clk_i(clk),
    .rst_ni,
    .hart_id_i(hart_i),
    .boot_addr_i(boot_addr_i - 32'h80),
    .instr_req_o(fetch_req_o),
    .instr_gnt_i(fetch_req_o),
    .instr_rvalid_i(fetch_valid_i),
    .instr_addr_o(fetch_addr_o),
    .instr_rdata_i(fetch_data_i),
    .instr_err_i(fetch_err_i),
    .data_req_o(core_req),
    .data_gnt_i(data_gnt_i || is_bank),
    .data_rvalid_i(data_rvalid_i || bank_valid_q),
    .data_we_o(data_access_o.we),
    .data_be_o(data_access_o.be),
    .data_addr_o(data_access_o.addr),
    .data_wdata_o(data_access_o.wdata),
    .data_rdata_i(bank_valid_q ? 32'(bank_read_q) : data_rdata_i),
    .data_err_i(bank_valid_q ? bank_err_q : data_err_i),
    .dummy_instr_id_o(),
    .dummy_instr_wb_o(),
    .rf_raddr_a_o(raddr_a),
    .rf_raddr_b_o(raddr_b),
    .rf_waddr_wb_o(waddr),
    .rf_we_wb_o(we),
    .rf_wdata_wb_ecc_o(wdata),
    .rf_rdata_a_ecc_i(rdata_a),
    .rf_rdata_b_ecc_i(rdata_b),
    .ic_tag_req_o(),
    .ic_tag_write_o(),
    .ic_tag_addr_o(),
    .ic_tag_wdata_o(),
    .ic_tag_rdata_i(no_tags),
    .ic_data_req_o(),
    .ic_data_write_o(),
    .ic_data_addr_o(),
    .ic_data_wdata_o(),
    .ic_data_rdata_i(no_lines),
    .ic_scr_key_valid_i(1'b0),
    .ic_scr_key_req_o(),
    .irq_software_i,
    .irq_timer_i,
    .irq_external_i,
    .irq_fast_i('0),
    .irq_nm_i(1'b0),
    .irq_pending_o(irq_pending),
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
    .fetch_enable_i(IbexMuBiOn),
    .alert_minor_o(),
    .alert_major_internal_o(),
    .alert_major_bus_o(),
    .core_busy_o(busy)
  );

  `RULE(OneAnswer, !(bank_valid_q && data_rvalid_i))
  `RULE_NEXT(BankIsWritten, bank_access && data_access_o.we && !is_part,
             bank_q == $past(data_access_o.wdata[BankWidth-1:0]))

endmodule
