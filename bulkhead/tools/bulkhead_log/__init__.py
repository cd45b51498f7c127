# SPDX-License-Identifier: MIT
"""Reads the logs of processes and the trace of the kernel from memory.

Uses the standard library alone, because projects without Ticklab and GDB call it. Whatever is in
the memory is shown, and nothing there is believed: a process may have written anything into its own
log.
"""
