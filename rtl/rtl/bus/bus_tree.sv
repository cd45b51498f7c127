// SPDX-License-Identifier: MIT
//
// A tree of buses: each group of four nodes has a bus of its own with the whole latency, and a root
// bus with latency 0 connects these buses to the targets. So accesses of different groups travel at
// the same time, and wait for each other only at the target. An access takes one cycle longer than
// over a single bus, because the root needs a cycle to choose a group.
//
// Both levels are round robin (bus_arbiter.sv). So at most 3 accesses of the same group go before
// an access, and at the root each of these 4 accesses waits for at most one access of each other
// group.

`include "assertions.svh"

module bus_tree
  import system_pkg::*;
#(
  parameter int unsigned NumNodes = 16
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [LatencyWidth-1:0] latency_i,

  input  logic    [NumNodes-1:0] req_i,
  input  access_t [NumNodes-1:0] access_i,
  output logic    [NumNodes-1:0] done_o,
  output logic    [31:0]         rdata_o,

  output logic                 req_o,
  output logic [NodeWidth-1:0] node_o,
  output access_t              access_o,
  input  logic                 ack_i,
  input  logic [31:0]          rdata_i
);

  localparam int unsigned GroupNodes = 4;
  localparam int unsigned NumGroups = (NumNodes + GroupNodes - 1) / GroupNodes;
  localparam int unsigned GroupWidth = NumGroups > 1 ? $clog2(NumGroups) : 1;

  logic    [NumGroups-1:0]                group_req, group_done;
  logic    [NumGroups-1:0][NodeWidth-1:0] group_node;
  access_t [NumGroups-1:0]                group_access;
  logic    [NodeWidth-1:0]                group;

  for (genvar g = 0; g < NumGroups; g++) begin : gen_group
    localparam int unsigned First = GroupNodes * g;
    localparam int unsigned Nodes = NumNodes - First < GroupNodes ? NumNodes - First : GroupNodes;
    logic [31:0] unused_rdata;

    bus #(
      .NumNodes(Nodes)
    ) u_bus (
      .clk_i,
      .rst_ni,
      .latency_i,
      .req_i(req_i[First+:Nodes]),
      .access_i(access_i[First+:Nodes]),
      .done_o(done_o[First+:Nodes]),
      .rdata_o(unused_rdata),
      .req_o(group_req[g]),
      .node_o(group_node[g]),
      .access_o(group_access[g]),
      .ack_i(group_done[g]),
      .rdata_i
    );
  end

  bus #(
    .NumNodes(NumGroups)
  ) u_root (
    .clk_i,
    .rst_ni,
    .latency_i('0),
    .req_i(group_req),
    .access_i(group_access),
    .done_o(group_done),
    .rdata_o,
    .req_o,
    .node_o(group),
    .access_o,
    .ack_i,
    .rdata_i
  );

  assign node_o = NodeWidth'(GroupNodes * 32'(group)) + group_node[GroupWidth'(group)];

  `RULE_IF(OneIsDone, done_o != '0, ack_i && done_o == NumNodes'(1) << node_o)
  `REACHED(GroupsMeet, $countones(group_req) > 1)

endmodule
