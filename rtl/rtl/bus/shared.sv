// SPDX-License-Identifier: MIT
//
// All shared parts of the system: the bus with its targets. Node 0 also has a direct port to the
// targets that it hosts, without the bus.

`include "assertions.svh"

module shared
  import system_pkg::*;
#(
  parameter int unsigned NumNodes = 4,
  parameter bit          HasTree = 1'b0,
  parameter int unsigned NumTasks = rtu_pkg::NumTasks,  // of the RTU
  parameter int unsigned NumSemaphores = rtu_pkg::NumSemaphores,
  parameter int unsigned NumMutexes = 0
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [LatencyWidth-1:0] latency_i,
  input  logic                    tree_i,

  // Bus accesses of the nodes.
  input  logic    [NumNodes-1:0] req_i,
  input  access_t [NumNodes-1:0] access_i,
  output logic    [NumNodes-1:0] done_o,
  output logic    [31:0]         rdata_o,

  // Node 0's direct port to the targets that it hosts.
  input  logic        hosted_req_i,
  input  access_t     hosted_access_i,
  output logic        hosted_gnt_o,
  output logic [31:0] hosted_rdata_o,

  // To the nodes' inboxes: a doorbell rings for one cycle.
  output logic [NumNodes-1:0]  ring_o,
  output logic                 ring_is_word_o,
  output logic [NodeWidth-1:0] ring_from_o,
  output logic [31:0]          ring_data_o,

  output logic [MaxNodes-1:0] irq_o  // from the RTU, which has queues for MaxNodes nodes
);

  logic                 req, ack, hosted_ack, rtu_ack;
  logic [NodeWidth-1:0] node;
  access_t              current;
  target_e              target;
  logic [31:0]          rdata, hosted_rdata, rtu_answer;
  logic                 is_hosted, is_doorbell, is_rtu;

  bus_network #(
    .NumNodes(NumNodes),
    .HasTree(HasTree)
  ) u_network (
    .clk_i,
    .rst_ni,
    .latency_i,
    .tree_i,
    .req_i,
    .access_i,
    .done_o,
    .rdata_o,
    .req_o(req),
    .node_o(node),
    .access_o(current),
    .ack_i(ack),
    .rdata_i(rdata)
  );

  assign target = target_of(current.addr);
  assign is_hosted = target == TargetGlobalMemory || target == TargetLocks;
  assign is_doorbell = target == TargetDoorbells;
  assign is_rtu = target == TargetRtu;

  hosted u_hosted (
    .clk_i,
    .rst_ni,
    .bus_req_i(req && is_hosted),
    .bus_access_i(current),
    .bus_ack_o(hosted_ack),
    .bus_rdata_o(hosted_rdata),
    .node_req_i(hosted_req_i),
    .node_access_i(hosted_access_i),
    .node_gnt_o(hosted_gnt_o),
    .node_rdata_o(hosted_rdata_o)
  );

  rtu #(
    .NumNodes(MaxNodes),
    .NodeWidth(NodeWidth),
    .NumTasks(NumTasks),
    .NumSemaphores(NumSemaphores),
    .NumMutexes(NumMutexes)
  ) u_rtu (
    .clk_i,
    .rst_ni,
    .req_i(req && is_rtu),
    .node_i(node),
    .op_i(current.addr[21:18]),
    .argument_i(current.addr[17:2]),
    .ack_o(rtu_ack),
    .answer_o(rtu_answer),
    .irq_o
  );

  // Doorbells. The address selects the node that is rung, and its bits or its word. The access is
  // answered at once; a read rings nothing and returns 0.
  assign ring_o = NumNodes'(req && is_doorbell && current.we) << current.addr[3+:NodeWidth];
  assign ring_is_word_o = !current.addr[2];
  assign ring_from_o = node;
  assign ring_data_o = current.wdata;

  always_comb begin
    ack = 1'b1;
    rdata = '0;
    if (is_hosted) begin
      ack = hosted_ack;
      rdata = hosted_rdata;
    end else if (is_rtu) begin
      ack = rtu_ack;
      rdata = rtu_answer;
    end
  end

  `RULE_IF(OnlySharedTargets, req, is_hosted || is_doorbell || is_rtu)
  `RULE_IF(RingsPresent, req && is_doorbell && current.we, $onehot(ring_o))
  `RULE_IF(RingsOnRequest, ring_o != '0, req && is_doorbell && current.we)

endmodule
