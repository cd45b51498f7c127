# SPDX-License-Identifier: MIT
"""Makes a static site from runs: leaderboards, a page for each kernel, scenario, service and run,
and a page with an address for each claim. The site shows the same summary (ticklab/summary) as the
terminal and the report."""
