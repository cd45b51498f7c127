// SPDX-License-Identifier: MIT
//
// The system without its cores, for fabric_tb.cpp: the memory and the data side of each node, and
// the parts that the nodes share. The test bench drives the ports in place of the cores. The ports
// always have MaxNodes elements, however many nodes there are.

module fabric
  import system_pkg::*;
#(
  parameter int unsigned NumNodes = MaxNodes,
  parameter bit          HasTree = 1'b0,
  parameter int unsigned NumTasks = rtu_pkg::NumTasks,
  parameter int unsigned NumSemaphores = rtu_pkg::NumSemaphores
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [LatencyWidth-1:0] latency_i,
  input  logic                    tree_i,

  // The nodes' data ports, with the signals of node_data.sv.
  input  logic [MaxNodes-1:0]       req_i,
  input  logic [MaxNodes-1:0]       we_i,
  input  logic [MaxNodes-1:0][3:0]  be_i,
  input  logic [MaxNodes-1:0][31:0] addr_i,
  input  logic [MaxNodes-1:0][31:0] wdata_i,
  output logic [MaxNodes-1:0]       gnt_o,
  output logic [MaxNodes-1:0]       rvalid_o,
  output logic [MaxNodes-1:0][31:0] rdata_o,
  output logic [MaxNodes-1:0]       err_o,

  // The nodes' instruction ports.
  input  logic [MaxNodes-1:0]       fetch_req_i,
  input  logic [MaxNodes-1:0][31:0] fetch_addr_i,
  output logic [MaxNodes-1:0]       fetch_valid_o,
  output logic [MaxNodes-1:0][31:0] fetch_data_o,
  output logic [MaxNodes-1:0]       fetch_err_o,

  // High when a node's oldest bus access is done.
  output logic [MaxNodes-1:0] done_o,

  output logic [MaxNodes-1:0]      irq_software_o,
  output logic [MaxNodes-1:0]      irq_timer_o,
  output logic [MaxNodes-1:0]      irq_external_o,  // from the RTU
  output logic [MaxNodes-1:0]      irq_device_o,
  output logic [MaxNodes-1:0]      console_valid_o,
  output logic [MaxNodes-1:0][31:0] console_o,

  output logic [MaxNodes-1:0]       finished_o,
  output logic [MaxNodes-1:0][31:0] finish_o
);

  logic    [NumNodes-1:0]  bus_req, bus_done, ring, hosted_req;
  access_t [NumNodes-1:0]  bus_access, access;
  logic    [31:0]          bus_rdata, ring_data, hosted_rdata;
  logic                    ring_is_word, hosted_gnt;
  logic    [NodeWidth-1:0] ring_from;

  for (genvar n = 0; n < NumNodes; n++) begin : gen_node
    logic        memory_req;
    logic [31:0] memory_rdata;

    assign access[n] = {we_i[n], be_i[n], addr_i[n], wdata_i[n]};

    node_memory u_memory (
      .clk_i,
      .rst_ni,
      .fetch_req_i(fetch_req_i[n]),
      .fetch_addr_i(fetch_addr_i[n]),
      .fetch_valid_o(fetch_valid_o[n]),
      .fetch_data_o(fetch_data_o[n]),
      .fetch_err_o(fetch_err_o[n]),
      .data_req_i(memory_req),
      .data_access_i(access[n]),
      .data_rdata_o(memory_rdata)
    );

    node_data u_data (
      .clk_i,
      .rst_ni,
      .hart_i(NodeWidth'(n)),
      .num_nodes_i((NodeWidth + 1)'(NumNodes)),
      .req_i(req_i[n]),
      .gnt_o(gnt_o[n]),
      .access_i(access[n]),
      .rvalid_o(rvalid_o[n]),
      .rdata_o(rdata_o[n]),
      .err_o(err_o[n]),
      .memory_req_o(memory_req),
      .memory_rdata_i(memory_rdata),
      .hosted_req_o(hosted_req[n]),
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
      .irq_software_o(irq_software_o[n]),
      .irq_timer_o(irq_timer_o[n]),
      .irq_device_o(irq_device_o[n]),
      .console_valid_o(console_valid_o[n]),
      .console_o(console_o[n]),
      .finished_o(finished_o[n]),
      .finish_o(finish_o[n])
    );
  end

  for (genvar n = NumNodes; n < MaxNodes; n++) begin : gen_absent
    assign gnt_o[n] = 1'b0;
    assign rvalid_o[n] = 1'b0;
    assign rdata_o[n] = '0;
    assign err_o[n] = 1'b0;
    assign fetch_valid_o[n] = 1'b0;
    assign fetch_data_o[n] = '0;
    assign fetch_err_o[n] = 1'b0;
    assign irq_software_o[n] = 1'b0;
    assign irq_timer_o[n] = 1'b0;
    assign irq_device_o[n] = 1'b0;
    assign console_valid_o[n] = 1'b0;
    assign console_o[n] = '0;
    assign finished_o[n] = 1'b0;
    assign finish_o[n] = '0;
  end

  assign done_o = MaxNodes'(bus_done);

  shared #(
    .NumNodes(NumNodes),
    .HasTree(HasTree),
    .NumTasks(NumTasks),
    .NumSemaphores(NumSemaphores)
  ) u_shared (
    .clk_i,
    .rst_ni,
    .latency_i,
    .tree_i,
    .req_i(bus_req),
    .access_i(bus_access),
    .done_o(bus_done),
    .rdata_o(bus_rdata),
    .hosted_req_i(hosted_req[0]),
    .hosted_access_i(access[0]),
    .hosted_gnt_o(hosted_gnt),
    .hosted_rdata_o(hosted_rdata),
    .ring_o(ring),
    .ring_is_word_o(ring_is_word),
    .ring_from_o(ring_from),
    .ring_data_o(ring_data),
    .irq_o(irq_external_o)
  );

  // Unread: only node 0 has a direct port to the targets that it hosts.
  logic unused_hosted_req;
  assign unused_hosted_req = ^hosted_req;

endmodule
