# SPDX-License-Identifier: MIT
"""What records say beside each other: which is faster, what changed, what may not be ranked."""
