# SPDX-License-Identifier: MIT
"""What rtl/check is made of. Python's standard library only: the check runs on a bare machine."""
