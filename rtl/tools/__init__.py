# SPDX-License-Identifier: MIT
"""The parts of rtl/check. Python's standard library only: the check runs on a bare machine."""
