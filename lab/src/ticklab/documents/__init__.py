# SPDX-License-Identifier: MIT
"""Makes the documentation: the site, its generated pages, and the figures in documents, which all
come from one baseline."""
