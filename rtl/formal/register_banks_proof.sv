// SPDX-License-Identifier: MIT
//
// Proof of register_banks by induction, at a small size: a register keeps the value that was last
// written to it in its bank, whatever is written to other registers and in other banks. The rules
// are for one arbitrary register of one arbitrary bank, which the solver chooses.

`include "assertions.svh"

module register_banks_proof #(
  parameter int unsigned NumBanks = 2,
  parameter int unsigned DataWidth = 2,
  parameter int unsigned AddressWidth = 2
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic [$clog2(NumBanks)-1:0] bank_i,
  input logic [AddressWidth-1:0]     raddr_a_i,
  input logic [AddressWidth-1:0]     raddr_b_i,
  input logic                        we_i,
  input logic [AddressWidth-1:0]     waddr_i,
  input logic [DataWidth-1:0]        wdata_i
);

  logic [DataWidth-1:0] rdata_a, rdata_b;

  register_banks #(
    .NumBanks(NumBanks),
    .DataWidth(DataWidth),
    .AddressWidth(AddressWidth)
  ) u_banks (
    .clk_i,
    .rst_ni,
    .bank_i,
    .raddr_a_i,
    .rdata_a_o(rdata_a),
    .raddr_b_i,
    .rdata_b_o(rdata_b),
    .we_i,
    .waddr_i,
    .wdata_i
  );

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // The arbitrary register and its bank, and the last value that was written to it.
  (* anyconst *) logic [$clog2(NumBanks)-1:0] bank;
  (* anyconst *) logic [AddressWidth-1:0]     register;
  logic                 written_q = 1'b0, other_q;
  logic [DataWidth-1:0] value_q;
  logic                 writes;
  assign writes = we_i && bank_i == bank && waddr_i == register && register != '0;

  always_ff @(posedge clk_i) begin
    written_q <= rst_ni && (written_q || writes);
    if (writes) value_q <= wdata_i;
    other_q <= written_q && we_i && bank_i != bank && waddr_i == register;
  end

  // The memory of the register file, to check that it holds the value also while no port reads it.
  (* hierconn *) wire [DataWidth-1:0] \u_banks.registers_q[0] ;
  (* hierconn *) wire [DataWidth-1:0] \u_banks.registers_q[1] ;
  (* hierconn *) wire [DataWidth-1:0] \u_banks.registers_q[2] ;
  (* hierconn *) wire [DataWidth-1:0] \u_banks.registers_q[3] ;
  (* hierconn *) wire [DataWidth-1:0] \u_banks.registers_q[4] ;
  (* hierconn *) wire [DataWidth-1:0] \u_banks.registers_q[5] ;
  (* hierconn *) wire [DataWidth-1:0] \u_banks.registers_q[6] ;
  (* hierconn *) wire [DataWidth-1:0] \u_banks.registers_q[7] ;
  logic [DataWidth-1:0] held;
  always_comb begin
    case ({bank, register})
      3'd0: held = \u_banks.registers_q[0] ;
      3'd1: held = \u_banks.registers_q[1] ;
      3'd2: held = \u_banks.registers_q[2] ;
      3'd3: held = \u_banks.registers_q[3] ;
      3'd4: held = \u_banks.registers_q[4] ;
      3'd5: held = \u_banks.registers_q[5] ;
      3'd6: held = \u_banks.registers_q[6] ;
      default: held = \u_banks.registers_q[7] ;
    endcase
  end
  `RULE_IF(Holds, written_q, register != '0 && held == value_q)

  logic here;
  assign here = bank_i == bank && written_q;
  `RULE_IF(KeepsA, here && raddr_a_i == register, rdata_a == value_q)
  `RULE_IF(KeepsB, here && raddr_b_i == register, rdata_b == value_q)
  `RULE_IF(ZeroB, raddr_b_i == '0, rdata_b == '0)
  `REACHED(OtherBankIsWritten, other_q && here && raddr_a_i == register)

endmodule
