// SPDX-License-Identifier: MIT
//
// The address map of the multi-core system, and the type of a memory access. A node has the
// devices of QEMU's RV32 `virt` machine at the same addresses (hw/riscv/virt.c), so that one image
// runs on both. The devices that the nodes share are at addresses that `virt` does not use.
// rtl/README.md describes each register.

package system_pkg;

  // The largest number of nodes for which the address map has room, a power of two. A design with
  // more than 4 nodes defines SYSTEM_MAX_NODES. The default stays 4, because the addresses depend
  // on this number, and existing images and measurements use the map of 4 nodes.
`ifdef SYSTEM_MAX_NODES
  localparam int unsigned MaxNodes = `SYSTEM_MAX_NODES;
`else
  localparam int unsigned MaxNodes = 4;
`endif
  localparam int unsigned NodeWidth = $clog2(MaxNodes);

  localparam int unsigned MaxLatency = 300;  // cycles
  localparam int unsigned LatencyWidth = 9;

  // Sizes in bytes, powers of two.
  localparam int unsigned MemoryBytes = 1 << 20;        // of each node
  localparam int unsigned GlobalMemoryBytes = 1 << 18;  // hosted by node 0
  localparam int unsigned NumLocks = 32;

  // The memory or device that an address selects.
  typedef enum logic [3:0] {
    TargetNone,
    TargetFinisher,
    TargetTimer,
    TargetInterrupts,
    TargetConsole,
    TargetRegisters,
    TargetMemory,
    TargetGlobalMemory,
    TargetLocks,
    TargetDoorbells,
    TargetRtu
  } target_e;

  localparam logic [31:0] BootBase = 32'h0000_1000;
  localparam logic [31:0] BootStart = BootBase + 32'h80;  // Ibex starts 0x80 after its boot address
  localparam logic [31:0] FinisherBase = 32'h0010_0000;
  localparam logic [31:0] TimerBase = 32'h0200_0000;
  localparam logic [31:0] ConsoleBase = 32'h1000_0000;
  localparam logic [31:0] RegistersBase = 32'h1100_0000;
  localparam logic [31:0] MemoryBase = 32'h8000_0000;
  localparam logic [31:0] GlobalMemoryBase = 32'h9000_0000;
  localparam logic [31:0] LocksBase = 32'hA000_0000;
  localparam logic [31:0] DoorbellsBase = 32'hB000_0000;
  localparam logic [31:0] RtuBase = 32'hC000_0000;

  // 32-bit registers of the interrupt controller, and the number of the console's interrupt.
  localparam logic [31:0] InterruptPriority = 32'h0C00_0028;  // of the console
  localparam logic [31:0] InterruptEnable = 32'h0C00_2000;    // of sources 0 to 31, machine mode
  localparam logic [31:0] InterruptClaim = 32'h0C20_0004;     // load: claim, store: complete
  localparam int unsigned ConsoleSource = 10;

  localparam int unsigned FinisherBytes = 4;
  localparam int unsigned TimerBytes = 1 << 16;
  localparam int unsigned ConsoleBytes = 8;
  localparam int unsigned RegistersBytes = 4 * (4 + MaxNodes);
  localparam int unsigned DoorbellsBytes = 8 * MaxNodes;
  localparam int unsigned RtuBytes = 1 << 22;  // op << 18 | argument << 2

  typedef struct packed {
    logic        we;
    logic [3:0]  be;
    logic [31:0] addr;
    logic [31:0] wdata;
  } access_t;

  function automatic logic in_range(logic [31:0] addr, logic [31:0] base, int unsigned bytes);
    return addr >= base && addr - base < bytes;
  endfunction

  function automatic target_e target_of(logic [31:0] addr);
    target_e target;
    target = TargetNone;
    if (in_range(addr, FinisherBase, FinisherBytes)) target = TargetFinisher;
    if (in_range(addr, TimerBase, TimerBytes)) target = TargetTimer;
    if (addr inside {InterruptPriority, InterruptEnable, InterruptClaim}) target = TargetInterrupts;
    if (in_range(addr, ConsoleBase, ConsoleBytes)) target = TargetConsole;
    if (in_range(addr, RegistersBase, RegistersBytes)) target = TargetRegisters;
    if (in_range(addr, MemoryBase, MemoryBytes)) target = TargetMemory;
    if (in_range(addr, GlobalMemoryBase, GlobalMemoryBytes)) target = TargetGlobalMemory;
    if (in_range(addr, LocksBase, 4 * NumLocks)) target = TargetLocks;
    if (in_range(addr, DoorbellsBase, DoorbellsBytes)) target = TargetDoorbells;
    if (in_range(addr, RtuBase, RtuBytes)) target = TargetRtu;
    return target;
  endfunction

endpackage
