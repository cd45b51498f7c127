# SPDX-License-Identifier: MIT
"""Reads the logs of processes and the trace of the kernel from memory.

Only the standard library is used, because GDB and projects without Ticklab import this package. The
contents of a log are shown but not trusted, because a process can write anything into its own log.
"""
