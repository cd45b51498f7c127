# SPDX-License-Identifier: MIT
"""Makes the documentation: the site, its generated pages, and the figures in the documents, all of
which come from one baseline (docs/figures/baseline.json)."""
