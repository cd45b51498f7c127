# SPDX-License-Identifier: MIT
"""Views: a run as a table, HTML, JSON or CSV. They know records and nothing of targets or kernels.

No view shows a figure as better than it is: a counted one stands alone, a modelled one is always an
interval with a `~` before it, and whatever did not pass stands there with its reason.
"""
