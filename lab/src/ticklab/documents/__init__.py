# SPDX-License-Identifier: MIT
"""The documentation: the site, its generated pages, and figures that come from one baseline."""
