// SPDX-License-Identifier: MIT
//
// The facts that a node needs of its core, Ibex: the boot code, and when a store to a device is
// granted.

package core_pkg;

  // The code at the boot address works like QEMU's reset vector: a0 = hart, jump to the start of
  // memory.
  localparam int unsigned BootWords = 3;
  localparam logic [BootWords-1:0][31:0] BootCode = {
    32'h0002_8067,  // jr   t0
    32'h8000_02B7,  // lui  t0, 0x80000
    32'hF140_2573   // csrr a0, mhartid
  };

  // The number of cycles until a store to a device is granted; the store takes effect in the first.
  // The interrupt that a store causes must come before the next instruction, and the core needs one
  // more cycle before the grant to hold that instruction back.
  localparam int unsigned DeviceWriteCycles = 2;

endpackage
