# SPDX-License-Identifier: MIT
#
# The cross compiler for RV32, for projects that have no toolchain file of their own.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_CXX_COMPILER riscv64-unknown-elf-g++)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
# CMake cannot run a test program for the target.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
