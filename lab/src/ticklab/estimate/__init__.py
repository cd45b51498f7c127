# SPDX-License-Identifier: MIT
"""Estimates whether an application meets its deadlines under a kernel: combines measured costs of
the kernel with response-time analysis."""
