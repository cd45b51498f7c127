// SPDX-License-Identifier: MIT
//
// Receives the doorbells of the other nodes. The software interrupt of the node is high while the
// inbox has something to read.
//  - bits: one register for all senders; a ring sets bits in it;
//  - words: one register for each sender; a ring replaces the word, even if it is unread.
// Reading the bits clears them; reading a word marks it as read. A ring in the cycle of a read is
// not lost.

`include "assertions.svh"

module node_inbox
  import system_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  logic                 ring_i,
  input  logic                 ring_is_word_i,
  input  logic [NodeWidth-1:0] ring_from_i,
  input  logic [31:0]          ring_data_i,

  input  logic                 take_bits_i,
  output logic [31:0]          bits_o,
  input  logic                 take_word_i,
  input  logic [NodeWidth-1:0] take_from_i,
  output logic [31:0]          word_o,

  output logic [MaxNodes-1:0] has_word_o,
  output logic                has_bits_o
);

  logic [31:0]                bits_q, bits_d;
  logic [MaxNodes-1:0]        has_word_q, has_word_d;
  logic [MaxNodes-1:0][31:0]  word_q;

  always_comb begin
    bits_d = take_bits_i ? '0 : bits_q;
    has_word_d = has_word_q;
    if (take_word_i) has_word_d[take_from_i] = 1'b0;
    if (ring_i && ring_is_word_i) has_word_d[ring_from_i] = 1'b1;
    if (ring_i && !ring_is_word_i) bits_d |= ring_data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bits_q <= '0;
      has_word_q <= '0;
      word_q <= '0;
    end else begin
      bits_q <= bits_d;
      has_word_q <= has_word_d;
      if (ring_i && ring_is_word_i) word_q[ring_from_i] <= ring_data_i;
    end
  end

  assign bits_o = bits_q;
  assign word_o = word_q[take_from_i];
  assign has_word_o = has_word_q;
  assign has_bits_o = bits_q != '0;

  `RULE_NEXT(RingIsHeard, ring_i && ring_is_word_i, has_word_q[$past(ring_from_i)])
  `RULE_NEXT(BitsAreHeard, ring_i && !ring_is_word_i,
             (bits_q & $past(ring_data_i)) == $past(ring_data_i))

endmodule
