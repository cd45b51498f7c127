// SPDX-License-Identifier: MIT
//
// Assertions that Verilator checks while it simulates and yosys proves: one form that both
// understand. Each module closes with the assertions that specify it. They expect `clk_i` and
// `rst_ni` in scope and say nothing in reset.

`ifndef ASSERTIONS_SVH
`define ASSERTIONS_SVH

// `property` holds at every rising clock edge.
`define RULE(name, property) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin : name \
      assert (property); \
    end \
  end

// Whenever `cause` held at the last edge, `effect` holds now.
`define RULE_NEXT(name, cause, effect) \
  logic name``Cause; \
  always_ff @(posedge clk_i or negedge rst_ni) begin \
    if (!rst_ni) begin \
      name``Cause <= 1'b0; \
    end else begin \
      name``Cause <= (cause); \
    end \
  end \
  `RULE(name, !name``Cause || (effect))

`endif
