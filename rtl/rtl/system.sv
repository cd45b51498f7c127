// SPDX-License-Identifier: MIT
//
// The multi-core system: 1 to MaxNodes nodes and the parts that they share. The simulation drives
// and reads its ports. A port with one element for each node always has MaxNodes elements, so that
// the same C++ program drives systems of any number of nodes.

`include "assertions.svh"

module system
  import system_pkg::*;
#(
  parameter int unsigned NumNodes = 4,
  parameter bit          HasTree = 1'b0  // a tree of buses as well as one bus
) (
  input  logic clk_i,
  input  logic rst_ni,

  // These inputs are constant while the system runs: the bus latency in cycles, 0 … MaxLatency;
  // whether the network is the tree (only if HasTree); and how many of the NumNodes nodes run. The
  // other nodes stay in reset.
  input  logic [LatencyWidth-1:0] bus_latency_i,
  input  logic                    tree_i,
  input  logic [NodeWidth:0]      num_nodes_i,

  output logic [MaxNodes-1:0]       console_valid_o,
  output logic [MaxNodes-1:0][31:0] console_o,  // a character
  output logic [MaxNodes-1:0]       finished_o,
  output logic [MaxNodes-1:0][31:0] finish_o,

  // Instructions as they retire. An instruction that traps appears here, but does not count as
  // executed.
  output logic [MaxNodes-1:0]       retired_o,
  output logic [MaxNodes-1:0][31:0] retired_pc_o,
  output logic [MaxNodes-1:0][31:0] retired_insn_o,
  output logic [MaxNodes-1:0]       retired_trap_o,
  output logic [MaxNodes-1:0]       retired_intr_o,
  output logic [MaxNodes-1:0]       retired_read_o,
  output logic [MaxNodes-1:0]       retired_write_o
);

  logic    [NumNodes-1:0]  bus_req, bus_done, ring;
  logic    [MaxNodes-1:0]  irq;
  access_t [NumNodes-1:0]  bus_access;
  logic    [31:0]          bus_rdata, ring_data, hosted_rdata;
  logic                    ring_is_word, hosted_gnt;
  logic    [NodeWidth-1:0] ring_from;
  logic    [NumNodes-1:0]  hosted_req;
  access_t [NumNodes-1:0]  hosted_access;

  logic [NodeWidth:0] num_nodes;
  assign num_nodes = num_nodes_i < (NodeWidth + 1)'(NumNodes) ? num_nodes_i
                                                              : (NodeWidth + 1)'(NumNodes);

  for (genvar n = 0; n < NumNodes; n++) begin : gen_node
    node u_node (
      .clk_i,
      .rst_ni(rst_ni && num_nodes > (NodeWidth + 1)'(n)),
      .hart_i(NodeWidth'(n)),
      .num_nodes_i(num_nodes),
      .hosted_req_o(hosted_req[n]),
      .hosted_access_o(hosted_access[n]),
      .hosted_gnt_i(hosted_gnt && n == 0),
      .hosted_rdata_i(hosted_rdata),
      .bus_req_o(bus_req[n]),
      .bus_access_o(bus_access[n]),
      .bus_done_i(bus_done[n]),
      .bus_rdata_i(bus_rdata),
      .ring_i(ring[n]),
      .ring_is_word_i(ring_is_word),
      .ring_from_i(ring_from),
      .ring_data_i(ring_data),
      .irq_external_i(irq[n]),
      .console_valid_o(console_valid_o[n]),
      .console_o(console_o[n]),
      .finished_o(finished_o[n]),
      .finish_o(finish_o[n]),
      .retired_o(retired_o[n]),
      .retired_pc_o(retired_pc_o[n]),
      .retired_insn_o(retired_insn_o[n]),
      .retired_trap_o(retired_trap_o[n]),
      .retired_intr_o(retired_intr_o[n]),
      .retired_read_o(retired_read_o[n]),
      .retired_write_o(retired_write_o[n])
    );
  end

  for (genvar n = NumNodes; n < MaxNodes; n++) begin : gen_absent
    assign console_valid_o[n] = 1'b0;
    assign console_o[n] = '0;
    assign finished_o[n] = 1'b0;
    assign finish_o[n] = '0;
    assign retired_o[n] = 1'b0;
    assign retired_pc_o[n] = '0;
    assign retired_insn_o[n] = '0;
    assign retired_trap_o[n] = 1'b0;
    assign retired_intr_o[n] = 1'b0;
    assign retired_read_o[n] = 1'b0;
    assign retired_write_o[n] = 1'b0;
  end

  shared #(
    .NumNodes(NumNodes),
    .HasTree(HasTree),
    .NumMutexes(rtu_pkg::NumMutexes)
  ) u_shared (
    .clk_i,
    .rst_ni,
    .latency_i(bus_latency_i),
    .tree_i,
    .req_i(bus_req),
    .access_i(bus_access),
    .done_o(bus_done),
    .rdata_o(bus_rdata),
    .hosted_req_i(hosted_req[0]),
    .hosted_access_i(hosted_access[0]),
    .hosted_gnt_o(hosted_gnt),
    .hosted_rdata_o(hosted_rdata),
    .ring_o(ring),
    .ring_is_word_o(ring_is_word),
    .ring_from_o(ring_from),
    .ring_data_o(ring_data),
    .irq_o(irq)
  );

  // Unread signals: only node 0 uses its direct port to the hosted targets, because the other nodes
  // use the bus; and the RTU's interrupt lines of absent nodes lead nowhere.
  logic unused;
  assign unused = ^{hosted_access, irq};

  for (genvar n = 1; n < NumNodes; n++) begin : gen_rules
    `RULE(OnlyNodeZeroHosts, !hosted_req[n])
  end

endmodule
