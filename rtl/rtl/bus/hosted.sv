// SPDX-License-Identifier: MIT
//
// The targets that node 0 hosts for all nodes: the global memory and the lock cells. Node 0
// accesses them directly, as fast as its own memory; the other nodes use the bus. If node 0 and the
// bus make an access in the same cycle, the bus goes first, so that node 0 cannot starve the other
// nodes.
//
// A lock cell is one bit. A read sets the bit and returns its old value (0: the reader has acquired
// the lock); a write of any value releases the lock. A read is atomic: no other access comes
// between reading and setting the bit.

`include "assertions.svh"

module hosted
  import system_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  // From the bus: the acknowledgement and the data come one cycle after the access is made.
  input  logic        bus_req_i,
  input  access_t     bus_access_i,
  output logic        bus_ack_o,
  output logic [31:0] bus_rdata_o,

  // From node 0: granted at once unless the bus has a request; the data come one cycle later.
  input  logic        node_req_i,
  input  access_t     node_access_i,
  output logic        node_gnt_o,
  output logic [31:0] node_rdata_o
);

  localparam int unsigned Words = GlobalMemoryBytes / 4;
  localparam int unsigned LockWidth = $clog2(NumLocks);

  logic [31:0]         memory [Words];
  logic [NumLocks-1:0] locks_q;

  logic                     bus_turn, active, is_lock, was_lock_q, was_locked_q;
  access_t                  current;
  logic [$clog2(Words)-1:0] word;
  logic [LockWidth-1:0]     lock;
  logic [31:0]              rdata_q, rdata;

  assign bus_turn = bus_req_i && !bus_ack_o;
  assign node_gnt_o = node_req_i && !bus_turn;
  assign active = bus_turn || node_req_i;
  assign current = bus_turn ? bus_access_i : node_access_i;
  assign is_lock = target_of(current.addr) == TargetLocks;
  assign word = current.addr[2+:$clog2(Words)];
  assign lock = current.addr[2+:LockWidth];

  always_ff @(posedge clk_i) begin
    if (active && !is_lock) begin
      if (current.we) begin
        for (int unsigned b = 0; b < 4; b++) begin
          if (current.be[b]) memory[word][8*b+:8] <= current.wdata[8*b+:8];
        end
      end else begin
        rdata_q <= memory[word];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bus_ack_o <= 1'b0;
      locks_q <= '0;
      was_lock_q <= 1'b0;
      was_locked_q <= 1'b0;
    end else begin
      bus_ack_o <= bus_turn;
      was_lock_q <= is_lock;
      was_locked_q <= locks_q[lock];
      if (active && is_lock) locks_q[lock] <= !current.we;
    end
  end

  assign rdata = was_lock_q ? 32'(was_locked_q) : rdata_q;
  assign bus_rdata_o = rdata;
  assign node_rdata_o = rdata;

  `RULE_NEXT(BusWins, bus_req_i && !bus_ack_o, bus_ack_o)

endmodule
