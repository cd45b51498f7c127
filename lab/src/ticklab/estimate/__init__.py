# SPDX-License-Identifier: MIT
"""Whether an application fits: measured costs of a kernel, joined with response-time analysis."""
