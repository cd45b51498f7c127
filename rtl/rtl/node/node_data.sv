// SPDX-License-Identifier: MIT
//
// The data side of a node: carries out the core's loads and stores, in order, at the memory or
// device that the address selects. Local devices and memory answer in the next cycle. A read over
// the bus holds back all later accesses until its data arrives; a write over the bus, only until
// the write buffer has room. A write to a device is granted after it has taken effect, so that the
// core takes an interrupt that the write causes before the next instruction, as QEMU's `virt` does.
//
// An access that selects no target gets an error, and so does an access to a part of a word of a
// target that has only whole words. The core then traps.

`include "assertions.svh"

module node_data
  import system_pkg::*;
  import core_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [NodeWidth-1:0] hart_i,
  input  logic [NodeWidth:0]   num_nodes_i,

  // The core's data port, as Ibex defines it.
  input  logic        req_i,
  output logic        gnt_o,
  input  access_t     access_i,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        err_o,

  output logic        memory_req_o,
  input  logic [31:0] memory_rdata_i,

  output logic        hosted_req_o,
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

  output logic irq_software_o,
  output logic irq_timer_o,
  output logic irq_device_o,

  // Outputs for the simulation: console characters, and the word that ends the program.
  output logic        console_valid_o,
  output logic [31:0] console_o,      // a character
  output logic        finished_o,
  output logic [31:0] finish_o
);

  // The node's own registers, as word offsets.
  localparam int unsigned RegisterWidth = $clog2(4 + MaxNodes);
  localparam logic [RegisterWidth-1:0] AnswerRegister = 0;
  localparam logic [RegisterWidth-1:0] PendingRegister = 1;
  localparam logic [RegisterWidth-1:0] BitsRegister = 2;
  localparam logic [RegisterWidth-1:0] NodesRegister = 3;
  localparam logic [RegisterWidth-1:0] WordRegister = 4;  // of node 0; nodes 1, 2, … follow

  // The console is a part of a 16550: byte 0 transmits, byte 1 enables interrupts, byte 5 is the
  // line status, byte 7 is a scratch register. The transmitter is always empty, so the console
  // interrupts whenever the transmitter-empty interrupt is enabled.
  localparam logic [7:0] LineStatus = 8'h60;    // THRE and TEMT
  localparam int unsigned EmptyInterrupt = 9;   // ETBEI, bit 1 of byte 1

  target_e target;
  logic    is_bus, is_hosted, is_register, is_no_node, is_refused, is_answer;
  logic    reading_q;  // a read is on its way over the bus
  logic    local_gnt, local_valid_q, local_err_q;
  target_e local_target_q;
  logic    device_req, is_device_write;
  logic [DeviceWriteCycles-1:1] device_written_q;  // bit n: a store took effect n cycles ago

  logic        port_req, port_ready, read_done, answer_pending;
  logic [31:0] read_data, answer;
  logic [RegisterWidth-1:0] register;
  logic [NodeWidth-1:0] register_node;
  logic        register_read, take_bits, take_word, has_bits, irq_msip;
  logic [31:0] bits, word, timer_rdata, interrupts_rdata, device_rdata, device_rdata_q;
  logic [MaxNodes-1:0] has_word;
  logic        console_write, empty_interrupt_q;
  logic [7:0]  scratch_q;

  // The target of the access.
  assign target = target_of(access_i.addr);
  always_comb begin
    is_hosted = hart_i == '0 && (target == TargetGlobalMemory || target == TargetLocks);
    is_bus = target inside {TargetGlobalMemory, TargetLocks, TargetDoorbells, TargetRtu} &&
             !is_hosted;
    is_register = !(target inside {TargetMemory, TargetGlobalMemory, TargetConsole});
    is_no_node = target == TargetDoorbells && {1'b0, access_i.addr[3+:NodeWidth]} >= num_nodes_i;
    is_refused = target == TargetNone || (is_register && access_i.be != 4'hF) || is_no_node;
  end
  assign is_device_write = access_i.we && !is_refused &&
                           target inside {TargetTimer, TargetInterrupts, TargetConsole};
  assign register = access_i.addr[2+:RegisterWidth];
  assign register_node = NodeWidth'(register - WordRegister);
  assign is_answer = target == TargetRegisters && register == AnswerRegister;

  // The conditions under which the access is taken.
  assign port_req = req_i && is_bus && !is_refused && !reading_q;
  assign hosted_req_o = req_i && is_hosted && !is_refused && !reading_q;
  always_comb begin
    gnt_o = req_i && !reading_q;
    if (!is_refused) begin
      if (is_bus && !port_ready) gnt_o = 1'b0;
      if (is_hosted && !hosted_gnt_i) gnt_o = 1'b0;
      if (is_answer && answer_pending) gnt_o = 1'b0;
      if (is_device_write && !device_written_q[DeviceWriteCycles-1]) gnt_o = 1'b0;
    end
  end
  assign local_gnt = gnt_o && (is_refused || !is_bus || access_i.we);
  assign device_req = !is_refused &&
                      (is_device_write ? req_i && !reading_q && device_written_q == '0 : gnt_o);
  assign memory_req_o = device_req && target == TargetMemory;

  node_bus_port u_port (
    .clk_i,
    .rst_ni,
    .req_i(port_req),
    .access_i,
    .ready_o(port_ready),
    .read_done_o(read_done),
    .read_data_o(read_data),
    .answer_pending_o(answer_pending),
    .answer_o(answer),
    .bus_req_o,
    .bus_access_o,
    .bus_done_i,
    .bus_rdata_i
  );

  assign register_read = device_req && !access_i.we && target == TargetRegisters;
  assign take_bits = register_read && register == BitsRegister;
  assign take_word = register_read && register >= WordRegister;

  node_inbox u_inbox (
    .clk_i,
    .rst_ni,
    .ring_i,
    .ring_is_word_i,
    .ring_from_i,
    .ring_data_i,
    .take_bits_i(take_bits),
    .bits_o(bits),
    .take_word_i(take_word),
    .take_from_i(register_node),
    .word_o(word),
    .has_word_o(has_word),
    .has_bits_o(has_bits)
  );

  node_timer u_timer (
    .clk_i,
    .rst_ni,
    .hart_i,
    .req_i(device_req && target == TargetTimer),
    .we_i(access_i.we),
    .offset_i(access_i.addr[15:0]),
    .wdata_i(access_i.wdata),
    .rdata_o(timer_rdata),
    .irq_software_o(irq_msip),
    .irq_timer_o
  );

  node_interrupts u_interrupts (
    .clk_i,
    .rst_ni,
    .req_i(device_req && target == TargetInterrupts),
    .we_i(access_i.we),
    .addr_i(access_i.addr),
    .wdata_i(access_i.wdata),
    .rdata_o(interrupts_rdata),
    .source_i(empty_interrupt_q),
    .irq_o(irq_device_o)
  );

  assign irq_software_o = irq_msip || has_bits || has_word != '0;

  always_comb begin
    device_rdata = '0;
    unique case (target)
      TargetTimer:      device_rdata = timer_rdata;
      TargetInterrupts: device_rdata = interrupts_rdata;
      TargetConsole: begin
        if (access_i.addr[2]) device_rdata = {scratch_q, 8'b0, LineStatus, 8'b0};
        else device_rdata = 32'(empty_interrupt_q) << EmptyInterrupt;
      end
      TargetRegisters: begin
        unique case (register)
          AnswerRegister:  device_rdata = answer;
          PendingRegister: device_rdata = 32'({has_bits, has_word});
          BitsRegister:    device_rdata = bits;
          NodesRegister:   device_rdata = 32'(num_nodes_i);
          default:         device_rdata = word;
        endcase
      end
      default: begin
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reading_q <= 1'b0;
      device_written_q <= '0;
      local_valid_q <= 1'b0;
      local_err_q <= 1'b0;
      local_target_q <= TargetNone;
      device_rdata_q <= '0;
    end else begin
      if (read_done) begin
        reading_q <= 1'b0;
      end else if (gnt_o && !local_gnt) begin
        reading_q <= 1'b1;
      end
      device_written_q <= (DeviceWriteCycles - 1)'({device_written_q,
                                                    device_req && is_device_write});
      local_valid_q <= local_gnt;
      local_err_q <= local_gnt && is_refused;
      local_target_q <= is_hosted ? TargetGlobalMemory : target;
      device_rdata_q <= device_rdata;
    end
  end

  assign rvalid_o = local_valid_q || read_done;
  assign err_o = local_err_q;
  always_comb begin
    rdata_o = device_rdata_q;
    if (local_target_q == TargetMemory) rdata_o = memory_rdata_i;
    if (local_target_q == TargetGlobalMemory) rdata_o = hosted_rdata_i;
    if (read_done) rdata_o = read_data;
  end

  assign console_write = device_req && target == TargetConsole && access_i.we;
  assign console_valid_o = console_write && access_i.be[0] && !access_i.addr[2];
  assign console_o = 32'(access_i.wdata[7:0]);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      empty_interrupt_q <= 1'b0;
      scratch_q <= '0;
    end else if (console_write) begin
      if (access_i.be[1] && !access_i.addr[2]) empty_interrupt_q <= access_i.wdata[EmptyInterrupt];
      if (access_i.be[3] && access_i.addr[2]) scratch_q <= access_i.wdata[31:24];
    end
  end

  // The finisher is a SiFive test device. It keeps the first word that is written.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      finished_o <= 1'b0;
      finish_o <= '0;
    end else if (device_req && access_i.we && target == TargetFinisher && !finished_o) begin
      finished_o <= 1'b1;
      finish_o <= access_i.wdata;
    end
  end

  `RULE(OneAnswer, !(local_valid_q && read_done))
  `RULE_NEXT(LocalInOneCycle, gnt_o && (is_refused || !is_bus), rvalid_o)
  `RULE_NEXT(NothingPassesARead, reading_q && !read_done, !local_valid_q)
  `RULE_IF(AnswerIsThere, gnt_o && is_answer && !is_refused, !answer_pending)
  `RULE_IF(RefusesAbsentNode, gnt_o && target == TargetDoorbells &&
                              32'(access_i.addr[3+:NodeWidth]) >= 32'(num_nodes_i), is_refused)

endmodule
