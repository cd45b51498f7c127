# SPDX-License-Identifier: MIT
"""Targets: whatever runs an image and yields an event log. Each keeps the protocol of
protocol.py."""
