// SPDX-License-Identifier: MIT
//
// The system without its cores, for fabric_tb.cpp: the data side of four nodes and what they share.
// The test bench stands where the cores are.

module fabric
  import system_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [LatencyWidth-1:0] latency_i,

  // The nodes' data ports, as node_data has them.
  input  logic [MaxNodes-1:0]       req_i,
  input  logic [MaxNodes-1:0]       we_i,
  input  logic [MaxNodes-1:0][3:0]  be_i,
  input  logic [MaxNodes-1:0][31:0] addr_i,
  input  logic [MaxNodes-1:0][31:0] wdata_i,
  output logic [MaxNodes-1:0]       gnt_o,
  output logic [MaxNodes-1:0]       rvalid_o,
  output logic [MaxNodes-1:0][31:0] rdata_o,
  output logic [MaxNodes-1:0]       err_o,

  // When a node's oldest bus access is done.
  output logic [MaxNodes-1:0] done_o,

  output logic [MaxNodes-1:0]      irq_software_o,
  output logic [MaxNodes-1:0]      irq_external_o,  // the RTU's
  output logic [MaxNodes-1:0]      irq_device_o,
  output logic [MaxNodes-1:0]      console_valid_o,
  output logic [MaxNodes-1:0][7:0] console_o
);

  logic    [MaxNodes-1:0]  bus_req, ring, hosted_req;
  access_t [MaxNodes-1:0]  bus_access, access;
  logic    [31:0]          bus_rdata, ring_data, hosted_rdata;
  logic                    ring_is_word, hosted_gnt;
  logic    [NodeWidth-1:0] ring_from;

  for (genvar n = 0; n < MaxNodes; n++) begin : gen_node
    logic        memory_req;
    logic [31:0] memory_rdata;

    assign access[n] = {we_i[n], be_i[n], addr_i[n], wdata_i[n]};

    node_memory u_memory (
      .clk_i,
      .rst_ni,
      .fetch_req_i(1'b0),
      .fetch_addr_i('0),
      .fetch_valid_o(),
      .fetch_data_o(),
      .fetch_err_o(),
      .data_req_i(memory_req),
      .data_access_i(access[n]),
      .data_rdata_o(memory_rdata)
    );

    node_data u_data (
      .clk_i,
      .rst_ni,
      .hart_i(NodeWidth'(n)),
      .num_nodes_i(3'(MaxNodes)),
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
      .bus_done_i(done_o[n]),
      .bus_rdata_i(bus_rdata),
      .ring_i(ring[n]),
      .ring_is_word_i(ring_is_word),
      .ring_from_i(ring_from),
      .ring_data_i(ring_data),
      .irq_software_o(irq_software_o[n]),
      .irq_timer_o(),
      .irq_device_o(irq_device_o[n]),
      .console_valid_o(console_valid_o[n]),
      .console_o(console_o[n]),
      .finished_o(),
      .finish_o()
    );
  end

  shared #(
    .NumNodes(MaxNodes)
  ) u_shared (
    .clk_i,
    .rst_ni,
    .latency_i,
    .req_i(bus_req),
    .access_i(bus_access),
    .done_o,
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

  logic unused_hosted_req;
  assign unused_hosted_req = ^hosted_req;

endmodule
