// SPDX-License-Identifier: MIT
//
// Reads an RV32 program from an ELF file into a node's memory.
#ifndef IMAGE_H
#define IMAGE_H

#include <cstdint>
#include <string>

// Copies the loadable segments of the file `path` to `memory`, which represents `bytes` bytes from
// address `base` on. Ends the simulator with one line and status 2 if the file is no RV32 program
// or does not fit.
void load_image(const std::string &path, uint8_t *memory, uint32_t base, uint32_t bytes);

#endif
