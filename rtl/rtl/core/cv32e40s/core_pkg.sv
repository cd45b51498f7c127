// SPDX-License-Identifier: MIT
//
// The facts that a node needs of its core, CV32E40S: the boot code, and when a store to a device is
// granted.

package core_pkg;

  // The code at the boot address clears cpuctrl, and then works like QEMU's reset vector: a0 =
  // hart, jump to the start of memory. At reset, cpuctrl enables data independent timing, PC
  // hardening and checksums of the bus, which protect against physical attacks and cost cycles.
  localparam int unsigned BootWords = 4;
  localparam logic [BootWords-1:0][31:0] BootCode = {
    32'h0002_8067,  // jr   t0
    32'h8000_02B7,  // lui  t0, 0x80000
    32'hF140_2573,  // csrr a0, mhartid
    32'hBF00_5073   // csrwi cpuctrl, 0
  };

  // The number of cycles until a store to a device is granted; the store takes effect in the first.
  // The interrupt that a store causes must come before the next instruction. The core registers its
  // interrupt lines and then halts its decode stage, so it needs two more cycles before the grant.
  localparam int unsigned DeviceWriteCycles = 3;

endpackage
