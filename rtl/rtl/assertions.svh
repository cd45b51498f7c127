// SPDX-License-Identifier: MIT
//
// Assertions that Verilator checks while it simulates and yosys proves: one form that both
// understand. Each module closes with the assertions that specify it. They expect `clk_i` and
// `rst_ni` in scope and are not evaluated in reset.
//
// A rule with a cause has a cover statement, `<name>Met`: the cause occurs. The test fails if a
// random test or a proof that checks the rule cannot reach it, so no rule holds only because its
// cause never occurs.

`ifndef ASSERTIONS_SVH
`define ASSERTIONS_SVH

// The synthesis of tools/timing.py leaves them out (WITHOUT_RULES): yosys maps cells in the order
// of their numbers, so even a register that it removes later would change the area.
`ifdef WITHOUT_RULES
`define RULE(name, property)
`define RULE_IF(name, cause, effect)
`define RULE_NEXT(name, cause, effect)
`define REACHED(name, event)
`else

// `property` holds at every rising clock edge.
`ifdef SEARCH
`define RULE(name, property)
`else
`define RULE(name, property) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin : name \
      assert (property); \
    end \
  end
`endif

// Whenever `cause` holds, `effect` holds in the same cycle.
`define RULE_IF(name, cause, effect) \
  `RULE(name, !(cause) || (effect)) \
  `REACHED(name``Met, cause)

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
  `RULE_IF(name, name``Cause, effect)

// `event` occurs in each test and in each proof that contains the statement. To search for an
// occurrence, tools/formal.py reads the sources with SEARCH defined: each event is then a violation
// that the search finds, and the rules are left out.
`ifdef SEARCH
`define REACHED(name, event) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin : name \
      assert (!(event)); \
    end \
  end
`else
`define REACHED(name, event) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin : name \
      cover (event); \
    end \
  end
`endif

`endif // WITHOUT_RULES

`endif
