# SPDX-License-Identifier: MIT
"""The static site of runs: leaderboards, a page for each kernel, scenario, service and run, and an
address for each claim. It draws from the same summary as terminal and report."""
