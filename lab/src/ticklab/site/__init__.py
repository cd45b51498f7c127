# SPDX-License-Identifier: MIT
"""Makes a static site from runs: leaderboards, a page for each kernel, scenario, service and run,
and a page with an address for each claim. It shows the same summary as terminal and report."""
