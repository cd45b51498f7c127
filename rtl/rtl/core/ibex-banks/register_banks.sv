// SPDX-License-Identifier: MIT
//
// A register file with several banks of 32 registers each, so that a task can keep its registers in
// a bank while other tasks run. Register 0 of each bank is 0. The code uses only constructs that
// yosys 0.23 reads, because formal/ proves it.

`include "assertions.svh"

module register_banks #(
  parameter int unsigned NumBanks = 8,
  parameter int unsigned DataWidth = 32,
  parameter int unsigned AddressWidth = 5,
  localparam int unsigned BankWidth = NumBanks > 1 ? $clog2(NumBanks) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [BankWidth-1:0] bank_i,  // for both read ports and the write port

  input  logic [AddressWidth-1:0] raddr_a_i,
  output logic [DataWidth-1:0]    rdata_a_o,
  input  logic [AddressWidth-1:0] raddr_b_i,
  output logic [DataWidth-1:0]    rdata_b_o,

  input  logic                    we_i,
  input  logic [AddressWidth-1:0] waddr_i,
  input  logic [DataWidth-1:0]    wdata_i
);

  // Not reset: software writes each register before it reads it.
  (* ram_style = "distributed" *)
  logic [DataWidth-1:0] registers_q [NumBanks * 2 ** AddressWidth];

  logic write;
  assign write = we_i && waddr_i != '0;

  always_ff @(posedge clk_i) begin
    if (write) registers_q[{bank_i, waddr_i}] <= wdata_i;
  end

  assign rdata_a_o = raddr_a_i == '0 ? '0 : registers_q[{bank_i, raddr_a_i}];
  assign rdata_b_o = raddr_b_i == '0 ? '0 : registers_q[{bank_i, raddr_b_i}];

  `RULE_IF(ZeroIsZero, raddr_a_i == '0, rdata_a_o == '0)

endmodule
