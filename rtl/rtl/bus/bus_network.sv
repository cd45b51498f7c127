// SPDX-License-Identifier: MIT
//
// The network between the nodes and the shared targets, in one of two forms with the same ports:
// one bus, or a tree of buses (bus_tree.sv). In both forms the targets get one access at a time. A
// system with HasTree contains both forms and selects one by `tree_i`, so that one simulator
// measures both.

module bus_network
  import system_pkg::*;
#(
  parameter int unsigned NumNodes = 4,
  parameter bit          HasTree = 1'b0
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [LatencyWidth-1:0] latency_i,  // constant while the system runs
  input  logic                    tree_i,     // constant, too; 1 only if HasTree

  // The ports to the nodes, then those to the targets, as in bus.sv.
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

  logic    [NumNodes-1:0]  bus_done, tree_done;
  logic                    bus_req, tree_req;
  logic    [NodeWidth-1:0] bus_node, tree_node;
  access_t                 bus_access, tree_access;
  logic    [31:0]          bus_rdata, tree_rdata;
  logic                    tree;

  assign tree = HasTree && tree_i;

  bus #(
    .NumNodes(NumNodes)
  ) u_bus (
    .clk_i,
    .rst_ni,
    .latency_i,
    .req_i(tree ? '0 : req_i),
    .access_i,
    .done_o(bus_done),
    .rdata_o(bus_rdata),
    .req_o(bus_req),
    .node_o(bus_node),
    .access_o(bus_access),
    .ack_i(ack_i && !tree),
    .rdata_i
  );

  if (HasTree) begin : gen_tree
    bus_tree #(
      .NumNodes(NumNodes)
    ) u_tree (
      .clk_i,
      .rst_ni,
      .latency_i,
      .req_i(tree ? req_i : '0),
      .access_i,
      .done_o(tree_done),
      .rdata_o(tree_rdata),
      .req_o(tree_req),
      .node_o(tree_node),
      .access_o(tree_access),
      .ack_i(ack_i && tree),
      .rdata_i
    );
  end else begin : gen_no_tree
    assign tree_done = '0;
    assign tree_rdata = '0;
    assign tree_req = 1'b0;
    assign tree_node = '0;
    assign tree_access = '0;
  end

  assign done_o = tree ? tree_done : bus_done;
  assign rdata_o = tree ? tree_rdata : bus_rdata;
  assign req_o = tree ? tree_req : bus_req;
  assign node_o = tree ? tree_node : bus_node;
  assign access_o = tree ? tree_access : bus_access;

endmodule
