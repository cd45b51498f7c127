// SPDX-License-Identifier: MIT
//
// The core of a node, CV32E40S: RV32IMC with PMP of 4 entries, four pipeline stages, a multiplier
// of one cycle and a divider of 3 to 35 cycles; basic interrupts, no debug triggers. The module has
// the same ports as ../ibex/core.sv. The boot code (core_pkg.sv) configures the core at run time.
//
// This module generates correct parity and checksums for the bus, so the core may check them. A
// fetch outside memory and boot code raises a precise exception, because the physical memory
// attributes exclude it. A load or store to which the node answers with an error raises a
// non-maskable interrupt, which the core takes some instructions later, at slot 15 of the vectors.
//
// The retired-instruction outputs read the core's last stage in the way of its own RVFI module.

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

  import cv32e40s_pkg::*;

  function automatic pma_cfg_t attributes(logic [31:0] base, int unsigned bytes);
    return '{
      word_addr_low: base >> 2,
      word_addr_high: (base + 32'(bytes)) >> 2,
      main: 1'b1,
      bufferable: 1'b0,
      cacheable: 1'b0,
      integrity: 1'b1
    };
  endfunction

  localparam int unsigned BootBytes = 1 << 12;
  localparam pma_cfg_t Attributes[1:0] = '{
    attributes(BootBase, BootBytes),
    attributes(MemoryBase, MemoryBytes)
  };

  // Returns the checksum of a response: one parity bit for each byte, and one for the error.
  function automatic logic [4:0] checksum(logic err, logic [31:0] data);
    return {err, ^data[31:24], ^data[23:16], ^data[15:8], ^data[7:0]};
  endfunction

  logic [31:0] irq;
  always_comb begin
    irq = '0;
    irq[3] = irq_software_i;
    irq[7] = irq_timer_i;
    irq[11] = irq_external_i;
  end

  cv32e40s_core #(
    .B_EXT(B_NONE),
    .M_EXT(M),
    .DBG_NUM_TRIGGERS(0),
    .PMA_NUM_REGIONS(2),
    .PMA_CFG(Attributes),
    .SMCLIC(1'b0),
    .PMP_GRANULARITY(0),
    .PMP_NUM_REGIONS(4)
  ) u_core (
    .clk_i,
    .rst_ni,
    .scan_cg_en_i(1'b0),
    .boot_addr_i,
    .dm_exception_addr_i('0),
    .dm_halt_addr_i('0),
    .mhartid_i(hart_i),
    .mimpid_patch_i('0),
    .mtvec_addr_i('0),
    .instr_req_o(fetch_req_o),
    .instr_gnt_i(fetch_req_o),
    .instr_rvalid_i(fetch_valid_i),
    .instr_addr_o(fetch_addr_o),
    .instr_memtype_o(),
    .instr_prot_o(),
    .instr_dbg_o(),
    .instr_rdata_i(fetch_data_i),
    .instr_err_i(fetch_err_i),
    .instr_reqpar_o(),
    .instr_gntpar_i(!fetch_req_o),
    .instr_rvalidpar_i(!fetch_valid_i),
    .instr_achk_o(),
    .instr_rchk_i(checksum(fetch_err_i, fetch_data_i)),
    .data_req_o,
    .data_gnt_i,
    .data_rvalid_i,
    .data_addr_o(data_access_o.addr),
    .data_be_o(data_access_o.be),
    .data_we_o(data_access_o.we),
    .data_wdata_o(data_access_o.wdata),
    .data_memtype_o(),
    .data_prot_o(),
    .data_dbg_o(),
    .data_rdata_i,
    .data_err_i,
    .data_reqpar_o(),
    .data_gntpar_i(!data_gnt_i),
    .data_rvalidpar_i(!data_rvalid_i),
    .data_achk_o(),
    .data_rchk_i(checksum(data_err_i, data_rdata_i)),
    .mcycle_o(),
    .irq_i(irq),
    .wu_wfe_i(1'b0),
    .clic_irq_i(1'b0),
    .clic_irq_id_i('0),
    .clic_irq_level_i('0),
    .clic_irq_priv_i('0),
    .clic_irq_shv_i(1'b0),
    .fencei_flush_req_o(),
    .fencei_flush_ack_i(1'b1),
    .alert_minor_o(),
    .alert_major_o(),
    .debug_req_i(1'b0),
    .debug_havereset_o(),
    .debug_running_o(),
    .debug_halted_o(),
    .fetch_enable_i(1'b1),
    .core_sleep_o()
  );

  // The last stage is also valid for an instruction that raises an exception, but not for one that
  // an interrupt displaces. An instruction of several operations retires with the last of them.
  assign retired_o = u_core.wb_stage_i.wb_valid_o && !u_core.ex_wb_pipe.instr_meta.dummy &&
                     (u_core.wb_stage_i.last_op_o || u_core.wb_stage_i.abort_op_o);
  assign retired_pc_o = u_core.ex_wb_pipe.pc;
  assign retired_insn_o = u_core.ex_wb_pipe.instr.bus_resp.rdata;
  assign retired_trap_o = u_core.ctrl_fsm.exception_in_wb;

  logic enters, entering_q;
  assign enters = u_core.ctrl_fsm.pc_set &&
                  u_core.ctrl_fsm.pc_mux inside {PC_TRAP_EXC, PC_TRAP_IRQ, PC_TRAP_NMI};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      entering_q <= 1'b0;
    end else if (enters || retired_o) begin
      entering_q <= enters;
    end
  end
  assign retired_intr_o = entering_q;

endmodule
